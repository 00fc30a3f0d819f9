import type { Account } from '#src/accounts/index.js';
import { relyingPartyOf, requestOptions } from '#src/authentication/passkeys/index.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { passkeyField } from '#src/http/pages/passkey-script.js';
import { passwordField } from '../http/password-field.js';
import { confirmLinkPath, provePath } from '../http/step-address.js';
import type { LoginNeeds } from '../needs/needs.js';
import { passkeyBinding } from '../sign-in/passkey-button.js';
import { type Linking, proofsOfAccount } from './linking.js';

/** The page on which a person proves an account for an identity, and where its forms go. */
export const linkPaths = {
  page: provePath,
  passkey: `${provePath}/passkey`,
  none: `${provePath}/none`,
} as const;

/** The purpose of a form of the page, for one identity. */
export function linkPurpose(form: keyof typeof linkPaths | 'confirm', flow: string, secret: string): string {
  return `link ${form} ${secret} ${flow}`;
}

type Deps = Pick<LoginNeeds, 'clock' | 'config' | 'passkeyChallenges'>;

/**
 * Asks for the account of a person whom a provider confirmed and nobody here is. The page depends on the connection alone, so it tells nobody
 * whether there is such an account.
 */
export function proveAccountPage(
  deps: Deps,
  { visit, secret, connection: { name, creation }, organization, who }: Linking,
  { loginName = '', alert }: { loginName?: string | undefined; alert?: string | undefined },
): PageContent {
  const { texts: t, flow, agent } = visit;
  const hidden = { request: flow, link: secret };
  const proofs = proofsOfAccount(deps, organization);
  const party = proofs.passkey ? relyingPartyOf(deps.config) : undefined;
  const byPassword =
    proofs.password &&
    form({
      action: pageAddress(deps, linkPaths.page),
      agent,
      purpose: linkPurpose('page', flow, secret),
      hidden,
      content: html`${field({
        name: 'loginName',
        label: t.loginName,
        value: loginName,
        autocomplete: 'username',
        isFocused: loginName === '',
      })}
${passwordField(t, {
  name: 'password',
  label: t.password,
  autocomplete: 'current-password',
  isFocused: loginName !== '',
})}
${submit(t.continue)}`,
    });
  const byPasskey =
    party !== undefined &&
    html`<div hidden data-passkey-on>${form({
      action: pageAddress(deps, linkPaths.passkey),
      agent,
      purpose: linkPurpose('passkey', flow, secret),
      hidden,
      content: html`${passkeyField({
        act: 'get',
        options: requestOptions(party, {
          challenge: deps.passkeyChallenges.make(passkeyBinding(visit)),
          allowed: [],
          isOnlyFactor: true,
        }),
      })}
<p class="error" role="alert" hidden data-passkey-failed>${t.passkeys.failed}</p>
<button type="submit" class="full quiet" data-passkey-ask>${t.passkeys.use}</button>`,
    })}</div>`;
  const isNew =
    creation === 'create' &&
    form({
      action: pageAddress(deps, linkPaths.none),
      agent,
      purpose: linkPurpose('none', flow, secret),
      hidden,
      content: html`<button type="submit" class="full quiet">${t.link.none}</button>`,
    });
  const content = html`${byPassword}${byPasskey}${isNew}
<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${t.link.another}</a></p>`;
  const subtitle = `${who === '' ? t.link.confirmed(name) : t.link.confirmedAs(name, who)} ${t.link.text(name)}`;
  return { title: t.link.title, subtitle, content, alert };
}

/** Asks a person who has proved an account whether the identity shall sign in to it. */
export function confirmLinkPage(
  deps: Pick<Deps, 'config'>,
  { visit, secret, connection: { name }, who }: Linking,
  { user: { displayName, userName } }: Account,
): PageContent {
  const { texts: t, flow, agent } = visit;
  const content = form({
    action: pageAddress(deps, confirmLinkPath),
    agent,
    purpose: linkPurpose('confirm', flow, secret),
    hidden: { request: flow },
    content: html`<p><strong>${name}</strong>${who !== '' && html`<br>${who}`}</p>
<p>${t.link.signsIn}</p>
<p><strong>${displayName}</strong><br>${userName}</p>
${submit(t.link.link)}
<p class="buttons"><button type="submit" class="quiet full" name="later" value="1">${t.link.later}</button></p>`,
  });
  return { title: t.link.confirmTitle, content };
}
