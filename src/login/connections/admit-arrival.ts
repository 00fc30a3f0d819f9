import type { Account } from '#src/accounts/index.js';
import { type CheckOrigin, isPasswordLocked } from '#src/authentication/index.js';
import type { Proof } from '#src/authentication/proofs/index.js';
import {
  admitPerson,
  type FinishDeps,
  type FinishedSignIn,
  type SignInRefusal,
} from '#src/connections/sign-in/index.js';
import { organizationStands } from '#src/organizations/index.js';
import { userEvent } from '#src/people/users/index.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** What the way back from a provider uses. */
export type ArrivalDeps = FinishDeps &
  Pick<
    LoginNeeds,
    | 'caches'
    | 'config'
    | 'countConnectionSignIn'
    | 'loginAttempts'
    | 'recordRefusal'
    | 'secretUses'
    | 'sessions'
  >;

interface Admitted {
  readonly account: Account;
  readonly proofs: readonly Proof[];
  readonly isKnownBrowser: boolean;
}

/**
 * Finds the person whom a provider confirmed, and says what that proves. A person with too many wrong passwords is refused at browsers that
 * the person does not use: as with passwords, failures elsewhere do not lock those.
 * @returns why the person may not sign in, or the proof
 */
export async function admitArrival(
  deps: ArrivalDeps,
  {
    origin,
    visit,
    arrival: { connection, proved, proof },
  }: {
    origin: CheckOrigin;
    visit: Visit;
    arrival: Extract<FinishedSignIn, { kind: 'proved' }>;
  },
): Promise<Admitted | SignInRefusal> {
  const { orgId } = connection;
  const organization = await deps.caches.organizations.get(orgId);
  if (organization === undefined || !(await organizationStands(deps, orgId)))
    return { reason: 'connectionOff', detail: '' };
  const admitted = await admitPerson(deps, { organization, connection, proved });
  if ('reason' in admitted) return admitted;
  const { user } = admitted;
  const isKnownBrowser = (await deps.sessions.pastSignIns(visit.agent.hash)).has(user.id);
  if (!isKnownBrowser && (await isPasswordLocked(deps, user.id)))
    return { reason: 'locked', detail: '', userId: user.id };
  await recordSignIn(deps, { user, connection, origin });
  deps.countConnectionSignIn();
  return { account: admitted, proofs: [proof], isKnownBrowser };
}

/** The user does not change, so its version stays. */
async function recordSignIn(
  { events, clock, secretUses }: ArrivalDeps,
  {
    user,
    connection: { id: connectionId, orgId, name },
    origin: { address, userAgent, clientId },
  }: {
    user: Account['user'];
    connection: { id: string; orgId: string; name: string };
    origin: CheckOrigin;
  },
): Promise<void> {
  const payload = {
    ...{ connectionId, connection: name, address },
    ...(userAgent !== undefined && { userAgent }),
    ...(clientId !== undefined && { clientId }),
  };
  const at = { ...user, lastModified: clock.now() };
  const editor = { userId: user.id, service: 'login' };
  await events.record(userEvent('user.human.connection.check.succeeded', at, editor, payload));
  secretUses.note({ orgId, secretId: connectionId });
}
