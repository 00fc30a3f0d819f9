import { type Html, html } from '#src/http/pages/html.js';
import { attributeInWords } from '#src/http/providers/answers/answer-words.js';
import { reasonInWords } from '#src/http/providers/reasons/refusal-reason.js';
import { badge, card, facts, moment, table } from '../http/parts.js';
import { linkTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { nameOfUser } from '../resources/name-of-user.js';
import { pathOf } from '../resources/organization-of.js';
import type { KnownGroups } from './mapping-form.js';
import { claimNames } from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** What a sign-in would do, as the admin API says. */
export interface ShownPreview {
  readonly outcome: 'known' | 'provisioned' | 'domain' | 'asked' | 'created' | 'refused' | 'ambiguous';
  /** Why the user would be refused. */
  readonly reason?: string;
  readonly userId?: string;
  /** Of the sign-in whose claims were tried. Absent for claims that were typed. */
  readonly time?: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, string>>;
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
  readonly leftOut: readonly string[];
}

const outcomes = {
  known: 'outcome_known',
  provisioned: 'outcome_linked',
  domain: 'outcome_linked',
  asked: 'outcome_asked',
  created: 'outcome_created',
  refused: 'outcome_refused',
  ambiguous: 'outcome_ambiguous',
} as const;

/** What a sign-in would come to: who it is, with which values and groups. */
export async function previewCard(
  visit: ConsoleVisit,
  { outcome, reason, userId, time, claims, values, joins, leaves, leftOut }: ShownPreview,
  groups: KnownGroups,
): Promise<Html> {
  const { language } = visit;
  const texts = connectionsTexts[language];
  const person = userId === undefined ? undefined : ((await nameOfUser(visit, userId))?.name ?? userId);
  const isBad = outcome === 'refused' || outcome === 'ambiguous';
  const why = reason === undefined ? '' : ` ${reasonInWords(language, reason)}`;
  const named = (ids: readonly string[]) => ids.map((id) => groups.nameOf(id)).join(', ');
  const given = claimNames.flatMap((name) =>
    values[name] === undefined ? [] : [[attributeInWords(language, name), values[name]] as const],
  );
  const rows = Object.entries(claims).map(([name, value]) => [
    html`<code>${name}</code>`,
    html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
  ]);
  return card(
    texts.preview,
    html`<div role="status"><p>${badge(isBad ? texts.fails : texts.works, isBad ? 'bad' : 'good')} ${texts[outcomes[outcome]]}${why}</p></div>
${facts([
  [texts.lastSignIn, moment(time, language)],
  [texts.person, userId !== undefined && linkTo(visit, [pathOf(visit, '/users'), userId], person)],
  ...given,
  [texts.joins, named(joins)],
  [texts.leaves, named(leaves)],
  [texts.leftOut, leftOut.join(', ')],
])}${rows.length > 0 && table({ caption: texts.claimsSeen, columns: [texts.claim, texts.value], rows })}`,
    { hint: texts.resultHint },
  );
}
