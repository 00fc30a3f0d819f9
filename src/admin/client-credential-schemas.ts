import Type, { type Static } from 'typebox';
import {
  type ClientKey,
  clientKeyAlgorithms,
  type NewClientKey,
} from '#src/directory/credentials/client-key.js';
import type { ClientSecret } from '#src/directory/service-users/service-user.js';
import { strictObject, timestamp, toDate } from './schemas.js';

export const secret = Type.Object({ id: Type.String(), created: timestamp });

export const addedSecret = Type.Object({
  id: Type.String(),
  clientId: Type.String(),
  clientSecret: Type.String(),
  created: timestamp,
});

const jwk = Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Web Key (RFC 7517)' });

export const key = Type.Object({
  kid: Type.String(),
  jwk,
  created: timestamp,
  expires: Type.Optional(timestamp),
});

export const addedKey = Type.Object({
  ...key.properties,
  clientId: Type.String(),
  privateJwk: Type.Optional(jwk),
});

export const keyBody = strictObject(
  {
    jwk: Type.Optional(jwk),
    algorithm: Type.Optional(Type.Enum(clientKeyAlgorithms, { description: 'Of the pair to make; RS256' })),
    expires: Type.Optional(timestamp),
  },
  'A public key to keep; without one a pair is made, and its private part is in this answer and in no other',
);

/** The key that the body asks to add. */
export function givenKey({ expires, ...given }: Static<typeof keyBody>) {
  return { ...given, ...(expires !== undefined && { expires: toDate(expires) }) };
}

export function presentSecret({ id, created }: ClientSecret) {
  return { id, created: created.toISOString() };
}

export function presentKey({ kid, jwk, created, expires }: ClientKey) {
  return {
    kid,
    jwk: { ...jwk },
    created: created.toISOString(),
    ...(expires !== undefined && { expires: expires.toISOString() }),
  };
}

export function presentAddedKey({ key, privateJwk }: NewClientKey, clientId: string) {
  return { ...presentKey(key), clientId, ...(privateJwk !== undefined && { privateJwk: { ...privateJwk } }) };
}
