import type { RequestedClaims } from '#src/authorization/requested-claims.js';
import type { AlgorithmChoice } from '#src/keys/known-algorithms.js';
import { preciseSeconds, unixSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { AccessTokens } from '#src/tokens/access-token.js';
import type { Actor, TokenOrigin } from '#src/tokens/access-token-claims.js';
import type { GroupsClaim } from './group-claims.js';
import { type IdTokenDeps, issueIdToken } from './id-token.js';
import { claimsOf, type Subject, type SubjectDeps } from './subject.js';
import type { UserClaims } from './user-claims.js';

export interface MakeTokensDeps extends SubjectDeps, IdTokenDeps {
  readonly accessTokens: AccessTokens;
  readonly config: IdTokenDeps['config'] & {
    readonly accessTokenSeconds: number;
    readonly serviceUserTokenSeconds: number;
  };
}

/** The tokens to make, and their content. */
export interface TokenOrder {
  readonly subject: Subject;
  readonly clientId: string;
  /** The organization of the client. */
  readonly clientOrgId: string;
  readonly audience: readonly string[];
  /** Space-delimited. */
  readonly scope: string;
  /** Single claims that the application asked for. */
  readonly claims?: RequestedClaims | undefined;
  /** The form of the access token. Without it, no access token is made. */
  readonly accessToken?: 'opaque' | 'jwt';
  readonly idToken: boolean;
  /** The algorithm that signs the ID token. By default, the configured one signs. */
  readonly idTokenAlgorithm?: AlgorithmChoice | undefined;
  /** Whether the claims of the scopes are in the ID token even when an access token is issued. */
  readonly claimsInIdToken: boolean;
  /** What the claim `groups` has. */
  readonly groupsClaim?: GroupsClaim | undefined;
  /** The project of the client. */
  readonly projectId?: string | undefined;
  readonly familyId?: string | undefined;
  /** The session with which the access token ends. */
  readonly sessionId?: string | undefined;
  /**
   * The session that the ID token names, if it differs from `sessionId` or the access token belongs to none.
   */
  readonly sid?: string | undefined;
  readonly nonce?: string | undefined;
  readonly authTime?: Date | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly act?: Actor | undefined;
  /** When the actor authenticated. Only the access token says it. */
  readonly actorAuthTime?: Date | undefined;
  /** All tokens from which they are exchanged. They end with each of them. */
  readonly origins?: readonly TokenOrigin[] | undefined;
  readonly code?: string | undefined;
  /** The latest expiry of all tokens, in seconds since 1970. */
  readonly notAfter?: number | undefined;
}

export interface MadeTokens {
  readonly accessToken?: string;
  readonly idToken?: string;
  /** The life of the access token in seconds, or of the ID token when there is no access token. */
  readonly expiresIn: number;
}

/** Makes an access token and an ID token. It writes nothing. */
export async function makeTokens(deps: MakeTokensDeps, order: TokenOrder): Promise<MadeTokens> {
  const { accessToken, lifetime } = await makeAccessToken(deps, order);
  if (!order.idToken) return { ...(accessToken !== undefined && { accessToken }), expiresIn: lifetime };
  const { subject, clientId, clientOrgId, nonce, authTime, amr, act, origins, code, notAfter } = order;
  const idToken = await issueIdToken(deps, {
    sub: subject.user.id,
    clientId,
    clientOrgId,
    algorithm: order.idTokenAlgorithm,
    claims: await idTokenClaims(deps, order),
    nonce,
    authTime,
    amr,
    acrs: order.claims?.acrs,
    sessionId: order.sid ?? order.sessionId,
    act,
    origins,
    accessToken,
    code,
    notAfter,
  });
  return { ...(accessToken !== undefined && { accessToken }), idToken, expiresIn: lifetime };
}

async function makeAccessToken(
  { accessTokens, clock, config }: MakeTokensDeps,
  order: TokenOrder,
): Promise<{ accessToken?: string; lifetime: number }> {
  const now = clock.now();
  const issuedAt = unixSeconds(now);
  const limit = order.notAfter ?? Number.POSITIVE_INFINITY;
  const expiresAt = (seconds: number) => Math.min(issuedAt + seconds, limit);
  if (order.accessToken === undefined) return { lifetime: expiresAt(config.idTokenSeconds) - issuedAt };
  const { kind, user } = order.subject;
  const { accessTokenSeconds, serviceUserTokenSeconds } = config;
  const seconds =
    kind === 'serviceUser' ? Math.min(serviceUserTokenSeconds, accessTokenSeconds) : accessTokenSeconds;
  const authTime = order.act === undefined ? order.authTime : order.actorAuthTime;
  const claims = {
    jti: newId(),
    sub: user.id,
    org: user.orgId,
    clientId: order.clientId,
    clientOrgId: order.clientOrgId,
    audience: order.audience,
    scope: order.scope,
    issuedAt: preciseSeconds(now),
    expiresAt: expiresAt(seconds),
    ...(order.claims?.userinfo !== undefined && { claims: order.claims.userinfo }),
    ...(order.familyId !== undefined && { family: order.familyId }),
    ...(order.sessionId !== undefined && { session: order.sessionId }),
    ...(order.act !== undefined && { act: order.act }),
    ...(order.origins !== undefined && { origins: order.origins }),
    ...(authTime !== undefined && { authTime: unixSeconds(authTime) }),
  };
  return {
    accessToken: await accessTokens.issue(claims, order.accessToken),
    lifetime: claims.expiresAt - issuedAt,
  };
}

/** A client with an access token gets the claims of these scopes from userinfo (OpenID Connect Core 5.4). */
const userinfoScopes: ReadonlySet<string> = new Set(['profile', 'email', 'phone', 'address']);

function idTokenClaims(deps: MakeTokensDeps, order: TokenOrder): Promise<UserClaims> {
  const everything = order.claimsInIdToken || order.accessToken === undefined;
  const scope = everything
    ? order.scope
    : order.scope
        .split(' ')
        .filter((name) => !userinfoScopes.has(name))
        .join(' ');
  const claims = order.claims?.idToken;
  return claimsOf(deps, order.subject, {
    scope,
    claims,
    clientOrgId: order.clientOrgId,
    groupsClaim: order.groupsClaim,
    projectId: order.projectId,
    audience: order.audience,
  });
}
