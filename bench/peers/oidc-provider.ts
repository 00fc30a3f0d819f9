/** Peer: oidc-provider with its in-memory adapter, opaque tokens and client_secret_basic. */
import { Provider } from 'oidc-provider';

const { PORT = '0', CLIENT_ID, CLIENT_SECRET } = process.env;

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  scopes: ['openid', 'profile', 'email'],
  ttl: { ClientCredentials: 12 * 3600 },
});
provider.on('server_error', (_context, error) => console.error(error));
provider.listen(Number(PORT), '127.0.0.1');
