import type { Organization, UserProfileInput } from '#src/directory/index.js';
import { type Claims, mappedMemberships } from '../mapping/claim-values.js';
import type { Connection } from '../registry/connection.js';
import { profileOf } from './claims-to-profile.js';
import { type FindPersonDeps, linkablePerson, requireAdmitted } from './find-person.js';
import { knownPerson } from './link-identity.js';
import { type PersonRefusal, PersonRefused } from './sign-in-refusal.js';

/** What a sign-in with some claims would come to. */
export interface PreviewedAnswer {
  /**
   * `known`, `provisioned` and `domain`: it would sign in {@link PreviewedAnswer.userId}. `asked`: the person would be asked for an account.
   * `created`: somebody new. `refused`: nobody. `ambiguous`: several people have the identifier or the address.
   */
  readonly outcome: 'known' | 'provisioned' | 'domain' | 'asked' | 'created' | 'refused' | 'ambiguous';
  /** Why the person {@link PreviewedAnswer.userId} would be refused. Absent if nobody is known. */
  readonly reason?: PersonRefusal;
  readonly userId?: string;
  /** The profile that a new person would get. Of a person who exists, a mapping with `always` changes these values, where SCIM does not win. */
  readonly profile: UserProfileInput;
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
  /** Claims of the table that the provider leaves out because they are too long. */
  readonly leftOut: readonly string[];
}

type PreviewDeps = Pick<FindPersonDeps, 'accounts' | 'events' | 'identityLinks'> &
  Parameters<typeof linkablePerson>[0];

/** Says what a sign-in with these claims would do. Nothing is written. */
export async function previewAnswer(
  deps: PreviewDeps,
  {
    connection,
    organization,
    subject,
    claims,
  }: { connection: Connection; organization: Organization; subject: string; claims: Claims },
): Promise<PreviewedAnswer> {
  const { joins, leaves, leftOut } = mappedMemberships(connection.mapping, claims);
  return {
    ...(await whoIs(deps, { connection, organization, proved: { subject, claims } })),
    profile: profileOf(connection, organization, claims),
    ...{ joins: [...joins], leaves: [...leaves], leftOut },
  };
}

async function whoIs(
  deps: PreviewDeps,
  arrival: Parameters<typeof linkablePerson>[1],
): Promise<Pick<PreviewedAnswer, 'outcome' | 'reason' | 'userId'>> {
  const { creation, linking } = arrival.connection;
  try {
    const found = await personOf(deps, arrival);
    if (found !== undefined) return found;
  } catch (error) {
    if (!(error instanceof PersonRefused)) throw error;
    const { reason, userId } = error;
    if (reason === 'ambiguous') return { outcome: linking.byPerson ? 'asked' : 'ambiguous' };
    return { outcome: 'refused', reason, ...(userId !== undefined && { userId }) };
  }
  if (linking.byPerson) return { outcome: 'asked' };
  return { outcome: creation === 'create' ? 'created' : 'refused' };
}

/** The person who would be signed in. @throws PersonRefused */
async function personOf(
  deps: PreviewDeps,
  arrival: Parameters<typeof linkablePerson>[1],
): Promise<Pick<PreviewedAnswer, 'outcome' | 'userId'> | undefined> {
  const { connection, proved } = arrival;
  const { orgId, id: connectionId } = connection;
  const known = await knownPerson(deps, { orgId, connectionId, subject: proved.subject });
  const linkable = known === undefined ? await linkablePerson(deps, arrival) : undefined;
  const account = known ?? linkable?.account;
  if (account === undefined) return undefined;
  await requireAdmitted(deps, account);
  const byRule = linkable?.rule === 'domain' ? 'domain' : 'provisioned';
  return { outcome: linkable === undefined ? 'known' : byRule, userId: account.user.id };
}
