import { hasRoleOutside, policyFor } from '#src/access/memberships/index.js';
import type { Account, AccountsStore } from '#src/accounts/index.js';
import type { IdentityLinksStore } from '#src/accounts/person-lists/index.js';
import type { Event, EventType } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import {
  directoryErrors,
  type Organization,
  receivesMail,
  type SignInPolicy,
  type User,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { codeSubject, loginNamesOf, passwordSubject } from './attempt-subjects.js';
import type { LoginAttempts } from './login-attempts.store.js';
import { demandFacts, type SignInRulesDeps, signInRules } from './proofs/index.js';
import { refusedChecks } from './record-check.js';
import {
  alwaysMeaning,
  type LinkedConnection,
  obstaclesOf,
  type RefusedSignIn,
  refusalFacts,
  type SignInLock,
  type SignInState,
  stepsOf,
} from './sign-in-state.js';
import { type UnmetRule, unmetRules } from './unmet-rules.js';

interface ReadSignInStateDeps extends Omit<SignInRulesDeps, 'caches' | 'config'> {
  readonly caches: SignInRulesDeps['caches'] & {
    /** All connections of an organization. */
    readonly connections: Pick<Cache<readonly LinkedConnection[]>, 'get'>;
  };
  readonly identityLinks: Pick<IdentityLinksStore, 'findMany'>;
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly loginAttempts: Pick<LoginAttempts, 'standing'>;
  readonly codeAttempts: Pick<LoginAttempts, 'standing'>;
  readonly events: Pick<EventsStore, 'search'>;
  readonly config: SignInRulesDeps['config'] & { readonly loginMaxFailures: number };
}

/** Refused sign-ins that are told. */
const mostRefused = 20;
/** Sign-ins before that time are not told. */
const toldMs = 30 * 24 * 3600 * 1000;

const reasons = {
  'user.human.password.check.failed': 'password',
  'user.human.mfa.otp.check.failed': 'code',
  'user.human.mfa.mail.check.failed': 'code',
  'user.human.passkey.check.failed': 'passkey',
  'user.locked': 'lock',
} as const satisfies Partial<Record<EventType, string>>;

type Refusal = keyof typeof reasons;

/**
 * Returns what a sign-in of the user meets at present: what prevents it, what it asks for, and how the recent ones went. It
 * counts as no attempt.
 * @throws AppError `directory.userNotFound`
 */
export async function readSignInState(
  deps: ReadSignInStateDeps,
  { orgId, id }: { orgId: string; id: string },
): Promise<SignInState> {
  const account = await deps.accounts.find(orgId, id);
  if (account === undefined) throw new AppError(directoryErrors.userNotFound);
  const { user, password, totp } = account;
  const organization = await deps.caches.organizations.get(orgId);
  const connections = await linkedConnections(deps, user);
  // Connections sign in nobody with a role outside of the organization.
  const isOutside = connections.length > 0 && (await hasRoleOutside(deps.caches, user));
  const serving = isOutside ? [] : connections;
  const policy = await policyFor(deps.caches, user);
  const [locks, refused, accepted, rules, unmet] = await Promise.all([
    locksOf(deps, user, organization),
    recent(deps, user, { types: Object.keys(reasons) as Refusal[], limit: mostRefused }),
    recent(deps, user, { types: ['user.human.password.check.succeeded'], limit: 1 }),
    signInRules(deps, { userId: id, orgId }),
    unmetOf(deps, account, { policy, connections: serving }),
  ]);
  const known = { account, rules, locks, connections: serving };
  return {
    user,
    ...(password && {
      password: { changed: password.changed, changeRequired: password.changeRequired === true },
    }),
    ...(totp && { secondFactor: { enrolled: totp.enrolled } }),
    connections,
    locks,
    obstacles: obstaclesOf(known),
    steps: stepsOf(known),
    unmetRules: unmet,
    loginNames: alwaysMeaning(user, organization),
    refused: refused.map(readRefusal),
    ...(accepted[0] && { lastAccepted: accepted[0].creationDate }),
  };
}

/** The rules of the policy that the person cannot meet. Without a policy, nothing is looked up. */
async function unmetOf(
  deps: ReadSignInStateDeps,
  { user, password, totp, passkeys }: Account,
  { policy, connections }: { policy: SignInPolicy | undefined; connections: readonly LinkedConnection[] },
): Promise<UnmetRule[]> {
  if (policy === undefined) return [];
  const { id: userId, orgId } = user;
  const facts = await demandFacts(deps, policy, { userId, orgId });
  const owned = {
    password: password !== undefined,
    totp: totp !== undefined,
    passkey: passkeys !== undefined,
    connection: connections.some(({ enabled }) => enabled),
    mail: receivesMail(user),
  };
  return unmetRules(policy, { facts, owned, now: deps.clock.now() });
}

/** Returns the connections with which the user is linked. A link that waits for one, or whose connection is gone, names none. */
async function linkedConnections(
  { identityLinks, caches }: ReadSignInStateDeps,
  { orgId, id: userId }: User,
): Promise<LinkedConnection[]> {
  const [list] = await identityLinks.findMany(orgId, [userId]);
  const linked = new Set(Object.values(list?.items ?? {}).map(({ connectionId }) => connectionId));
  if (linked.size === 0) return [];
  const known = await caches.connections.get(orgId);
  return known.filter(({ id }) => linked.has(id)).map(({ id, name, enabled }) => ({ id, name, enabled }));
}

/** Events of earlier versions say neither why nor from where. */
function readRefusal({ creationDate: time, type, payload }: Event): RefusedSignIn {
  const from = Object.fromEntries(
    refusalFacts.flatMap((name) => (typeof payload[name] === 'string' ? [[name, payload[name]]] : [])),
  );
  const why = refusedChecks.find((one) => one === payload['reason']);
  return { time, reason: reasons[type as Refusal], ...(why && { why }), ...from };
}

/** Returns the locks of the account first, then those of its login names, and those of its second factor. */
async function locksOf(
  { loginAttempts, codeAttempts, clock, config }: ReadSignInStateDeps,
  user: User,
  organization: Organization | undefined,
): Promise<SignInLock[]> {
  const limit = config.loginMaxFailures;
  const lockOf = async (
    of: Pick<SignInLock, 'of' | 'loginName'>,
    subject: string,
  ): Promise<SignInLock | undefined> => {
    const counter = of.of === 'code' ? codeAttempts : loginAttempts;
    const { failures, lockedMs } = await counter.standing(subject, limit);
    if (lockedMs === 0) return undefined;
    return { ...of, failures, until: new Date(clock.now().getTime() + lockedMs) };
  };
  const found = await Promise.all([
    lockOf({ of: 'password' }, passwordSubject(user.id)),
    ...[...loginNamesOf(user, organization)].map(([subject, loginName]) =>
      lockOf({ of: 'loginName', loginName }, subject),
    ),
    lockOf({ of: 'code' }, codeSubject(user.id)),
  ]);
  return found.filter((lock) => lock !== undefined);
}

function recent(
  { events, clock }: ReadSignInStateDeps,
  { id: aggregateId, orgId: resourceOwner }: User,
  { types: eventTypes, limit }: { types: readonly EventType[]; limit: number },
) {
  const since = new Date(clock.now().getTime() - toldMs);
  return events.search({ aggregateId, resourceOwner, eventTypes, since, limit, ascending: false });
}
