import type { Api, Stage } from './stage.js';

/** Makes a service user over HTTP with a client secret, a personal access token and a role in the organization. */
export interface MadeServiceUser {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly pat: string;
  readonly patId: string;
  readonly membershipId: string;
}

let made = 0;

export async function makeServiceUser(stage: Stage, api: Api, role: string): Promise<MadeServiceUser> {
  const orgs = `/admin/v1/orgs/${stage.orgId}`;
  const post = async (path: string, json: object) => {
    const { status, body } = await api.call(`POST ${orgs}${path}`, { json });
    if (status !== 201) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  made++;
  const { id } = await post('/service-users', { userName: `caller-${made}`, name: 'Caller' });
  const { clientId, clientSecret } = await post(`/service-users/${id}/secrets`, {});
  const { token: pat, id: patId } = await post(`/service-users/${id}/tokens`, {});
  const { id: membershipId } = await post('/memberships', { userId: id, role });
  stage.keepSecret(clientSecret, pat);
  return { id, clientId, clientSecret, pat, patId, membershipId };
}

/** Gets an access token by the client credentials grant. */
export async function accessTokenOf(
  stage: Stage,
  api: Api,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<string> {
  const { body } = await api.call('POST /oauth/v2/token', {
    form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  });
  stage.keepSecret(body.access_token);
  return body.access_token;
}
