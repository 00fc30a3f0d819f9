import { nameAtProvider } from '#src/connections/identities/index.js';
import type { Connection } from '#src/connections/registry/index.js';
import { type PendingLink, readPendingLink } from '#src/connections/sign-in/index.js';
import { allowedFirstFactors, type Organization } from '#src/directory/index.js';
import { organizationStands } from '#src/organizations/index.js';
import { signInAgain } from '../http/begun-sign-in.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

type Deps = Pick<LoginNeeds, 'caches' | 'clock' | 'config' | 'pendingLinks' | 'sessions'>;

/** An identity that waits at this browser for the account of its person. */
export interface Linking {
  /** The visit as that of the organization of the connection, whose people alone can have the account. */
  readonly visit: Visit;
  readonly secret: string;
  readonly pending: PendingLink;
  readonly connection: Connection;
  readonly organization: Organization;
  /** What the person knows the account at the provider by. It is the text of a stranger, or ''. */
  readonly who: string;
}

/**
 * Reads the identity that a visit names. Only the browser that came back from the provider has it, for the same request.
 * @throws GoesOn to the login page if there is none, it is too old, or the connection no longer links by its people
 */
export async function requireLinkingOf(deps: Deps, visit: Visit, secret: string): Promise<Linking> {
  const found = await readPendingLink(deps, secret);
  const { flow, agent } = visit;
  const isOwn =
    found !== undefined &&
    found.pending.flow === flow &&
    (await deps.sessions.isSameAgent(agent.hash, found.pending.agentHash));
  if (!isOwn) throw signInAgain(deps, visit);
  const { pending, connection } = found;
  const organization = await deps.caches.organizations.get(pending.orgId);
  if (organization === undefined || !(await organizationStands(deps, pending.orgId)))
    throw signInAgain(deps, visit);
  const who = nameAtProvider(pending.proved.claims);
  const theirs = { ...visit, organization, onlyOrgId: organization.id };
  return { visit: theirs, secret, pending, connection, organization, who };
}

/** What people of the organization may prove an account with. A sign-in at another provider proves none. */
export function proofsOfAccount(
  { clock }: Pick<Deps, 'clock'>,
  { signInPolicy }: Pick<Organization, 'signInPolicy'>,
): { readonly password: boolean; readonly passkey: boolean } {
  const allowed = allowedFirstFactors(signInPolicy, clock.now());
  return { password: allowed.includes('password'), passkey: allowed.includes('passkey') };
}
