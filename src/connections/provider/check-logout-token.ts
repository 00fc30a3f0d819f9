import { decodeProtectedHeader, errors } from 'jose';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { OidcConnection } from '../registry/connection.js';
import { ProviderFailure } from './provider-failure.js';
import type { ProviderMetadata } from './providers.js';
import { type SignatureDeps, verifySignature } from './verify-id-token.js';

/** Which sessions a provider ended. At least one of `subject` and `sid` is there. */
export interface LogoutToken {
  readonly subject?: string;
  readonly sid?: string;
  readonly jti: string;
  /** After this time the token is refused by its age. */
  readonly expires: Date;
}

/** The longest token, and the longest of its texts, in characters. */
const longestToken = 16_384;
const longestText = 255;
/** The difference that the clocks of a provider and of this service may have, in seconds. */
const skewSeconds = 60;
/** The longest age of a token, in seconds. Back-Channel Logout section 2.4 recommends two minutes for `exp`. */
const longestAgeSeconds = 600;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Checks a logout token as OpenID Connect Back-Channel Logout section 2.6 says. Whether its `jti` was seen before is for the caller.
 * @throws ProviderFailure
 */
export async function checkLogoutToken(
  deps: SignatureDeps & { readonly clock: Clock },
  {
    connection: { orgId, provider },
    metadata,
    token,
  }: { connection: OidcConnection; metadata: ProviderMetadata; token: string },
): Promise<LogoutToken> {
  const claims = await verifiedClaims(deps, { orgId, jwksUri: metadata.jwks_uri, token });
  const refuse = (claim: string) =>
    new ProviderFailure('tokenInvalid', `The claim ${claim} of the logout token is missing or wrong`);
  const now = unixSeconds(deps.clock.now());
  const { iss, aud, iat, exp, jti, events, sub, sid } = claims;
  if (iss !== provider.issuer) throw refuse('iss');
  if (!(Array.isArray(aud) ? aud : [aud]).includes(provider.clientId)) throw refuse('aud');
  if (typeof iat !== 'number' || iat > now + skewSeconds || iat < now - longestAgeSeconds)
    throw refuse('iat');
  if (exp !== undefined && (typeof exp !== 'number' || exp <= now - skewSeconds)) throw refuse('exp');
  if (!isShortText(jti)) throw refuse('jti');
  const event = isJsonObject(events) ? events[logoutEvent] : undefined;
  if (!isJsonObject(event)) throw refuse('events');
  // An ID token passes for no logout token.
  if (claims['nonce'] !== undefined) throw refuse('nonce');
  if (sub !== undefined && !isShortText(sub)) throw refuse('sub');
  if (sid !== undefined && !isShortText(sid)) throw refuse('sid');
  if (sub === undefined && sid === undefined) throw refuse('sub');
  return {
    ...(sub !== undefined && { subject: sub }),
    ...(sid !== undefined && { sid }),
    jti,
    expires: new Date((iat + longestAgeSeconds + skewSeconds) * 1000),
  };
}

async function verifiedClaims(
  deps: SignatureDeps,
  { token, ...of }: { orgId: string; jwksUri: string; token: string },
): Promise<JsonObject> {
  const malformed = () => new ProviderFailure('tokenInvalid', 'The logout token is no signed JWT');
  if (token.length > longestToken) throw malformed();
  try {
    const { typ } = decodeProtectedHeader(token);
    if (typ !== undefined && !['logout+jwt', 'jwt'].includes(typ.toLowerCase())) throw malformed();
    const { payload } = await verifySignature(deps, { ...of, token });
    const claims: unknown = JSON.parse(Buffer.from(payload).toString());
    if (isJsonObject(claims)) return claims;
  } catch (error) {
    const isForm =
      error instanceof TypeError || error instanceof SyntaxError || error instanceof errors.JOSEError;
    if (!isForm) throw error;
  }
  throw malformed();
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestText;
}
