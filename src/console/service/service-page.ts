import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { badge, card, facts, number, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import type { TypedPerson } from '../memberships/find-holder.js';
import { type Features, featuresCard } from './features.js';
import { type InstanceRoles, instanceRolesCard } from './instance-roles-card.js';
import { type SigningKeyList, signingKeysCard } from './signing-keys-card.js';
import { serviceTexts } from './texts/texts.js';

/** What `GET /admin/v1/service` says. */
interface Service {
  readonly versions: Readonly<Record<'muster' | 'node', string>> &
    Partial<Record<'mongodb' | 'redis', string>>;
  readonly checks: Readonly<Record<'mongodb' | 'redis' | 'jobQueue', boolean>>;
  readonly queue: readonly { readonly kind: string; readonly state: string; readonly count: number }[];
  readonly settings: readonly {
    readonly name: string;
    readonly value: string | number | boolean;
    readonly isDefault: boolean;
    readonly about: string;
  }[];
}

/** What was wrong with a form of the page. */
export interface Trouble extends Pick<ConsolePage, 'alert' | 'refused' | 'status'> {
  /** The people whom a typed name means, if the person has to choose. */
  readonly several?: readonly TypedPerson[];
}

/** The service: its stores, its keys, its features, its owners and its limits. */
export async function servicePage(
  visit: ConsoleVisit,
  { several, ...shown }: Trouble = {},
): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = serviceTexts[language];
  const [service, keys, features, roles] = await Promise.all([
    api.get<Service>('/admin/v1/service'),
    api.get<SigningKeyList>('/admin/v1/signing-keys'),
    api.get<Features>('/admin/v1/features'),
    api.get<InstanceRoles>('/admin/v1/memberships', {
      limit: 50,
      after: queryText(visit, 'after').slice(0, 200),
    }),
  ]);
  const done = queryText(visit, 'done');
  return {
    title: t.nav.service,
    subtitle: texts.about,
    actions: html`<a class="button quiet" href="${at('/docs/api')}">${texts.apiReference}</a>
<a class="button quiet" href="${at('/console/service/jobs')}">${texts.jobs}</a>`,
    ...(done === 'saved' && { notice: t.saved }),
    ...(done === 'removed' && { notice: t.removed }),
    content: html`<div class="cards">${healthCard(visit, service)}${featuresCard(visit, features)}</div>
${signingKeysCard(visit, keys)}${instanceRolesCard(visit, roles, several)}${settingsCard(visit, service)}`,
    ...shown,
  };
}

function healthCard({ language, t }: ConsoleVisit, { versions, checks, queue }: Service): Html {
  const texts = serviceTexts[language];
  const state = (isWell: boolean) => (isWell ? badge(texts.answers, 'good') : badge(texts.silent, 'bad'));
  const waiting = queue.filter(({ state }) => state !== 'active').reduce((sum, { count }) => sum + count, 0);
  const active = queue.filter(({ state }) => state === 'active').reduce((sum, { count }) => sum + count, 0);
  return card(
    texts.health,
    facts([
      ['MongoDB', html`${state(checks.mongodb)} ${versions.mongodb ?? t.unknown}`],
      ['Redis', html`${state(checks.redis)} ${versions.redis ?? t.unknown}`],
      [
        texts.queue,
        html`${state(checks.jobQueue)} ${texts.queueText(number(waiting, language), number(active, language))}`,
      ],
      ['Muster', versions.muster],
      ['Node.js', versions.node],
    ]),
  );
}

/** The settings. Their descriptions are those of the reference, which is in English, so pages in other languages only lead there. */
function settingsCard({ language, at }: ConsoleVisit, { settings }: Service): Html {
  const texts = serviceTexts[language];
  const isEnglish = language === 'en';
  const rows = settings.map(({ name, value, isDefault, about }): HtmlValue[] => [
    html`<code class="joined">${name.split(/(?<=_)/).map((word) => html`${word}<wbr>`)}</code>`,
    html`<div><strong>${String(value)}</strong>${!isDefault && html` ${badge(texts.changed)}`}</div>`,
    ...(isEnglish ? [about] : []),
  ]);
  return card(
    texts.settings,
    html`<details><summary>${texts.showSettings}</summary>${table({ caption: texts.settings, columns: [texts.setting, texts.value, ...(isEnglish ? [texts.meaning] : [])], rows })}</details>
<p><a href="${at('/docs/configuration')}" hreflang="en">${texts.settingsReference}</a></p>`,
    { hint: texts.settingsHint },
  );
}
