import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '#src/keys/sealer.js';
import type { TokenOrigin } from '#src/tokens/access-token-claims.js';

/** Seals the tokens from which an ID token was exchanged, for its `jti` (RFC 7519 section 4.1.7). Only this service reads them. */
export function sealOrigins(sealer: Pick<Sealer, 'seal'>, origins: readonly TokenOrigin[]): string {
  return sealer.seal(deflateRawSync(JSON.stringify(origins))).toString('base64url');
}

/** Returns the tokens of a `jti` that {@link sealOrigins} made. Undefined if the keys of this service did not seal it. */
export function unsealOrigins(sealer: Pick<Sealer, 'unseal'>, jti: string): TokenOrigin[] | undefined {
  const sealed = sealer.unseal(Buffer.from(jti, 'base64url'));
  return sealed && JSON.parse(inflateRawSync(sealed).toString());
}
