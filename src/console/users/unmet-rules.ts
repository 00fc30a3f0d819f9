import type { FactorDemand, FirstFactor, PolicyDay } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { ConsoleVisit } from '../http/visit.js';
import { namesOfGroups } from '../resources/group.js';
import { pathOf } from '../resources/organization-of.js';
import { policyTexts } from '../sign-in-policy/texts/texts.js';
import { dayInWords, policyValue } from '../sign-in-policy/words/policy-words.js';

/** A rule of the sign-in policy that a user cannot meet, as the API says it. */
export type ToldUnmetRule =
  | { readonly rule: 'firstFactors'; readonly factors: readonly FirstFactor[]; readonly from?: PolicyDay }
  | ({ readonly rule: 'demand'; readonly holds: boolean } & FactorDemand);

/** The rules in words, each with what to do. Undefined if the user meets all. */
export async function unmetCard(
  visit: ConsoleVisit,
  rules: readonly ToldUnmetRule[],
): Promise<Html | undefined> {
  if (rules.length === 0) return undefined;
  const { unmet } = policyTexts[visit.language];
  const groups = rules.flatMap((one) => (one.rule === 'demand' ? (one.groups ?? []) : []));
  const nameOf = await namesOfGroups(visit, groups);
  const rows = rules.map((one) =>
    one.rule === 'demand' ? demandRow(visit, one, nameOf) : firstRow(visit, one),
  );
  return html`<div class="alert"><p><strong>${unmet.title}</strong></p><ul>${rows}</ul>
<p><a href="${visit.at(pathOf(visit, '/settings/sign-in-policy'))}">${unmet.look}</a></p></div>`;
}

function firstRow(
  { language }: ConsoleVisit,
  { factors, from }: Extract<ToldUnmetRule, { rule: 'firstFactors' }>,
): Html {
  const { unmet } = policyTexts[language];
  const names = policyValue(language, 'firstFactors', factors).join(', ');
  const said = from === undefined ? unmet.begins(names) : unmet.beginsFrom(dayInWords(language, from), names);
  return html`<li>${said}<ul>${factors.map((factor) => html`<li>${unmet.byFactor[factor]}</li>`)}</ul></li>`;
}

function demandRow(
  { language }: ConsoleVisit,
  demand: Extract<ToldUnmetRule, { rule: 'demand' }>,
  nameOf: (groupId: string) => string,
): Html {
  const { unmet } = policyTexts[language];
  const [said] = policyValue(language, 'demands', [demand], nameOf);
  const remedy = demand.holds ? unmet.holds : unmet.later(dayInWords(language, demand.from));
  return html`<li>${said}<br>${remedy}</li>`;
}
