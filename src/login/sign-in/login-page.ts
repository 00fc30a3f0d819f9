import type { Connection } from '#src/connections/registry/index.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { connectionButtons } from '../connections/connection-buttons.js';
import { organizationField } from '../http/organization-field.js';
import { callbackAddress } from '../http/own-flow.js';
import { passwordField } from '../http/password-field.js';
import { accountPlace } from '../http/to-account.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { registrationWay } from '../registration/ways-to-register.js';
import { offerLink } from './offer-link.js';
import { nameAutocomplete, passkeyButton } from './passkey-button.js';
import type { PersonToConfirm } from './person-to-confirm.js';

type Deps = Pick<LoginNeeds, 'clock' | 'config' | 'mailer' | 'passkeyChallenges'>;

/** What the page shows of an earlier try, and what it says. */
interface LoginForm {
  readonly loginName: string;
  /** The organization that the person typed. Undefined if the page has not asked for it. */
  readonly organization?: string;
  /** Whether the name was typed on a page of its own. The page shows it, and leads back to that page. */
  readonly isNamed?: boolean;
  /** Whether the account page follows. */
  readonly toAccount: boolean;
  /** The connections by which people may sign in here. */
  readonly connections: readonly Connection[];
  /** What the page may ask for besides. */
  readonly ways: { readonly password: boolean; readonly passkey: boolean };
  readonly alert?: string;
  readonly notice?: string | undefined;
}

/** The purpose of the form of {@link loginPage}. */
export function loginPurpose(flow: string): string {
  return `login ${flow}`;
}

/** The page for login name and password. */
export function loginPage(
  deps: Deps,
  visit: Visit,
  { loginName, organization, isNamed = false, toAccount, connections, ways, ...messages }: LoginForm,
): PageContent {
  const { texts: t, flow, agent, application } = visit;
  const to = toAccount ? accountPlace : undefined;
  // Without any other way, whoever has none is told so by the form.
  const asksPassword = ways.password || (!ways.passkey && connections.length === 0);
  const byPassword = html`${form({
    action: pageAddress(deps, '/login'),
    agent,
    purpose: loginPurpose(flow),
    hidden: { request: flow, ...(to !== undefined && { to }) },
    content: html`${field({
      name: 'loginName',
      label: t.loginName,
      value: loginName,
      autocomplete: nameAutocomplete(deps, visit),
      isFixed: isNamed,
      isFocused: loginName === '',
    })}
${passwordField(t, {
  name: 'password',
  label: t.password,
  autocomplete: 'current-password',
  isFocused: loginName !== '',
})}
${organization !== undefined && organizationField(visit, organization)}
${submit(t.signIn)}
${ways.passkey && passkeyButton(deps, visit, 'login')}`,
  })}`;
  const byPasskey =
    ways.passkey &&
    form({
      action: pageAddress(deps, '/login'),
      agent,
      purpose: loginPurpose(flow),
      hidden: { request: flow, ...(to !== undefined && { to }) },
      content: passkeyButton(deps, visit, 'login'),
    });
  const content = html`${asksPassword ? byPassword : byPasskey}
${isNamed && html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow, to, other: '1' })}">${t.anotherAccount}</a></p>`}
${connectionButtons(deps, visit, { connections, toAccount })}
${asksPassword ? otherWays(deps, visit, toAccount) : waysWithoutPassword(deps, visit, { toAccount, ways })}`;
  const subtitle = application && t.continueTo(application.name);
  return { title: t.signIn, subtitle, content, ...leadsAwayBy(connections), ...messages };
}

/** The address to which {@link namePage} sends its form. */
export const namePath = '/login/name';

/** The purpose of the form of {@link namePage}. */
export function namePurpose(flow: string): string {
  return `login-name ${flow}`;
}

/**
 * The page that asks for the login name alone. Every name gets the same next page. Programs that fill in passwords know the field by its
 * `autocomplete`, and find it again on the page for the password.
 */
export function namePage(
  deps: Deps,
  visit: Visit,
  { loginName, toAccount, connections, ways, ...messages }: Omit<LoginForm, 'organization' | 'isNamed'>,
): PageContent {
  const { texts: t, flow, agent, application, organization } = visit;
  const to = toAccount ? accountPlace : undefined;
  // A page without a request knows its organization by its address.
  const place = visit.waiting === undefined ? organization?.id : undefined;
  const password = { request: flow, to, organization: place, way: 'password' };
  const content = html`${form({
    action: pageAddress(deps, namePath),
    agent,
    purpose: namePurpose(flow),
    hidden: {
      request: flow,
      ...(to !== undefined && { to }),
      ...(place !== undefined && { organization: place }),
    },
    content: html`${field({
      name: 'loginName',
      label: t.loginName,
      value: loginName,
      autocomplete: nameAutocomplete(deps, visit),
      isFocused: true,
    })}
${submit(t.continue)}
${ways.passkey && passkeyButton(deps, visit, 'name')}`,
  })}
${connectionButtons(deps, visit, { connections, toAccount })}
${ways.password && connections.length > 0 && html`<p class="links"><a href="${pageAddress(deps, '/login', password)}">${t.ways.login}</a></p>`}
${waysWithoutPassword(deps, visit, { toAccount, ways })}`;
  const subtitle = application && t.continueTo(application.name);
  // A name may lead to a provider.
  return { title: t.signIn, subtitle, content, leadsAway: true, ...messages };
}

/** The page for a person who is signed in and proves again who it is. It says for what, and asks only for the password. */
export function confirmPage(
  deps: Deps,
  visit: Visit,
  {
    person,
    connections,
    ...messages
  }: { person: PersonToConfirm } & Pick<LoginForm, 'connections'> & Pick<PageContent, 'alert' | 'notice'>,
): PageContent {
  const { texts: t, flow, agent, application } = visit;
  const content = html`${form({
    action: pageAddress(deps, '/login'),
    agent,
    purpose: loginPurpose(flow),
    hidden: { request: flow },
    content: html`${field({
      name: 'loginName',
      label: t.loginName,
      value: person.userName,
      autocomplete: 'username',
      isFixed: true,
    })}
${passwordField(t, { name: 'password', label: t.password, autocomplete: 'current-password', isFocused: true })}
${submit(t.continue)}
${passkeyButton(deps, visit, 'login')}`,
  })}
${connectionButtons(deps, visit, { connections, toAccount: false })}
<div class="links">${offerLink(deps, visit)}
${deps.mailer !== undefined && html`<p><a href="${pageAddress(deps, '/login/forgot', { request: flow })}">${t.forgotPassword}</a></p>`}
${person.act !== undefined && html`<p><a href="${callbackAddress(deps, flow, { denied: 'true' })}">${t.cancel}</a></p>`}</div>`;
  const { act } = person;
  const subtitle =
    act === undefined ? application && t.continueTo(application.name) : html`<strong>${act}</strong>`;
  return { title: t.codeTitle, subtitle, content, ...leadsAwayBy(connections), ...messages };
}

/** A form that leads to a provider must be permitted by the policy of the page. */
function leadsAwayBy(connections: readonly Connection[]): Pick<PageContent, 'leadsAway'> {
  return connections.length === 0 ? {} : { leadsAway: true };
}

/** The ways for a person who has no password: a new one by mail, and an account. */
function otherWays(deps: Deps, visit: Visit, toAccount: boolean): Html {
  const { texts: t, flow } = visit;
  return html`<div class="links">
${offerLink(deps, visit, toAccount)}
${
  deps.mailer === undefined
    ? html`<p class="soft">${t.askAdministrator}</p>`
    : html`<p><a href="${pageAddress(deps, '/login/forgot', { request: flow })}">${t.noPasswordYet}</a></p>`
}
${registration(deps, visit)}
</div>`;
}

/** A mailed link, an account, and the password of owners who break the glass. */
function waysWithoutPassword(
  deps: Deps,
  visit: Visit,
  { toAccount, ways }: Pick<LoginForm, 'toAccount' | 'ways'>,
): Html | false {
  const links = [
    offerLink(deps, visit, toAccount),
    registration(deps, visit),
    !ways.password && breakGlass(deps, visit, toAccount),
  ].filter((way) => way !== false);
  return links.length > 0 && html`<div class="links">${links}</div>`;
}

/** The way to the password, where the organization has owners who break the glass. It names nobody. */
function breakGlass(deps: Deps, { texts: t, flow, organization }: Visit, toAccount: boolean): Html | false {
  if (organization?.signInPolicy?.breakGlassOwners === undefined) return false;
  const to = toAccount ? accountPlace : undefined;
  return html`<p><a href="${pageAddress(deps, '/login', { request: flow, to, way: 'password' })}">${t.ways.breakGlass}</a></p>`;
}

/** The way to an account, if anybody may create one. */
function registration(deps: Deps, { texts: t, flow, organization }: Visit): Html | false {
  if (registrationWay(deps, organization) === undefined) return false;
  return html`<p><a href="${pageAddress(deps, '/login/register', { request: flow })}">${t.createAccount}</a></p>`;
}
