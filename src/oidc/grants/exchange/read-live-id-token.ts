import { jwtVerify } from 'jose';
import type { Sealer } from '#src/keys/sealer.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import { organizationStands } from '#src/organizations/index.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { Actor, TokenOrigin } from '#src/tokens/access-token-claims.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';
import { findById, type ImpersonationDeps } from '../../issuance/may-impersonate.js';
import { unsealOrigins } from '../../issuance/token-origins.js';
import type { HeldToken } from './held-token.js';

export interface ReadIdTokenDeps extends ImpersonationDeps {
  readonly signingKeys: Pick<SigningKeys, 'publicKey'>;
  readonly revocations: Pick<RevocationList, 'isRevoked'>;
  readonly originsSealer: Pick<Sealer, 'unseal'>;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string };
}

interface IdTokenPayload {
  sid?: string;
  auth_time?: number;
  amr?: string[];
  act?: Actor;
  /** In ID tokens of earlier versions. */
  origins?: TokenOrigin[];
}

/** Longer tokens are refused unread. */
const maxLength = 16_384;

/** Reads an ID token that this service signed, that has not expired, and whose user and session exist. */
export async function readLiveIdToken(
  deps: ReadIdTokenDeps,
  token: string,
): Promise<Omit<HeldToken, 'scopes'> | undefined> {
  const payload = token.length > maxLength ? undefined : await verify(deps, token);
  if (payload === undefined) return undefined;
  const { sub, aud, exp, iat, jti, sid, auth_time, amr, act } = payload;
  if (sub === undefined || aud === undefined || exp === undefined || iat === undefined) return undefined;
  if (exp <= unixSeconds(deps.clock.now())) return undefined;
  const origins = jti === undefined ? (payload.origins ?? []) : unsealOrigins(deps.originsSealer, jti);
  if (origins === undefined) return undefined;
  const origin: TokenOrigin = {
    ...{ jti: '', sub, issuedAt: iat },
    ...(sid !== undefined && { session: sid }),
    ...(origins.length > 0 && { exchanged: true }),
  };
  const cameOf = [...origins, origin];
  const [subject, revoked] = await Promise.all([findById(deps, sub), isAnyRevoked(deps.revocations, cameOf)]);
  if (subject === undefined || revoked) return undefined;
  // The claim names a second. The token may be of its end, and the organization of its middle.
  if (!(await organizationStands(deps, subject.user.orgId, iat + 1))) return undefined;
  return {
    subject,
    audience: typeof aud === 'string' ? [aud] : aud,
    act,
    sessionId: sid,
    ...(auth_time !== undefined && { authTime: new Date(auth_time * 1000) }),
    amr,
    origins: cameOf,
    expiresAt: exp,
  };
}

async function verify({ signingKeys, config }: ReadIdTokenDeps, token: string) {
  try {
    const { payload } = await jwtVerify<IdTokenPayload>(
      token,
      (header) => signingKeys.publicKey(header.kid, header.alg),
      // The same keys sign JWT access tokens, so the type must match. The caller above checks the expiry.
      { issuer: config.baseUrl, typ: 'JWT', currentDate: new Date(0) },
    );
    return payload;
  } catch {
    return undefined;
  }
}
