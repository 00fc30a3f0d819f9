import type { Static } from 'typebox';
import type { ClientKey, ClientSecret, FederatedCredential } from '#src/clients/credentials/index.js';
import type { clientKey, clientSecret, federatedCredential } from './values.js';

/** A client secret as a file has it: its hash, and what administrators see of it. */
export type SecretRecord = Static<typeof clientSecret>;

/** A public key as a file has it. */
export type KeyRecord = Static<typeof clientKey>;

/** A trust in an outside issuer as a file has it. */
export type FederatedCredentialRecord = Static<typeof federatedCredential>;

/** Returns the secret as a file has it. */
export function toSecretRecord({ hash, created, label, expires }: ClientSecret): SecretRecord {
  return {
    hash,
    created: created.toISOString(),
    ...(label !== undefined && { label }),
    ...(expires && { expires: expires.toISOString() }),
  };
}

/** Returns the key as a file has it. The members of `jwk` have a fixed order, so that exports of equal keys have equal bytes. */
export function toKeyRecord({ kid, jwk, created, expires }: ClientKey): KeyRecord {
  const { kty = '', crv, x, y, n, e, alg } = jwk;
  return {
    kid,
    jwk: {
      kty,
      ...(crv !== undefined && { crv }),
      ...(x !== undefined && { x }),
      ...(y !== undefined && { y }),
      ...(n !== undefined && { n }),
      ...(e !== undefined && { e }),
      ...(alg !== undefined && { alg }),
    },
    created: created.toISOString(),
    ...(expires && { expires: expires.toISOString() }),
  };
}

/** Returns the trust as a file has it. */
export function toFederatedCredentialRecord({
  issuer,
  subject,
  audience,
  created,
  label,
}: FederatedCredential): FederatedCredentialRecord {
  return {
    issuer,
    subject,
    audience,
    created: created.toISOString(),
    ...(label !== undefined && { label }),
  };
}
