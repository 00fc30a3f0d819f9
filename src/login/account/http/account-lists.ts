import type { Application } from '#src/clients/applications/index.js';
import type { Consent } from '#src/clients/consents/index.js';
import type { Language } from '#src/http/base/language.js';
import { filled, type Html, html } from '#src/http/pages/html.js';
import { moment } from '#src/http/pages/moment.js';
import type { Session } from '#src/sessions/session.js';
import type { RememberedBrowser } from '#src/tokens/remembered-browsers.store.js';
import { scopeList } from '../../http/scope-list.js';
import type { LoginNeeds } from '../../needs/needs.js';
import type { Texts } from '../../texts/texts.js';
import { accountForm } from './account-form.js';
import type { Member } from './member.js';
import { section } from './section.js';

type Deps = Pick<LoginNeeds, 'config' | 'clock'>;

/** A consent, and the application that has it. */
export interface ShownConsent {
  readonly consent: Consent;
  readonly application: Application;
}

/** Where the person is signed in. */
export function sessionList(deps: Deps, member: Member, sessions: readonly Session[]): Html {
  const { texts: t, language } = member.visit;
  const now = deps.clock.now();
  const rows = sessions.map((session) => {
    const isThis = session.id === member.session.id;
    const used = isThis ? now : session.lastUsed;
    const end = accountForm(deps, member, {
      path: '/account/sessions/end',
      purpose: 'end-session',
      hidden: { ended: session.id },
      content: html`<button type="submit" class="quiet small">${t.end}</button>`,
    });
    return html`<li class="row"><p><strong>${deviceName(session, t)}</strong>${isThis && html` <span class="tag">${t.thisSession}</span>`}<br>
<span class="soft">${t.lastUsed(timeSince(used, now, language))}<br>
${filled(t.signedInAt, { time: moment(session.authTime, language) })}</span></p>${end}</li>`;
  });
  const content = html`<ul class="rows">${rows}</ul>`;
  return section({ id: 'sessions', title: t.sessions, text: t.sessionsText, content });
}

/** The browsers at which a sign-in of the person needs no second factor. */
export function browserList(deps: Deps, member: Member, browsers: readonly RememberedBrowser[]): Html {
  const { texts, language } = member.visit;
  const { remember: t } = texts;
  const rows = browsers.map((browser) => {
    const forget = accountForm(deps, member, {
      path: '/account/browsers/forget',
      purpose: 'forget-browser',
      hidden: { browser: browser.id },
      content: html`<button type="submit" class="quiet small">${t.forget}</button>`,
    });
    return html`<li class="row"><p><strong>${deviceName(browser, texts)}</strong><br>
<span class="soft">${texts.lastUsed(timeSince(browser.used, deps.clock.now(), language))}<br>
${filled(t.since, { time: moment(browser.proved, language) })}<br>
${filled(t.until, { time: moment(browser.expires, language) })}</span></p>${forget}</li>`;
  });
  const content = html`<ul class="rows">${rows}</ul>`;
  return section({ id: 'browsers', title: t.title, text: t.text, content });
}

/** The applications to which the person gave access. */
export function consentList(deps: Deps, member: Member, consents: readonly ShownConsent[]): Html {
  const { texts: t, language } = member.visit;
  const rows = consents.map(({ consent, application }) => {
    const takeBack = accountForm(deps, member, {
      path: '/account/consents/remove',
      purpose: 'revoke-consent',
      hidden: { clientId: application.id },
      content: html`<button type="submit" class="quiet small">${t.takeBack}</button>`,
    });
    return html`<li class="row"><div><strong>${application.name}</strong>
${scopeList(consent.scopes.join(' '), t)}
<p class="soft">${filled(t.allowedAt, { time: moment(consent.lastModified, language) })}</p></div>${takeBack}</li>`;
  });
  const content = html`<ul class="rows">${rows}</ul>`;
  return section({ id: 'consents', title: t.consents, text: t.consentsText, content });
}

function deviceName({ device: { browser, system } = {} }: Pick<Session, 'device'>, t: Texts): string {
  if (browser === undefined || system === undefined) return browser ?? system ?? t.unknownDevice;
  return t.device(browser, system);
}

/** A time in the past as people say it, such as `5 minutes ago`. */
function timeSince(time: Date, now: Date, language: Language): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const minutes = Math.max(0, Math.floor((now.getTime() - time.getTime()) / 60_000));
  if (minutes === 0) return format.format(0, 'second');
  if (minutes < 60) return format.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? format.format(-hours, 'hour') : format.format(-Math.floor(hours / 24), 'day');
}
