import { languages } from '#src/http/base/language.js';
import { initialOf } from '#src/http/pages/brand.js';
import { field } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { chosenLanguage } from '#src/people/users/index.js';
import type { Session } from '#src/sessions/session.js';
import type { RememberedBrowser } from '#src/tokens/remembered-browsers.store.js';
import { consoleAddress } from '../../http/complete.js';
import { policyHint } from '../../http/new-password.js';
import { passwordField } from '../../http/password-field.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { languageNames } from '../../texts/texts.js';
import { accountForm } from './account-form.js';
import { browserList, consentList, type ShownConsent, sessionList } from './account-lists.js';
import { identitySection, type OwnIdentities } from './identity-section.js';
import type { Member } from './member.js';
import { ownCodeField } from './own-proof.js';
import { passkeySection } from './passkey-list.js';
import { section } from './section.js';

type Deps = Pick<LoginNeeds, 'config' | 'mailer' | 'clock'>;

export type AccountErrors = Partial<
  Record<'givenName' | 'familyName' | 'displayName' | 'current' | 'password' | 'repeated' | 'code', string>
>;

/** What was typed into the form of the profile, by field. Empty if it was not refused. */
export type TypedProfile = Readonly<Record<string, string>>;

/** The content of the account page: profile, address, password, second factor, sessions and consents. */
export function accountPage(
  deps: Deps,
  member: Member,
  shown: {
    sessions: readonly Session[];
    browsers: readonly RememberedBrowser[];
    /** Undefined where browsers have no passkeys. */
    passkeys: Parameters<typeof passkeySection>[2] | undefined;
    identities: OwnIdentities;
    consents: readonly ShownConsent[];
    administers: boolean;
    errors?: AccountErrors;
    typed?: TypedProfile;
  },
): Html {
  const { sessions, browsers, passkeys, identities, consents, administers, errors = {}, typed = {} } = shown;
  return html`${top(deps, member, administers)}
${profile(deps, member, { errors, typed })}
${email(deps, member)}
${member.hasPassword && password(deps, member, errors)}
${secondFactor(deps, member)}
${passkeys && passkeySection(deps, member, passkeys)}
${identitySection(deps, member, identities)}
${sessionList(deps, member, sessions)}
${browsers.length > 0 && browserList(deps, member, browsers)}
${consents.length > 0 && consentList(deps, member, consents)}`;
}

function top(
  deps: Deps,
  { visit: { texts: t }, account: { user }, sessions }: Member,
  administers: boolean,
): Html {
  const several = sessions.length > 1;
  return html`<div class="top"><p class="person"><span class="avatar" aria-hidden="true">${initialOf(user.displayName)}</span><span>${user.displayName}<span class="soft">${t.signedInAs(user.userName)}</span></span></p>
<p class="buttons">${administers && html`<a class="button small" href="${consoleAddress(deps, user)}">${t.administer}</a>`}
${several && html`<a class="button quiet small" href="${pageAddress(deps, '/login/select')}">${t.selectTitle}</a>`}
<a class="button quiet small" href="${pageAddress(deps, '/oidc/v1/end_session')}">${t.signOut}</a></p></div>`;
}

function profile(
  deps: Deps,
  member: Member,
  { errors, typed }: { errors: AccountErrors; typed: TypedProfile },
): Html {
  const { texts: t } = member.visit;
  const { name, displayName } = member.account.user;
  const content = html`<div class="pair">${field({
    name: 'givenName',
    label: t.givenName,
    value: typed['givenName'] ?? name.givenName,
    autocomplete: 'given-name',
    error: errors.givenName,
    isOptional: name.givenName === undefined,
  })}
${field({
  name: 'familyName',
  label: t.familyName,
  value: typed['familyName'] ?? name.familyName,
  autocomplete: 'family-name',
  error: errors.familyName,
  isOptional: name.familyName === undefined,
})}
${field({
  name: 'displayName',
  label: t.displayName,
  value: typed['displayName'] ?? displayName,
  autocomplete: 'name',
  error: errors.displayName,
})}
${languageField(member, typed['preferredLanguage'])}</div>
<button type="submit">${t.save}</button>`;
  return section({
    id: 'profile',
    title: t.profile,
    content: accountForm(deps, member, { path: '/account/profile', purpose: 'profile', content }),
  });
}

/** The choice of the language. The first one leaves the language as it is. */
function languageField({ visit: { texts: t }, account: { user } }: Member, typed = ''): Html {
  const chosen = typed || chosenLanguage(user);
  const known = languages.find((language) => chosen?.split('-')[0] === language);
  const options = languages.map(
    (language) =>
      html`<option value="${language}" lang="${language}"${language === known && html` selected`}>${languageNames[language]}</option>`,
  );
  const asItIs =
    known === undefined && html`<option value="" selected>${chosen ?? t.browserLanguage}</option>`;
  return html`<div class="field"><label for="preferredLanguage">${t.preferredLanguage}</label>
<select id="preferredLanguage" name="preferredLanguage">${asItIs}${options}</select></div>`;
}

function email(deps: Deps, { visit: { texts: t }, account: { user }, session }: Member): Html {
  const primary = user.emails.find((one) => one.primary);
  const isVerified = primary?.verified === true;
  const state =
    primary &&
    html`<span class="soft">${isVerified ? t.emailChange.verified : t.emailChange.unverified}</span>`;
  const address = html`<p>${primary === undefined ? t.emailChange.none : html`<strong>${primary.value}</strong><br>${state}`}</p>`;
  const change =
    deps.mailer &&
    html`<a class="button quiet small" href="${pageAddress(deps, '/account/email', { session: session.id })}">${isVerified ? t.change : t.emailChange.verify}</a>`;
  const hint = deps.mailer === undefined && html`<p class="hint">${t.emailChange.administrator}</p>`;
  const content = html`<div class="row">${address}${change}</div>${hint}`;
  return section({ id: 'email', title: t.email, content });
}

function password(deps: Deps, member: Member, errors: AccountErrors): Html {
  const { texts: t, language } = member.visit;
  const hint =
    errors.password === undefined ? policyHint(member.organization.passwordPolicy, language) : undefined;
  const input = (name: 'current' | 'password' | 'repeated', label: string) => ({
    name,
    label,
    autocomplete: name === 'current' ? ('current-password' as const) : ('new-password' as const),
    error: errors[name],
    isFocused: errors[name] !== undefined,
  });
  const content = html`${passwordField(t, input('current', t.currentPassword))}
<div class="pair">${passwordField(t, { ...input('password', t.newPassword), hint })}
${passwordField(t, input('repeated', t.repeatPassword))}</div>
${member.account.totp !== undefined && ownCodeField(member, errors.code)}
<button type="submit">${t.changePassword}</button>`;
  return section({
    id: 'password-title',
    title: t.password,
    content: accountForm(deps, member, { path: '/account/password', purpose: 'password', content }),
  });
}

function secondFactor(deps: Deps, { visit: { texts: t }, account: { totp }, session }: Member): Html {
  const row = (text: string, label: string, path: string) => {
    const href = pageAddress(deps, path, { session: session.id });
    return html`<div class="row"><p>${text}</p>
<a class="button quiet small" href="${href}">${label}</a></div>`;
  };
  const left = totp?.recovery?.length;
  const content =
    totp === undefined
      ? row(t.secondFactorOff, t.setUp, '/account/totp')
      : html`${row(t.secondFactorOn, t.remove, '/account/totp/remove')}
<h3>${t.recovery.title}</h3>
${row(left === undefined ? t.recovery.none : t.recovery.left(String(left)), t.recovery.renew, '/account/recovery-codes/new')}`;
  return section({ id: 'second-factor', title: t.secondFactor, content });
}
