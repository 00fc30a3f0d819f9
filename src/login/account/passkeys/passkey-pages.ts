import type { WebauthnCredential } from '#src/accounts/person-lists/index.js';
import type { Connection } from '#src/connections/registry/index.js';
import { field } from '#src/http/pages/form.js';
import { html } from '#src/http/pages/html.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { passkeyField } from '#src/http/pages/passkey-script.js';
import { connectionButtons } from '../../connections/connection-buttons.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm } from '../http/account-form.js';
import { accountAddress, type Member } from '../http/member.js';
import { ownCodeField, ownPasswordField, type ProofErrors } from '../http/own-proof.js';
import { passkeyName } from '../http/passkey-list.js';

type Deps = Pick<LoginNeeds, 'config'>;

/** The page that makes a passkey. */
export function newPasskeyPage(
  deps: Deps,
  member: Member,
  { options, alert }: { options: object; alert: string | undefined },
): PageContent {
  const { texts } = member.visit;
  const { passkeys: t } = texts;
  const content = html`<div hidden data-passkey-on>${accountForm(deps, member, {
    path: '/account/passkeys',
    purpose: 'passkey',
    content: html`${passkeyField({ act: 'create', options })}
<p class="error" role="alert" hidden data-passkey-failed>${t.notAdded}</p>
<button type="submit" class="full" data-passkey-ask>${t.create}</button>
<p class="links"><a href="${accountAddress(deps, '/account', member)}">${texts.cancel}</a></p>`,
  })}</div>
<div data-passkey-off><p>${t.unsupported}</p>
<p class="links"><a href="${accountAddress(deps, '/account', member)}">${texts.account}</a></p></div>`;
  return { title: t.add, subtitle: t.addText, content, alert };
}

/** The page that renames a passkey or removes it. */
export function passkeyPage(
  deps: Deps,
  member: Member,
  shown: { passkey: WebauthnCredential; typed: string | undefined; error: string | undefined },
): PageContent {
  const { texts } = member.visit;
  const { passkeys: t } = texts;
  const { passkey, typed, error } = shown;
  const hidden = { passkey: passkey.id };
  const content = html`${accountForm(deps, member, {
    path: '/account/passkeys/edit',
    purpose: 'passkey-edit',
    hidden,
    content: html`${field({
      name: 'label',
      label: t.name,
      value: typed ?? passkeyName(member, passkey),
      autocomplete: 'off',
      error,
      isFocused: error !== undefined,
    })}
<button type="submit" class="full">${texts.save}</button>`,
  })}
${accountForm(deps, member, {
  path: '/account/passkeys/remove',
  purpose: 'passkey-remove',
  hidden,
  content: html`<p class="hint">${t.removeText}</p>
<button type="submit" class="full quiet">${texts.remove}</button>`,
})}
<p class="links"><a href="${accountAddress(deps, '/account', member)}">${texts.cancel}</a></p>`;
  return { title: t.changeTitle, subtitle: passkeyName(member, passkey), content };
}

/** The page that asks a person to prove again who it is: by the password and a code, or by a passkey. */
export function confirmOwnPage(
  deps: Deps,
  member: Member,
  shown: {
    /** Where the person goes on, as the forms carry it. */
    hidden: Record<string, string>;
    /** Undefined for a person without passkeys. */
    options: object | undefined;
    /** By which the person signs in. */
    connections: readonly Connection[];
    errors: ProofErrors;
    alert: string | undefined;
  },
): PageContent {
  const { texts } = member.visit;
  const { passkeys: t } = texts;
  const { hidden, options, connections, errors, alert } = shown;
  const { hasPassword } = member;
  const { totp } = member.account;
  const byPassword =
    hasPassword &&
    accountForm(deps, member, {
      path: '/account/confirm',
      purpose: 'confirm',
      hidden,
      content: html`${ownPasswordField(member, errors.password)}
${totp !== undefined && ownCodeField(member, errors.code)}
<button type="submit" class="full">${texts.continue}</button>`,
    });
  const byPasskey =
    options !== undefined &&
    html`<div hidden data-passkey-on>${accountForm(deps, member, {
      path: '/account/confirm/passkey',
      purpose: 'confirm-passkey',
      hidden,
      content: html`${passkeyField({ act: 'get', options })}
<p class="error" role="alert" hidden data-passkey-failed>${t.failed}</p>
<button type="submit" class="full quiet" data-passkey-ask>${t.use}</button>`,
    })}</div>`;
  // The person comes back to the account page.
  const byConnection = connectionButtons(deps, member.visit, { connections, toAccount: true, isFresh: true });
  const hasNone = !hasPassword && options === undefined && connections.length === 0;
  const content = html`${byPassword}${byPasskey}${byConnection}${hasNone && html`<p>${t.confirmByLogin}</p>`}
<p class="links"><a href="${accountAddress(deps, '/account', member)}">${texts.cancel}</a></p>`;
  const leads = connections.length > 0 && { leadsAway: true };
  return { title: texts.codeTitle, subtitle: t.confirmText, content, alert, ...leads };
}
