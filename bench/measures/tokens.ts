import { addClientSecret } from '#src/clients/change-credentials/client-secrets.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { compareRates, type Pace } from '../compare.js';
import type { Load, Shot } from '../load.js';
import { startOidcProvider } from '../programs.js';
import { judged, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';

const connections = 16;

/**
 * client_credentials tokens compared with oidc-provider. Both sides use opaque tokens, client_secret_basic and one
 * process.
 */
export async function measureTokens(setting: Setting, pace: Pace): Promise<Row[]> {
  const peer = await startOidcProvider(setting);
  try {
    const shot = tokenRequest(setting);
    const load = (url: string, path: string): Load => ({
      url,
      connections,
      next: { ...shot, path },
    });
    const result = await compareRates(
      load(setting.baseUrl, '/oauth/v2/token'),
      load(peer.url, '/token'),
      pace,
    );
    const row = {
      measure: 'client_credentials, opaque token',
      ours: rate(result.ours),
      peer: `oidc-provider, in memory: ${rate(result.peer)}`,
    };
    return [judged(row, result.ratio, { atLeast: 2 })];
  } finally {
    await peer.stop();
  }
}

/** A request for an access token of the client. */
export function tokenRequest({ client }: Pick<Setting, 'client'>): Shot {
  return {
    method: 'POST',
    path: '/oauth/v2/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  };
}

/** The request of a service user whose access tokens are JWTs. */
export async function jwtRequest({ container, organization }: Setting): Promise<Shot> {
  const orgId = organization.id;
  const given = { orgId, userName: 'bench-jwt', accessTokenType: 'jwt' as const, editor };
  const { id } = await addServiceUser(container, given);
  const { clientSecret: secret } = await addClientSecret(container, {
    kind: 'serviceUser',
    orgId,
    id,
    editor,
  });
  return tokenRequest({ client: { id, secret, personalAccessToken: '' } });
}

/** An access token of the client for the other measures. @param scope none unless told */
export async function accessToken(setting: Pick<Setting, 'baseUrl' | 'client'>, scope = ''): Promise<string> {
  const { path, body, ...request } = tokenRequest(setting);
  const form = `${body}&${new URLSearchParams({ scope })}`;
  const answer = await fetch(setting.baseUrl + path, { ...request, body: form } as RequestInit);
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}
