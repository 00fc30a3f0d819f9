import type { AccountsStore } from '#src/accounts/index.js';
import { nextFactor, type SignInRules, signInRules } from '#src/authentication/proofs/index.js';
import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import { signInDemands } from '#src/authorization/sign-in-demands.js';
import type { Organization } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Session } from '#src/sessions/session.js';
import type { Asking, ChosenSession } from './choose-session.js';
import { RedirectedError } from './request/errors.js';

export interface RulesDeps {
  readonly caches: { readonly organizations: Pick<Cache<Organization | undefined>, 'get'> };
}

export interface SettleDeps extends RulesDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly clock: Clock;
}

/** Returns the rules of the organizations of sessions, by organization. They come from the cache. */
export async function rulesOfSessions(
  { caches }: RulesDeps,
  sessions: readonly Session[],
): Promise<(orgId: string) => SignInRules> {
  const ids = [...new Set(sessions.map(({ orgId }) => orgId))];
  const organizations = await Promise.all(ids.map((id) => caches.organizations.get(id)));
  const rules = new Map(ids.map((id, index) => [id, signInRules(organizations[index])]));
  return (orgId) => rules.get(orgId) ?? {};
}

/**
 * Decides about a session that lacks a proof: it answers nevertheless if the request only prefers more than the person can prove, or a
 * page asks for the missing proof alone.
 * @throws RedirectedError `unmet_authentication_requirements` if the person proved something since the request arrived, and can prove no
 * more (OpenID Connect Core Error Code unmet_authentication_requirements 1.0); `access_denied` if it is the organization that demands more
 */
export async function settleSession(
  deps: SettleDeps,
  request: AuthorizationRequest,
  { session, proofs }: ChosenSession,
): Promise<ChosenSession | Asking> {
  const { orgId, userId, authTime, proved = authTime } = session;
  const [account, organization] = await Promise.all([
    deps.accounts.find(orgId, userId),
    deps.caches.organizations.get(orgId),
  ]);
  if (account === undefined) return { ask: 'login' };
  const demands = signInDemands(request, deps.clock.now());
  const next = nextFactor(signInRules(organization), account, proofs, demands);
  if (next.kind === 'done') return { session, proofs };
  // If no proof counts, the person signs in as if without a session.
  if (next.kind === 'page') return { ask: next.page, ...(proofs.length > 0 && { of: session }) };
  // Another person may sign in who can prove more.
  if (proved < request.created) return { ask: 'login' };
  if (next.by === 'organization')
    throw new RedirectedError('access_denied', 'The organization demands another proof of the person');
  throw new RedirectedError(
    'unmet_authentication_requirements',
    'The sign-in does not reach the essential acr',
  );
}
