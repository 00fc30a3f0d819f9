import type { AccountsStore } from '#src/accounts/index.js';
import {
  nextFactor,
  type SignInRules,
  type SignInRulesDeps,
  signInRules,
} from '#src/authentication/proofs/index.js';
import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import { signInDemands } from '#src/authorization/sign-in-demands.js';
import type { Application } from '#src/clients/applications/index.js';
import type { Session } from '#src/sessions/session.js';
import type { Asking, ChosenSession } from './choose-session.js';
import { RedirectedError } from './request/errors.js';

export interface SettleDeps extends SignInRulesDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
}

/** Returns the rules for the people of sessions. */
export async function rulesOfSessions(
  deps: SignInRulesDeps,
  sessions: readonly Session[],
): Promise<(session: Session) => SignInRules> {
  const all = await Promise.all(sessions.map((session) => signInRules(deps, session)));
  const rules = new Map(sessions.map(({ userId }, index) => [userId, all[index]]));
  return ({ userId }) => rules.get(userId) ?? {};
}

/**
 * Decides about a session that lacks a proof. If the request only prefers more than the person can prove, the session answers
 * nevertheless. Otherwise a page asks for the missing proof alone.
 * @throws RedirectedError if the person proved something since the request arrived, and can prove no more. The error is `access_denied`
 * if the organization demands more. If the application does, it is `unmet_authentication_requirements` (OpenID Connect Core Error Code
 * unmet_authentication_requirements 1.0)
 */
export async function settleSession(
  deps: SettleDeps,
  { request, application }: { request: AuthorizationRequest; application: Pick<Application, 'acr'> },
  { session, proofs }: ChosenSession,
): Promise<ChosenSession | Asking> {
  const { orgId, userId, authTime, proved = authTime } = session;
  const [account, rules] = await Promise.all([deps.accounts.find(orgId, userId), signInRules(deps, session)]);
  if (account === undefined) return { ask: 'login' };
  const demands = signInDemands(request, { now: deps.clock.now(), application });
  const next = nextFactor(rules, account, proofs, demands);
  if (next.kind === 'done') return { session, proofs };
  // If no proof counts, the person signs in as if without a session.
  if (next.kind === 'page') return { ask: next.page, ...(proofs.length > 0 && { of: session }) };
  // Another person may sign in who can prove more.
  if (proved < request.created) return { ask: 'login' };
  if (next.by === 'organization')
    throw new RedirectedError('access_denied', 'The organization demands another proof of the person');
  throw new RedirectedError(
    'unmet_authentication_requirements',
    'The sign-in does not reach the level that the application demands',
  );
}
