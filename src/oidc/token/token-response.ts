import Type, { type Static } from 'typebox';

/** A successful answer of the token endpoint (RFC 6749 section 5.1). */
export const TokenResponse = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  /** Seconds. */
  expires_in: Type.Integer(),
  scope: Type.String(),
});

export type TokenResponse = Static<typeof TokenResponse>;

/** An error of an OAuth endpoint (RFC 6749 section 5.2). */
export const OAuthErrorResponse = Type.Object({
  error: Type.String(),
  error_description: Type.String(),
});
