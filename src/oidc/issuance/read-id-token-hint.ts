import { jwtVerify } from 'jose';
import type { SigningKeys } from '#src/keys/signing-keys.js';

/** What an ID token of ours says that comes back as a hint. */
export interface IdTokenHint {
  readonly userId: string;
  /** The application that it was issued to. */
  readonly clientId: string;
  /** The session that it was issued in. */
  readonly sessionId?: string;
}

/** The hint; undefined for anything that this service did not sign as an ID token. */
export type ReadIdTokenHint = (idToken: string) => Promise<IdTokenHint | undefined>;

/** Longer ones are not even looked at. */
const maxLength = 16_384;

/** Reads ID tokens that come back as `id_token_hint`, expired ones too (RP-Initiated Logout section 4). */
export function createReadIdTokenHint(deps: {
  signingKeys: Pick<SigningKeys, 'publicKey'>;
  issuer: string;
}): ReadIdTokenHint {
  const { signingKeys, issuer } = deps;
  return async (idToken) => {
    if (idToken.length > maxLength) return undefined;
    try {
      const { payload } = await jwtVerify<{ azp?: unknown; sid?: unknown }>(
        idToken,
        (header) => signingKeys.publicKey(header.kid, header.alg),
        // An access token is signed by the same keys: only the type tells them apart. And expiry is no matter.
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
