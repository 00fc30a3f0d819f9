import { type Html, html } from '#src/http/pages/html.js';
import { reasonInWords } from '#src/http/providers/reasons/refusal-reason.js';
import { connectionsTexts } from '../connections/texts/texts.js';
import { badge, card, moment, table } from '../http/parts.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, ownsOrganization, param } from '../http/visit.js';
import { pathOf } from '../resources/organization-of.js';
import { usersTexts } from './texts/texts.js';

/** What a sign-in of the user by a connection meets, as the admin API says. */
export interface ShownConnectionState {
  readonly connectionId: string;
  readonly name: string;
  readonly obstacles: readonly ('off' | 'notLinked' | 'inactive' | 'roleOutside')[];
  readonly creates: boolean;
  /** That of the SCIM client of the connection. */
  readonly externalId?: string;
  readonly lastSignIn?: string;
  readonly refusals: readonly {
    readonly time: string;
    readonly reason: string;
    readonly isOwn: boolean;
  }[];
}

/** Whether the user can sign in by each connection of the organization, and if not, why. Nothing if it has none. */
export function connectionsCard(visit: ConsoleVisit, states: readonly ShownConnectionState[]): Html | false {
  if (states.length === 0) return false;
  const { language, t } = visit;
  const texts = connectionsTexts[language];
  const parts = states.map((state) => {
    const { connectionId, name, obstacles, externalId, lastSignIn } = state;
    const title = ownsOrganization(visit, param(visit, 'orgId'))
      ? linkTo(visit, [pathOf(visit, '/connections'), connectionId], name)
      : name;
    return html`<h3>${title} ${obstacles.length === 0 ? badge(texts.works, 'good') : badge(texts.fails, 'bad')}</h3>
${obstacles.length > 0 && html`<ul>${obstacles.map((obstacle) => html`<li>${texts[`obstacle_${obstacle}`]}${obstacle === 'notLinked' && state.creates && html` ${texts.wouldBeSecond}`}</li>`)}</ul>`}
${externalId !== undefined && html`<p>${usersTexts[language].fields.externalId}: <code>${externalId}</code></p>`}
<p>${texts.lastSignIn}: ${moment(lastSignIn, language) ?? t.never}</p>${refusalsOf(visit, state)}`;
  });
  return card(t.nav.connections, parts, { id: 'connections' });
}

function refusalsOf({ language }: ConsoleVisit, { refusals }: ShownConnectionState): Html | undefined {
  if (refusals.length === 0) return undefined;
  const texts = connectionsTexts[language];
  const rows = refusals.map(({ time, reason, isOwn }) => [
    moment(time, language),
    isOwn ? texts.thisPerson : texts.perhapsAnother,
    reasonInWords(language, reason),
  ]);
  return table({ caption: texts.refusals, columns: [texts.time, texts.person, texts.reason], rows });
}
