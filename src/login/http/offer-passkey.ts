import { policyFor } from '#src/access/memberships/index.js';
import { relyingPartyOf } from '#src/authentication/passkeys/index.js';
import { allowedFirstFactors } from '#src/directory/index.js';
import { formText } from '#src/http/pages/form-text.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type BegunSignIn, demandsOf } from './begun-sign-in.js';

/** The page that asks a person once to add a passkey, after a sign-in with a password. */
export const offerPath = '/login/faster';

const name = 'hasAuthenticator';

/** The field of a form for a password that says whether the browser can make a passkey. A script fills it in, so without one nobody is asked. */
export function authenticatorField(): Html {
  return html`<input type="hidden" name="${name}" value="" data-passkey-able>`;
}

/** Whether the browser says in a form that it can make a passkey. */
export function hasAuthenticator(body: unknown): boolean {
  return formText(body, name) === '1';
}

/**
 * Whether the person is asked now to add a passkey. That is so after a password, at a browser that can make a passkey, if the policy lets one sign
 * in. A person who only confirms an act is not asked. It notes that the person was asked, so nobody is asked twice.
 */
export async function offersPasskey(
  deps: Pick<LoginNeeds, 'accounts' | 'caches' | 'clock' | 'config'>,
  {
    visit,
    account,
    proofs,
    hasAuthenticator: isAble = false,
  }: Pick<BegunSignIn, 'visit' | 'account' | 'proofs'> & { readonly hasAuthenticator?: boolean },
): Promise<boolean> {
  const { user, passkeys, passkeyOffered } = account;
  if (!isAble || passkeys !== undefined || passkeyOffered !== undefined) return false;
  if (relyingPartyOf(deps.config) === undefined) return false;
  const proved = new Set(proofs.map(({ kind }) => kind));
  // A passkey needs a fresh proof of everything that the person has.
  if (!proved.has('password') || proved.has('rememberedBrowser')) return false;
  const { hintedUserId, subjects } = visit.waiting ?? {};
  const isToConfirm = hintedUserId !== undefined || subjects !== undefined;
  if (isToConfirm || demandsOf(deps, visit).since !== undefined) return false;
  const policy = await policyFor(deps.caches, user);
  const now = deps.clock.now();
  if (!allowedFirstFactors(policy, now).includes('passkey')) return false;
  return deps.accounts.offerPasskey(user.orgId, { id: user.id, now });
}
