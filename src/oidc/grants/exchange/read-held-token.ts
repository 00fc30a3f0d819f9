import { splitScope } from '#src/authorization/scope.js';
import { isForScimAlone } from '#src/clients/service-users/index.js';
import type { Client } from '../../clients/client.js';
import { acceptsToken, audienceIdsOf } from '../../clients/client-audience.js';
import { type LiveTokenDeps, readLiveToken } from '../../issuance/read-live-token.js';
import type { RefusedProjectDeps } from '../../issuance/refused-project.js';
import { OAuthError } from '../../protocol/oauth-error.js';
import type { HeldToken } from './held-token.js';
import { type ReadIdTokenDeps, readLiveIdToken } from './read-live-id-token.js';
import { type ActorTokenType, tokenTypes } from './token-types.js';

export type HeldTokenDeps = LiveTokenDeps & ReadIdTokenDeps & RefusedProjectDeps;

/**
 * Reads an access token or an ID token that a client shows for exchange. The audience must contain the client
 * or this service. Otherwise a resource server could exchange any token that it receives.
 * @throws OAuthError `invalid_request` (RFC 8693 section 2.2.2) without saying why
 */
export async function readHeldToken(
  deps: HeldTokenDeps,
  client: Client,
  { token, type }: { token: string; type: ActorTokenType },
): Promise<HeldToken> {
  const held =
    type === tokenTypes.accessToken
      ? await fromAccessToken(deps, client, token)
      : await fromIdToken(deps, token);
  if (held === undefined) throw unusable();
  const mine = [...audienceIdsOf(client), deps.config.baseUrl];
  if (!mine.some((id) => held.audience.includes(id))) throw unusable();
  return held;
}

async function fromAccessToken(
  deps: HeldTokenDeps,
  client: Client,
  token: string,
): Promise<HeldToken | undefined> {
  // The exchanged token could have fewer scopes, and so permit more than SCIM.
  const live = await readLiveToken(deps, token, ({ scope }) => !isForScimAlone(scope));
  if (live === undefined) return undefined;
  const { claims, subject, clientOrgId } = live;
  if (!(await acceptsToken(deps, client, { audience: claims.audience, clientOrgId }))) return undefined;
  const { jti, sub, family, session, issuedAt, origins = [] } = claims;
  const authTime = claims.authTime === undefined ? undefined : new Date(claims.authTime * 1000);
  return {
    subject,
    audience: claims.audience,
    scopes: splitScope(claims.scope),
    act: claims.act,
    familyId: family,
    sessionId: session,
    ...(claims.act === undefined ? { authTime } : { actorAuthTime: authTime }),
    origins: [
      ...origins,
      {
        jti,
        sub,
        issuedAt,
        ...(family !== undefined && { family }),
        ...(session !== undefined && { session }),
        ...(origins.length > 0 && { exchanged: true }),
      },
    ],
    expiresAt: claims.expiresAt,
  };
}

/** An ID token proves the scope that it took to get it, `openid`, for its client. */
async function fromIdToken(deps: HeldTokenDeps, token: string): Promise<HeldToken | undefined> {
  const live = await readLiveIdToken(deps, token);
  return live && { ...live, scopes: new Set(['openid']) };
}

function unusable(): OAuthError {
  return new OAuthError(
    'invalid_request',
    'A token of the request is invalid, expired or not for this client',
  );
}
