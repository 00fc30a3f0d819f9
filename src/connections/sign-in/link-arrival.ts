import type { Account } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import type { Organization } from '#src/directory/index.js';
import { newSecret } from '#src/platform/ids.js';
import { readableClaims } from '../identities/claims-to-profile.js';
import { type FindPersonDeps, findOrAddPerson, linkProvedPerson } from '../identities/find-person.js';
import type { Connection } from '../registry/connection.js';
import { signInRefusalOf } from './finish-at-provider.js';
import type { PendingLink, PendingLinksStore } from './pending-links.store.js';
import type { SignInRefusal } from './record-refusal.js';
import { type ServingDeps, servingConnection } from './serving-connection.js';

/**
 * Whether the person of a refused sign-in may prove an account here instead. It depends on the connection alone, so that the page after it
 * tells nothing about who exists.
 */
export function mayProveAccount(
  { linking }: Pick<Connection, 'linking'>,
  { reason }: Pick<SignInRefusal, 'reason'>,
): boolean {
  return linking.byPerson && (reason === 'unknownPerson' || reason === 'ambiguous');
}

/**
 * Keeps an identity until its person has proved an account.
 * @returns the secret by which the browser names it
 * @throws AppError `connections.signInsFull`
 */
export async function keepPendingLink(
  { pendingLinks }: { readonly pendingLinks: Pick<PendingLinksStore, 'put'> },
  connection: Connection,
  arrival: Omit<PendingLink, 'orgId' | 'connectionId'>,
): Promise<string> {
  const { id: connectionId, orgId } = connection;
  const { claims, ...person } = arrival.proved;
  const proved = { ...person, claims: readableClaims(connection, claims) };
  const secret = newSecret();
  await pendingLinks.put(secret, { ...arrival, orgId, connectionId, proved });
  return secret;
}

/** The identity of a pending link and its connection, if that still serves and lets people prove accounts. */
export async function readPendingLink(
  deps: { readonly pendingLinks: Pick<PendingLinksStore, 'find'>; readonly caches: ServingDeps['caches'] },
  secret: string,
): Promise<{ readonly pending: PendingLink; readonly connection: Connection } | undefined> {
  const pending = await deps.pendingLinks.find(secret);
  if (pending === undefined) return undefined;
  const { orgId, connectionId, created: since } = pending;
  const connection = await servingConnection(deps, { orgId, connectionId, since });
  return connection?.linking.byPerson === true ? { pending, connection } : undefined;
}

/**
 * Links an identity to a person who has proved the account and the identity at this browser. A person who has the identity already keeps it.
 * @returns why it was not linked
 */
export async function linkByPerson(
  deps: FindPersonDeps,
  link: { connection: Connection; subject: string; account: Account; editor: Editor },
): Promise<SignInRefusal | undefined> {
  try {
    await linkProvedPerson(deps, link);
    return undefined;
  } catch (error) {
    return signInRefusalOf(error);
  }
}

/** Adds the person of a pending link, who says to have no account here. @returns why nobody was added */
export async function addPendingPerson(
  deps: FindPersonDeps,
  arrival: { connection: Connection; organization: Organization; proved: PendingLink['proved'] },
): Promise<Account | SignInRefusal> {
  try {
    return await findOrAddPerson(deps, arrival);
  } catch (error) {
    return signInRefusalOf(error);
  }
}
