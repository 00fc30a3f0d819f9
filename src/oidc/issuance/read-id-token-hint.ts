import { jwtVerify } from 'jose';
import type { SigningKeys } from '#src/keys/signing-keys.js';

/** The content of an ID token that comes back as a hint. */
export interface IdTokenHint {
  readonly userId: string;
  /** The application to which it was issued. */
  readonly clientId: string;
  /** The session in which it was issued. */
  readonly sessionId?: string;
}

/** Reads a hint. The result is undefined unless this service signed it as an ID token. */
export type ReadIdTokenHint = (idToken: string) => Promise<IdTokenHint | undefined>;

/**
 * The longest accepted hint, in characters. Longer ones are refused unread. An ID token may carry everything that an
 * organization provisioned for a person.
 */
export const maxHintLength = 16_384;

/**
 * Reads ID tokens that come back as `id_token_hint`, including expired ones (RP-Initiated Logout section 4).
 */
export function createReadIdTokenHint(deps: {
  signingKeys: Pick<SigningKeys, 'publicKey'>;
  issuer: string;
}): ReadIdTokenHint {
  const { signingKeys, issuer } = deps;
  return async (idToken) => {
    if (idToken.length > maxHintLength) return undefined;
    try {
      const { payload } = await jwtVerify<{ azp?: unknown; sid?: unknown }>(
        idToken,
        (header) => signingKeys.publicKey(header.kid, header.alg),
        // The same keys sign access tokens, so the type must match. The expiry is ignored.
        { issuer, typ: 'JWT', currentDate: new Date(0) },
      );
      const { sub, azp, sid } = payload;
      if (typeof sub !== 'string' || typeof azp !== 'string') return undefined;
      return { userId: sub, clientId: azp, ...(typeof sid === 'string' && { sessionId: sid }) };
    } catch {
      return undefined;
    }
  };
}
