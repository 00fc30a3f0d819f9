import { claimsText, joinObjects } from './claims-text.js';
import type { LiveToken } from './read-live-token.js';
import type { SubjectDeps } from './subject.js';

/** What userinfo answers to a token, as JSON text (OpenID Connect Core section 5.3.2). */
export async function userinfoText(
  deps: SubjectDeps,
  { claims, subject, clientOrgId, groupsClaim, projectId }: LiveToken,
): Promise<string> {
  const text = await claimsText(deps, subject, {
    scope: claims.scope,
    claims: claims.claims,
    clientOrgId,
    groupsClaim,
    projectId,
    audience: claims.audience,
  });
  return joinObjects(JSON.stringify({ sub: claims.sub }), text);
}
