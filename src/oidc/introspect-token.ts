import { type Client, clientOrgId } from './clients/client.js';
import { isInAudience } from './clients/client-audience.js';
import { type LiveTokenDeps, readLiveToken } from './tokens/read-live-token.js';
import { claimsOf } from './tokens/subject.js';

/** What an introspecting client learns (RFC 7662 section 2.2). */
export type Introspection = { readonly active: false } | Readonly<{ active: true } & Record<string, unknown>>;

/**
 * Tells a client of its audience what an access token says and what its scopes tell of the user. Whatever is wrong,
 * the answer is the same: it is not active.
 */
export async function introspectToken(
  deps: LiveTokenDeps & { readonly config: { readonly baseUrl: string } },
  { token, client }: { token: string; client: Client },
): Promise<Introspection> {
  const live = await readLiveToken(deps, token, ({ audience }) => isInAudience(client, audience));
  if (live === undefined) return { active: false };
  const { claims, subject } = live;
  const issuedAt = Math.floor(claims.issuedAt);
  return {
    // First, so that no claim of a user takes the place of one of the token.
    ...(await claimsOf(deps, subject, { scope: claims.scope, clientOrgId: clientOrgId(client) })),
    active: true,
    scope: claims.scope,
    client_id: claims.clientId,
    username: subject.user.userName,
    token_type: 'Bearer',
    exp: claims.expiresAt,
    iat: issuedAt,
    nbf: issuedAt,
    sub: claims.sub,
    aud: [...claims.audience],
    iss: deps.config.baseUrl,
    jti: claims.jti,
    ...(claims.act !== undefined && { act: claims.act }),
  };
}
