import Type, { type Static } from 'typebox';
import { mostPasskeys } from '#src/accounts/person-lists/index.js';
import { identifier, text } from './values.js';

const dateTime = Type.Optional(Type.String({ maxLength: 64 }));
const flag = Type.Optional(Type.Boolean());

/** The credential record of WebAuthn Level 3 section 4. Bytes are in base64url. */
const webauthnCredential = Type.Object({
  /** Credential ID. */
  id: text,
  /** COSE_Key (RFC 9052 section 7). */
  publicKey: Type.String({ maxLength: 4_000 }),
  /** Signature counter. */
  counter: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
  transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,32}$' }), { maxItems: 10 })),
  aaguid: Type.Optional(Type.String({ maxLength: 36 })),
  userHandle: Type.Optional(Type.String({ maxLength: 100 })),
  /** A browser offers the credential only to pages of this RP ID. */
  rpId: Type.Optional(Type.String({ maxLength: 253 })),
  label: Type.Optional(Type.String({ maxLength: 200 })),
  /** Whether the source took it as the only factor. */
  passwordless: flag,
  backupEligible: flag,
  backedUp: flag,
  created: dateTime,
  lastUsed: dateTime,
});

/** `orgs[].webauthnCredentials[]`: the passkeys and security keys of one person. An export of organizations has none. */
export const webauthnCredentialsRecord = Type.Object({
  userId: identifier,
  credentials: Type.Array(webauthnCredential, { minItems: 1, maxItems: mostPasskeys }),
});

export type WebauthnCredentialsRecord = Static<typeof webauthnCredentialsRecord>;
