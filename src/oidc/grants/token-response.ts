import Type, { type Static } from 'typebox';

/** A successful response of the token endpoint (RFC 6749 section 5.1, RFC 8693 section 2.2.1). */
export const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Unsafe<'Bearer' | 'N_A'>({ type: 'string', enum: ['Bearer', 'N_A'] }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    scope: Type.String({ description: 'Space-delimited' }),
    id_token: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String()),
    issued_token_type: Type.Optional(Type.String({ description: 'After a token exchange' })),
  },
  { title: 'TokenResponse', description: 'The issued tokens' },
);

export type TokenResponse = Static<typeof TokenResponse>;

/** Issued tokens in the form of the response. */
export function tokenResponse(issued: {
  accessToken?: string;
  idToken?: string;
  refreshToken?: string;
  expiresIn: number;
  scope: string;
}): TokenResponse {
  const { accessToken, idToken, refreshToken, expiresIn, scope } = issued;
  if (accessToken === undefined) throw new Error('The token endpoint always issues an access token');
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope,
    ...(idToken !== undefined && { id_token: idToken }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
}
