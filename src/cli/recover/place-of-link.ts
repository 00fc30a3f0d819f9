import { policyFor } from '#src/access/memberships/index.js';
import { relyingPartyOf } from '#src/authentication/passkeys/index.js';
import { allowedFirstFactors, type Organization } from '#src/directory/index.js';
import { StartError } from '#src/platform/start-error.js';
import type { Rooms } from '#src/rooms.js';
import { plainWord } from '../terminal/plain-text.js';

/**
 * Returns what a one-time link of a person leads to under the sign-in policy of the organization.
 * @param userId absent for somebody who is added
 * @throws StartError if it leads to nothing: only other providers, or mail, begin sign-ins there
 */
export async function placeOfLink(
  { organizations, caches, clock, config }: Pick<Rooms, 'organizations' | 'caches' | 'clock' | 'config'>,
  {
    organization: { id: orgId, name },
    userId = '',
  }: { readonly organization: Pick<Organization, 'id' | 'name'>; readonly userId?: string | undefined },
): Promise<'password' | 'passkey'> {
  const known = { organizations: { get: organizations.find }, memberships: caches.memberships };
  const first = allowedFirstFactors(await policyFor(known, { id: userId, orgId }), clock.now());
  if (first.includes('password')) return 'password';
  if (first.includes('passkey') && relyingPartyOf(config) !== undefined) return 'passkey';
  throw new StartError(
    `The sign-in policy of the organization ${plainWord(name)} lets neither a password nor a passkey begin a sign-in, so a link would lead ` +
      'nowhere. Name a break-glass owner of that organization with --owner, or add an owner to another organization with --new-owner and ' +
      '--org. Nothing was changed.',
  );
}
