import { ageTime, joinProofs, type Proof } from '#src/authentication/proofs/index.js';
import { shorterLife } from '#src/directory/index.js';
import { renewAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { deviceOf } from '#src/http/device.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { Session } from '#src/sessions/session.js';
import type { LoginNeeds } from '../../needs/needs.js';
import type { Member } from '../http/member.js';

/** The page that asks a person to prove again who it is. */
export const confirmPath = '/account/confirm';

/** Where a person goes on after that page. A page that names a passkey has it in its query. */
export const confirmedPaths = [
  '/account/passkeys/new',
  '/account/passkeys/edit',
  '/account/identities',
  '/account/email',
  '/account/totp',
  '/account/totp/remove',
  '/account/recovery-codes/new',
] as const;

/**
 * Whether the person has proved who it is within `MUSTER_FRESH_SIGN_IN_SECONDS`, or the shorter time of the sign-in policy. A passkey is a way to sign in for years, so an unattended
 * browser must not be enough to add one. A sign-in at another provider is as old as that provider says, because a session there signs in
 * whoever sits at the browser.
 */
export function isFreshMember(
  { clock, config }: Pick<LoginNeeds, 'clock' | 'config'>,
  { session, organization }: Pick<Member, 'session' | 'organization'>,
): boolean {
  const { proofs } = session;
  // The person proved no second factor in such a session.
  if (proofs.some(({ kind }) => kind === 'rememberedBrowser')) return false;
  const seconds = shorterLife(config.freshSignInSeconds, organization.signInPolicy, 'freshSignInSeconds');
  const latest = Math.max(...proofs.map(ageTime));
  return clock.now().getTime() - latest <= seconds * 1000;
}

/** Whether the person may prove a change in its form: by the password, or by a sign-in of a moment ago if no password of the person signs in. */
export function mayProve(
  deps: Pick<LoginNeeds, 'clock' | 'config'>,
  member: Pick<Member, 'session' | 'organization' | 'hasPassword'>,
): boolean {
  return member.hasPassword || isFreshMember(deps, member);
}

/** The address of the page that asks the person. It leads back to the page `next`. */
export function confirmAddress(
  deps: Pick<LoginNeeds, 'config'>,
  { session }: Pick<Member, 'session'>,
  back: { readonly next: (typeof confirmedPaths)[number]; readonly passkey?: string },
): string {
  return pageAddress(deps, confirmPath, { session: session.id, ...back });
}

/** Renews the session of a person who has proved again who it is. The browser gets a new secret. */
export function renewMember(
  deps: Pick<LoginNeeds, 'config' | 'sessions'>,
  { request, reply }: HttpExchange,
  { session, proofs: given }: { session: Session; proofs: readonly Proof[] },
): Promise<Session> {
  const proofs = joinProofs(session.proofs, given);
  const { agent, before } = renewAgent(deps, request, reply);
  return deps.sessions.signIn(agent.hash, { ...session, proofs, device: deviceOf(request) }, { before });
}
