import Type from 'typebox';
import { maxFederatedCredentials, maxKeys, maxSecrets } from '#src/clients/credentials/index.js';
import { noDotSegment } from '#src/platform/path-segment.js';

/** What an address can have as a segment: 1 to 200 visible ASCII characters. */
const addressable = `^${noDotSegment}[\\x21-\\x7e]{1,200}$`;

/** An identifier of the interchange file. The import keeps it unchanged. */
export const identifier = Type.String({ pattern: addressable });

/** A string. The directory has its rules. The bound limits the work of their checks. */
export const text = Type.String({ maxLength: 2_000 });

/** A moment, as `Date.toISOString` writes it. */
const moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });

/** A secret that the service generated: the SHA-256 of its 256 random bits in base64url. Only exports with passwords have it. */
export const clientSecret = Type.Object({
  hash: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  created: moment,
  label: Type.Optional(Type.String({ maxLength: 200 })),
  expires: Type.Optional(moment),
});

export const clientSecrets = Type.Array(clientSecret, { maxItems: maxSecrets });

/** A public key of a client. `jwk` has its public members (RFC 7518 section 6, RFC 8037 section 2). A private key is an error. */
export const clientKey = Type.Object({
  kid: Type.String({ pattern: addressable }),
  jwk: Type.Object({
    kty: text,
    alg: Type.Optional(text),
    crv: Type.Optional(text),
    x: Type.Optional(text),
    y: Type.Optional(text),
    n: Type.Optional(text),
    e: Type.Optional(text),
  }),
  created: moment,
  expires: Type.Optional(moment),
});

export const clientKeyList = Type.Array(clientKey, { maxItems: maxKeys });

/** A trust in JWTs of an outside issuer. It holds no secret. Without `audience`, it is the issuer of the service that imports it. */
export const federatedCredential = Type.Object({
  issuer: text,
  subject: text,
  audience: Type.Optional(text),
  created: moment,
  label: Type.Optional(Type.String({ maxLength: 200 })),
});

export const federatedCredentials = Type.Array(federatedCredential, { maxItems: maxFederatedCredentials });

/** False for clients that an earlier version added (decision 19). */
export const singleAudience = Type.Boolean({
  description: 'Whether assertions of the client must name one audience as a single string. By default true',
});

/** Names of roles. The rules of each kind of role decide which exist. */
export const roleNames = Type.Array(text, { minItems: 1, maxItems: 100 });
