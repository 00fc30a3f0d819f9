import type { Container } from '#src/container.js';
import type { Application } from '#src/directory/applications/application.js';
import type { Consent } from '#src/directory/consents/consent.js';
import { field, form } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { type Language, languages } from '#src/http/pages/language.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { Session } from '#src/sessions/session.js';
import { policyHint } from '../new-password.js';
import { languageNames } from '../texts.js';
import { accountPurpose, type Member } from './member.js';
import { scopeList } from './scope-list.js';

type Deps = Pick<Container, 'config'>;

export type AccountErrors = Partial<
  Record<'givenName' | 'familyName' | 'displayName' | 'current' | 'password' | 'repeated', string>
>;

/** A consent, and the application that has it. */
export interface ShownConsent {
  readonly consent: Consent;
  readonly application: Application;
}

/** The content of the account page: profile, password, second factor, sessions and consents. */
export function accountPage(
  deps: Deps,
  member: Member,
  shown: { own: readonly Session[]; consents: readonly ShownConsent[]; errors?: AccountErrors },
): Html {
  const { own, consents, errors = {} } = shown;
  return html`${top(deps, member)}
${profile(deps, member, errors)}
${password(deps, member, errors)}
${secondFactor(deps, member)}
${sessionList(deps, member, own)}
${consents.length > 0 && consentList(deps, member, consents)}`;
}

/** A form of the account pages. It is posted for one session. */
export function accountForm(
  deps: Deps,
  { visit, session }: Member,
  parts: { path: string; purpose: string; hidden?: Record<string, string>; content: Html },
): Html {
  return form({
    action: pageAddress(deps, parts.path),
    agent: visit.agent,
    purpose: accountPurpose(parts.purpose, session.id),
    hidden: { session: session.id, ...parts.hidden },
    content: parts.content,
  });
}

function top(deps: Deps, { visit: { texts: t }, account: { user }, sessions }: Member): Html {
  return html`<div class="top"><p>${t.signedInAs(user.userName)}</p>
<p>${sessions.length > 1 && html`<a class="button quiet" href="${pageAddress(deps, '/login/select')}">${t.selectTitle}</a> `}<a class="button quiet" href="${pageAddress(deps, '/oidc/v1/end_session')}">${t.signOut}</a></p></div>`;
}

function profile(deps: Deps, member: Member, errors: AccountErrors): Html {
  const { texts: t } = member.visit;
  const { name, displayName, preferredLanguage } = member.account.user;
  const known = languages.find((language) => preferredLanguage.split('-')[0] === language);
  const options = languages.map(
    (language) =>
      html`<option value="${language}" lang="${language}"${language === known && html` selected`}>${languageNames[language]}</option>`,
  );
  const content = html`<div class="pair">${field({
    name: 'givenName',
    label: t.givenName,
    value: name.givenName,
    autocomplete: 'given-name',
    error: errors.givenName,
    isOptional: name.givenName === undefined,
  })}
${field({
  name: 'familyName',
  label: t.familyName,
  value: name.familyName,
  autocomplete: 'family-name',
  error: errors.familyName,
  isOptional: name.familyName === undefined,
})}
${field({
  name: 'displayName',
  label: t.displayName,
  value: displayName,
  autocomplete: 'name',
  error: errors.displayName,
})}
<div class="field"><label for="preferredLanguage">${t.preferredLanguage}</label>
<select id="preferredLanguage" name="preferredLanguage">${known === undefined && html`<option value="" selected>${preferredLanguage}</option>`}${options}</select></div></div>
<button type="submit">${t.save}</button>`;
  return html`<section aria-labelledby="profile"><h2 id="profile">${t.profile}</h2>
${accountForm(deps, member, { path: '/account/profile', purpose: 'profile', content })}</section>`;
}

function password(deps: Deps, member: Member, errors: AccountErrors): Html {
  const { texts: t, language } = member.visit;
  const input = (name: 'current' | 'password' | 'repeated', label: string, hint?: string) =>
    field({
      name,
      label,
      hint,
      type: 'password',
      autocomplete: name === 'current' ? 'current-password' : 'new-password',
      error: errors[name],
      isFocused: errors[name] !== undefined,
    });
  const content = html`${input('current', t.currentPassword)}
<div class="pair">${input('password', t.newPassword, errors.password === undefined ? policyHint(member.organization.passwordPolicy, language) : undefined)}
${input('repeated', t.repeatPassword)}</div>
<button type="submit">${t.changePassword}</button>`;
  return html`<section aria-labelledby="password-title"><h2 id="password-title">${t.password}</h2>
${accountForm(deps, member, { path: '/account/password', purpose: 'password', content })}</section>`;
}

function secondFactor(deps: Deps, { visit: { texts: t }, account, session }: Member): Html {
  const isOn = account.totp !== undefined;
  const path = isOn ? '/account/totp/remove' : '/account/totp';
  const address = pageAddress(deps, path, { session: session.id });
  return html`<section aria-labelledby="second-factor"><h2 id="second-factor">${t.secondFactor}</h2>
<div class="row"><p>${isOn ? t.secondFactorOn : t.secondFactorOff}</p>
<a class="button quiet" href="${address}">${isOn ? t.remove : t.setUp}</a></div></section>`;
}

function timeIn(language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
}

function consentList(deps: Deps, member: Member, consents: readonly ShownConsent[]): Html {
  const { texts: t, language } = member.visit;
  const rows = consents.map(({ consent, application }) => {
    const takeBack = accountForm(deps, member, {
      path: '/account/consents/remove',
      purpose: 'revoke-consent',
      hidden: { clientId: application.id },
      content: html`<button type="submit" class="quiet">${t.takeBack}</button>`,
    });
    return html`<li class="row"><div><strong>${application.name}</strong>
${scopeList(consent.scopes.join(' '), t)}
<p class="soft">${t.allowedAt(`${timeIn(language).format(consent.lastModified)} UTC`)}</p></div>${takeBack}</li>`;
  });
  return html`<section aria-labelledby="consents"><h2 id="consents">${t.consents}</h2>
<p class="soft">${t.consentsText}</p><ul class="rows">${rows}</ul></section>`;
}

function sessionList(deps: Deps, member: Member, own: readonly Session[]): Html {
  const { texts: t, language } = member.visit;
  const time = timeIn(language);
  const rows = own.map((session) => {
    const isThis = session.id === member.session.id;
    const end = accountForm(deps, member, {
      path: '/account/sessions/end',
      purpose: 'end-session',
      hidden: { ended: session.id },
      content: html`<button type="submit" class="quiet">${t.end}</button>`,
    });
    return html`<li class="row"><p><strong>${isThis ? t.thisSession : t.otherSession}</strong><br>
<span class="soft">${t.signedInAt(`${time.format(session.authTime)} UTC`)}</span></p>${end}</li>`;
  });
  return html`<section aria-labelledby="sessions"><h2 id="sessions">${t.sessions}</h2>
<p class="soft">${t.sessionsText}</p><ul class="rows">${rows}</ul></section>`;
}
