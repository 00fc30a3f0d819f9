import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { badge, card, number, table } from '../http/parts.js';
import { linkTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { pathOf } from '../resources/organization-of.js';
import { policyTexts } from './texts/texts.js';

/** What a policy would do, as the API says it. */
export interface Trial {
  readonly people: Readonly<Record<'meets' | 'mustEnrol' | 'lockedOut', number>>;
  readonly administrators: readonly {
    readonly userId: string;
    readonly userName: string;
    readonly outcome: 'mustEnrol' | 'lockedOut';
  }[];
  readonly applications: readonly NamedObject[];
  readonly serviceUsers: readonly NamedObject[];
}

interface NamedObject {
  readonly id: string;
  readonly name: string;
}

/** The most that the API names of a kind. */
const mostNamed = 100;

/** What a policy would do, in words, with links to everybody and everything that it concerns. */
export function trialCard(visit: ConsoleVisit, trial: Trial): Html {
  const { language } = visit;
  const texts = policyTexts[language].trial;
  const { people, administrators, applications, serviceUsers } = trial;
  const counts = (['meets', 'mustEnrol', 'lockedOut'] as const).map(
    (outcome) => html`<li><strong>${number(people[outcome], language)}</strong> ${texts[outcome]}</li>`,
  );
  return card(
    texts.title,
    html`<div role="status"><p>${texts.nothingChanged}</p><ul>${counts}</ul></div>
${administrators.length === 0 ? html`<p>${texts.everyAdministratorMeets}</p>` : administratorTable(visit, administrators)}
${namedList(visit, texts.applications, 'applications', applications)}
${namedList(visit, texts.serviceUsers, 'service-users', serviceUsers)}`,
    { id: 'trial' },
  );
}

function administratorTable(visit: ConsoleVisit, administrators: Trial['administrators']): Html {
  const texts = policyTexts[visit.language].trial;
  const rows = administrators.map(({ userId, userName, outcome }): HtmlValue[] => [
    linkTo(visit, [pathOf(visit, '/users'), userId], userName),
    // A badge has one line, which is too narrow for a sentence.
    outcome === 'lockedOut' ? badge(texts.outcome.lockedOut, 'bad') : texts.outcome.mustEnrol,
  ]);
  return html`<h3>${texts.administrators}</h3>
${table({ caption: texts.administrators, columns: [texts.person, texts.wouldHappen], rows })}${firstOnes(visit, rows.length)}`;
}

function namedList(
  visit: ConsoleVisit,
  title: string,
  folder: 'applications' | 'service-users',
  items: readonly NamedObject[],
): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<details><summary>${title}: ${number(items.length, visit.language)}</summary>
<ul>${items.map(({ id, name }) => html`<li>${linkTo(visit, [pathOf(visit, `/${folder}`), id], name)}</li>`)}</ul>${firstOnes(visit, items.length)}</details>`;
}

function firstOnes({ language }: ConsoleVisit, count: number): Html | undefined {
  return count < mostNamed ? undefined : html`<p class="hint">${policyTexts[language].trial.firstOnes}</p>`;
}
