/**
 * Peer: oidc-provider for a person, with opaque access tokens, rotating refresh tokens and RS256 ID tokens. It stores
 * in a plain map, because the in-memory adapter keeps only the latest thousand entries.
 */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';

const {
  PORT = '0',
  CLIENT_ID = '',
  CLIENT_SECRET,
  REDIRECT_URI = '',
  CHALLENGE = '',
  SCOPE = '',
} = process.env;
const accountId = 'a-person';
const storage = new Map<string, unknown>();

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  adapter: (model: string) => new MemoryAdapter(model, storage),
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'updated_at'],
  },
  features: { devInteractions: { enabled: false }, introspection: { enabled: true } },
  findAccount: (_context: unknown, sub: string) => ({
    accountId: sub,
    claims: () => ({
      sub,
      name: 'Ada Almeida',
      given_name: 'Ada',
      family_name: 'Almeida',
      preferred_username: 'ada',
      locale: 'en',
      updated_at: 1_700_000_000,
      email: 'ada@example.com',
      email_verified: true,
    }),
  }),
  rotateRefreshToken: true,
  ttl: { AccessToken: 12 * 3600, IdToken: 12 * 3600, RefreshToken: 30 * 86_400, Grant: 90 * 86_400 },
});
provider.on('server_error', (_context, error) => console.error(error));

/** The data that a sign-in would store, without the pages. */
async function makeCode(): Promise<string> {
  const client = await provider.Client.find(CLIENT_ID);
  const grant = new provider.Grant({ accountId, clientId: CLIENT_ID });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save(90 * 86_400);
  const code = new provider.AuthorizationCode({
    accountId,
    client,
    grantId,
    gty: 'authorization_code',
    redirectUri: REDIRECT_URI,
    scope: SCOPE,
    authTime: Math.floor(Date.now() / 1000),
    codeChallenge: CHALLENGE,
    codeChallengeMethod: 'S256',
    claims: {},
  });
  return code.save(600);
}

const answer = provider.callback();
createServer(async (request, response) => {
  const [, count] = /^\/bench\/codes\/(\d+)$/.exec(request.url ?? '') ?? [];
  if (count === undefined) return answer(request, response);
  const codes: string[] = [];
  while (codes.length < Number(count)) codes.push(await makeCode());
  response.end(JSON.stringify(codes));
}).listen(Number(PORT), '127.0.0.1');
