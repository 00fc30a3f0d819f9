import { type RelyingParty, relyingPartyOf, requestOptions } from '#src/authentication/passkeys/index.js';
import { firstFactorsOfAnybody } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { passkeyField } from '#src/http/pages/passkey-script.js';
import { authenticatorField } from '../http/offer-passkey.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** Where the form goes if an authenticator has answered. */
export const passkeySignInPath = '/login/passkey';

/** What the challenge of the button is bound to. */
export function passkeyBinding({ agent, onlyOrgId: orgId }: Visit) {
  return { purpose: 'signIn', agent: agent.hash, orgId } as const;
}

/**
 * The relying party of a page at which a passkey may sign somebody in. Undefined where browsers have none, and if only people of an organization
 * may sign in that allows none to anybody at first.
 */
function partyAt(
  { clock, config }: Pick<LoginNeeds, 'clock' | 'config'>,
  { onlyOrgId, organization }: Visit,
): RelyingParty | undefined {
  const policy = onlyOrgId === undefined ? undefined : organization?.signInPolicy;
  return firstFactorsOfAnybody(policy, clock.now()).includes('passkey') ? relyingPartyOf(config) : undefined;
}

/** What browsers may offer in the field for the login name. `webauthn` stands for passkeys (WebAuthn Level 3 section 13.4.8). */
export function nameAutocomplete(deps: Pick<LoginNeeds, 'clock' | 'config'>, visit: Visit): string {
  return partyAt(deps, visit) === undefined ? 'username' : 'username webauthn';
}

/**
 * The part of a login form that signs in with a passkey alone, by a button or in the field for the login name. It names no credential,
 * because nobody has proved who it is. Nothing where no passkey signs in.
 * @param page whose form it is: that of the password, or that of the name alone
 */
export function passkeyButton(
  deps: Pick<LoginNeeds, 'clock' | 'config' | 'passkeyChallenges'>,
  visit: Visit,
  page: 'login' | 'name',
): Html | false {
  const party = partyAt(deps, visit);
  if (party === undefined) return false;
  const { passkeys: t } = visit.texts;
  const challenge = deps.passkeyChallenges.make(passkeyBinding(visit));
  const options = requestOptions(party, { challenge, allowed: [], isOnlyFactor: true });
  return html`${page === 'login' && authenticatorField()}<div hidden data-passkey-on>${passkeyField({ act: 'get', options, isOffered: true })}
<p class="error" role="alert" hidden data-passkey-failed>${t.failed}</p>
<button type="submit" class="full quiet" formnovalidate formaction="${pageAddress(deps, passkeySignInPath)}" name="page" value="${page}" data-passkey-ask>${t.signIn}</button></div>`;
}
