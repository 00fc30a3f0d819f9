import { type Html, html } from '#src/http/pages/html.js';
import { actionButton } from '../http/form.js';
import { card, emptyList, exact, moment, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { ifAddressable, pathTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers } from '../http/visit.js';
import { usersTexts } from './texts/texts.js';
import { adminUserPath, userOfPath, userPage } from './user.js';

interface Session {
  readonly id: string;
  readonly created: string;
  readonly authTime: string;
  readonly lastUsed: string;
  readonly device?: { readonly browser?: string; readonly system?: string; readonly address?: string };
  readonly expires: string;
  readonly amr: readonly string[];
}

interface RememberedBrowser extends Pick<Session, 'id' | 'lastUsed' | 'device' | 'expires'> {
  readonly remembered: string;
}

interface Consent {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly created: string;
}

/** What each part needs. Without a path, the person may only look. */
interface CardItems<T> {
  readonly items: readonly T[];
  readonly path: string | undefined;
}

/** Where the user is signed in, and which applications of others have access. */
export async function sessionsTab(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api } = visit;
  const subject = await userOfPath(visit);
  const { organization, user } = subject;
  const base = adminUserPath(organization.id, user.id);
  const [sessions, browsers, consents] = await Promise.all([
    api.get<{ items: Session[] }>(`${base}/sessions`),
    api.get<{ items: RememberedBrowser[] }>(`${base}/remembered-browsers`),
    api.get<{ items: Consent[] }>(`${base}/consents`),
  ]);
  const path = managesUsers(visit, organization.id) ? subject.path : undefined;
  return userPage(visit, subject, {
    tab: 'sessions',
    content: html`${sessionsCard(visit, { items: sessions.items, path })}${browsersCard(visit, { items: browsers.items, path })}${consentsCard(visit, { items: consents.items, path })}`,
  });
}

function sessionsCard(visit: ConsoleVisit, { items, path }: CardItems<Session>): Html {
  const { language } = visit;
  const { sessions: texts, endSession, endSessions, endSessionsHint } = usersTexts[language];
  const endAll =
    path !== undefined &&
    html`<div class="buttons">${actionButton(visit, { action: `${path}/sessions/end`, label: endSessions, isDangerous: true })}</div><p class="hint">${endSessionsHint}</p>`;
  if (items.length === 0) return card(texts.title, html`${emptyList(texts.none)}${endAll}`);
  const rows = items.map((session) => [
    deviceCell(session),
    moment(session.lastUsed, language),
    moment(session.authTime, language),
    moment(session.expires, language),
    session.amr.map((method) => texts.methods[method] ?? method).join(', '),
    ...(path === undefined
      ? []
      : [
          actionButton(visit, {
            action: `${pathTo(`${path}/sessions`, session.id)}/end`,
            label: endSession,
          }),
        ]),
  ]);
  const columns = [
    texts.device,
    texts.lastUsed,
    texts.signedIn,
    texts.expires,
    texts.provedBy,
    ...(path === undefined ? [] : ['']),
  ];
  return card(texts.title, html`${table({ caption: texts.title, columns, rows })}${endAll}`);
}

/** The browser and the system, and the address below them. */
function deviceCell({ device: { browser, system, address } = {} }: Pick<Session, 'device'>): Html {
  const name = [browser, system].filter((word) => word !== undefined).join(', ');
  return html`${name || '–'}${address !== undefined && html`<br><code>${address}</code>`}`;
}

/** The browsers at which the user needs no second factor. Nothing without any. */
function browsersCard(visit: ConsoleVisit, { items, path }: CardItems<RememberedBrowser>): Html | false {
  const { language } = visit;
  const texts = usersTexts[language].sessions;
  if (items.length === 0) return false;
  const rows = items.map((browser) => [
    deviceCell(browser),
    moment(browser.lastUsed, language),
    moment(browser.remembered, language),
    moment(browser.expires, language),
    ...(path === undefined
      ? []
      : [
          actionButton(visit, {
            action: `${pathTo(`${path}/browsers`, browser.id)}/forget`,
            label: texts.forget,
          }),
        ]),
  ]);
  const columns = [
    texts.device,
    texts.lastUsed,
    texts.remembered,
    texts.expires,
    ...(path === undefined ? [] : ['']),
  ];
  const hint = texts.browsersHint;
  return card(texts.browsers, table({ caption: texts.browsers, columns, rows }), { hint });
}

function consentsCard(visit: ConsoleVisit, { items, path }: CardItems<Consent>): Html {
  const { language } = visit;
  const texts = usersTexts[language].sessions;
  const hint = texts.consentsHint;
  if (items.length === 0)
    return card(texts.consents, html`<p class="soft">${texts.noConsents}</p>`, { hint });
  const rows = items.map(({ clientId, scopes, created }) => [
    exact(clientId),
    scopes.join(' '),
    moment(created, language),
    ...(path === undefined
      ? []
      : [
          ifAddressable([`${path}/consents`, clientId], (of) =>
            actionButton(visit, { action: `${of}/revoke`, label: texts.revoke }),
          ),
        ]),
  ]);
  const columns = [texts.application, texts.scopes, visit.t.created, ...(path === undefined ? [] : [''])];
  return card(texts.consents, table({ caption: texts.consents, columns, rows }), { hint });
}
