import Type from 'typebox';

/** An identifier of the interchange file: 1 to 200 visible ASCII characters, kept as they are. */
export const identifier = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' });

/** Text whose rules are those of the directory; bounded here so that no check works on more. */
export const text = Type.String({ maxLength: 2_000 });

/** A moment, as `Date.toISOString` writes it. */
export const moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });

/** A secret that the service made: the SHA-256 of its 256 random bits in base64url. Exported with passwords only. */
export const clientSecret = Type.Object({
  hash: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  created: moment,
});

/** At most two at once, so that one can be replaced while the other still serves. */
export const clientSecrets = Type.Array(clientSecret, { maxItems: 2 });

/** Roles by name; the rules of each kind say which exist. */
export const roleNames = Type.Array(text, { minItems: 1, maxItems: 100 });
