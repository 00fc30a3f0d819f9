import type { Account } from '#src/accounts/index.js';
import { type CheckOrigin, isPasswordLocked } from '#src/authentication/index.js';
import type { Proof } from '#src/authentication/proofs/index.js';
import { applyClaims } from '#src/connections/identities/index.js';
import {
  admitPerson,
  type FinishDeps,
  type FinishedSignIn,
  keepLogoutHint,
  keyOfNameId,
  type SignInRefusal,
} from '#src/connections/sign-in/index.js';
import { organizationStands } from '#src/organizations/index.js';
import { userEvent } from '#src/people/users/index.js';
import type { PastSignIns } from '#src/sessions/sessions.js';
import type { LoginNeeds } from '../needs/needs.js';

/** What the way back from a provider uses. */
export type ArrivalDeps = FinishDeps &
  Parameters<typeof applyClaims>[0] &
  Pick<
    LoginNeeds,
    | 'caches'
    | 'config'
    | 'countConnectionSignIn'
    | 'lastClaims'
    | 'logoutHints'
    | 'loginAttempts'
    | 'providerSessions'
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
    pastSignIns,
    arrival: { connection, proved, proof, waiting },
  }: {
    origin: CheckOrigin;
    /** The sign-ins at the browser. */
    pastSignIns: PastSignIns;
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
  const isKnownBrowser = pastSignIns.has(user.id);
  if (!isKnownBrowser && (await isPasswordLocked(deps, user.id)))
    return { reason: 'locked', detail: '', userId: user.id };
  const isNew = user.created >= waiting.created;
  const { subject, claims, nameId } = proved;
  const account = await welcome(deps, {
    ...{ account: admitted, organization, connection, isNew, origin, subject, claims, nameId, proof },
  });
  const kept = await keepLogoutHint(deps, { connection, userId: user.id, proved, proof });
  return { account, proofs: [kept], isKnownBrowser };
}

/** Gives the person what the claims say, and records the sign-in by the connection. @returns the account as it is then */
export async function welcome(
  deps: ArrivalDeps,
  {
    account,
    connection,
    origin,
    proof,
    nameId,
    ...arrived
  }: Pick<Parameters<typeof applyClaims>[1], 'organization' | 'connection' | 'claims' | 'isNew'> & {
    account: Account;
    /** The person at the provider. */
    subject: string;
    /** The name identifier of SAML. */
    nameId?: string | undefined;
    origin: CheckOrigin;
    proof: Proof;
  },
): Promise<Account> {
  const { user } = account;
  // So that a logout there, which may name its session alone, finds the person.
  const sid = nameId === undefined ? proof.kind === 'connection' && proof.sid : keyOfNameId(nameId);
  const { subject, claims } = arrived;
  // One message to Redis.
  await Promise.all([
    sid && deps.providerSessions.put({ connectionId: connection.id, sid, userId: user.id }),
    deps.lastClaims.put(connection.id, { subject, claims, time: deps.clock.now() }),
  ]);
  const { isChanged, leftOut } = await applyClaims(deps, { ...arrived, connection, user });
  await recordArrival(deps, { user, connection, origin, leftOut });
  deps.countConnectionSignIn();
  return isChanged ? ((await deps.accounts.find(user.orgId, user.id)) ?? account) : account;
}

/** The user does not change, so its version stays. `leftOut` tells the owner of claims that the provider did not send, such as too many groups. */
async function recordArrival(
  { events, clock, secretUses }: ArrivalDeps,
  {
    user,
    connection: { id: connectionId, orgId, name },
    origin: { address, userAgent, clientId },
    leftOut,
  }: {
    user: Account['user'];
    connection: { id: string; orgId: string; name: string };
    origin: CheckOrigin;
    leftOut: readonly string[];
  },
): Promise<void> {
  const payload = {
    ...{ connectionId, connection: name, address },
    ...(leftOut.length > 0 && { leftOut }),
    ...(userAgent !== undefined && { userAgent }),
    ...(clientId !== undefined && { clientId }),
  };
  const at = { ...user, lastModified: clock.now() };
  const editor = { userId: user.id, service: 'login' };
  await events.record(userEvent('user.human.connection.check.succeeded', at, editor, payload));
  secretUses.note({ orgId, secretId: connectionId });
}
