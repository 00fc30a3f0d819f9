import { isEnough, type SignInRulesDeps, signInRules } from '#src/authentication/proofs/index.js';
import type { Session } from '#src/sessions/session.js';
import { demandsOf } from '../http/begun-sign-in.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

type Deps = SignInRulesDeps & Pick<LoginNeeds, 'clock'>;

/**
 * Says why a person who has signed in at this browser sees the login page again. The application may ask for a new sign-in, for a recent one or for
 * a stronger one. Or the organization no longer accepts the former one. Undefined if no reason is certain.
 * @param sessions those at this browser
 */
export async function whyAgain(
  deps: Deps,
  visit: Visit,
  sessions: readonly Session[],
): Promise<string | undefined> {
  const { waiting, application, organization, texts: t } = visit;
  if (waiting === undefined || application === undefined) return undefined;
  const isAnew = waiting.prompts.includes('login');
  const { maxAge, claims: { acrs } = {} } = waiting;
  const hasPolicy = organization?.signInPolicy !== undefined;
  const isPlain = maxAge === undefined && acrs === undefined && application.acr === undefined;
  if (!isAnew && !hasPolicy && isPlain) return undefined;
  if (sessions.length === 0) return undefined;
  const { name } = application;
  if (isAnew) return t.again.anew(name);
  const since = deps.clock.now().getTime() - (maxAge ?? Number.POSITIVE_INFINITY) * 1000;
  if (sessions.every(({ authTime }) => authTime.getTime() < since)) return t.again.old(name);
  const seen = await Promise.all(
    sessions.map(async (session) => {
      const rules = await signInRules(deps, session);
      const { essential, least } = demandsOf(deps, visit);
      return {
        isAllowed: isEnough(rules, session.proofs, {}),
        isStrong: isEnough(rules, session.proofs, { essential, least }),
      };
    }),
  );
  if (!seen.some(({ isAllowed }) => isAllowed)) return t.again.notAccepted;
  return seen.some(({ isStrong }) => isStrong) ? undefined : t.again.stronger(name);
}
