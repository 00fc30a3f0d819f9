import { type SignInRulesDeps, signInRefusedBy } from '#src/authentication/proofs/index.js';
import type { Acr } from '#src/directory/index.js';
import type { Sessions } from '#src/sessions/sessions.js';
import type { TokenOrigin } from '#src/tokens/access-token-claims.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import { findById, type ImpersonationDeps } from './may-impersonate.js';
import type { Subject } from './subject.js';

export type SignInsBehindDeps = SignInRulesDeps &
  ImpersonationDeps & {
    readonly sessions: Pick<Sessions, 'find'>;
    readonly refreshTokens: Pick<RefreshTokens, 'findById'>;
  };

/** Tokens for which others were exchanged. */
interface TokensBehind {
  /** The tokens, and every token that they came of. */
  readonly origins: readonly TokenOrigin[];
  /** The user of the issued token, who was found already. */
  readonly subject: Subject;
  /** The methods of the sign-in of the user, if a token told them. They count if the session and the refresh token are gone. */
  readonly amr?: readonly string[] | undefined;
}

/**
 * Returns who demands more than a sign-in behind exchanged tokens is: the organization of its person, or the application. Undefined if each is
 * enough. What a session or a refresh token proved counts as far as the policy of this moment allows it. A user whom an actor only names did not
 * sign in, and a service user never does. Neither is weighed. Organizations and applications without demands cost no look-up.
 * @param least the level that the application demands
 */
export async function signInsRefusedBy(
  deps: SignInsBehindDeps,
  { origins, subject, amr = [] }: TokensBehind,
  least: Acr | undefined,
): Promise<ReturnType<typeof signInRefusedBy>> {
  for (const origin of origins) {
    if (origin.exchanged === true) continue;
    const isOfSubject = origin.sub === subject.user.id;
    const signedIn = isOfSubject ? subject : await findById(deps, origin.sub);
    if (signedIn?.kind !== 'person') continue;
    const { id: userId, orgId } = signedIn.user;
    const policy = (await deps.caches.organizations.get(orgId))?.signInPolicy;
    if (policy === undefined && least === undefined) continue;
    const found = await signInOf(deps, origin);
    if (found === 'exchanged') continue;
    const signIn = found ?? { amr: isOfSubject ? amr : [] };
    const refusing = await signInRefusedBy(deps, { userId, orgId, ...signIn }, least);
    if (refusing !== undefined) return refusing;
  }
  return undefined;
}

type SignIn = Pick<Parameters<typeof signInRefusedBy>[1], 'amr' | 'policyAcr' | 'proofs'>;

/** The sign-in of one token. `exchanged`: it began no sign-in, and the token that it came of is another origin. Tokens of an earlier version do not say so themselves. */
async function signInOf(
  { sessions, refreshTokens }: SignInsBehindDeps,
  { sub, session, family }: TokenOrigin,
): Promise<SignIn | 'exchanged' | undefined> {
  const live = session === undefined ? undefined : await sessions.find(sub, session);
  if (live !== undefined) return { amr: [], proofs: live.proofs };
  const begun = family === undefined ? undefined : await refreshTokens.findById(family);
  return begun?.origins === undefined ? begun : 'exchanged';
}
