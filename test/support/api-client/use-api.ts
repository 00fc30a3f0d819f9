import createClient from 'openapi-fetch';
import type { components, operations, paths } from './api.js';

type Schemas = components['schemas'];
type ListQuery = operations['scimListUsers']['parameters']['query'];

/** Where the service is, and the credentials of the programs that use it. */
export interface Access {
  readonly baseUrl: string;
  readonly orgId: string;
  /** The token of the caller of SCIM and of the administration. */
  readonly token: string;
  /** A service user that gets a token by its secret. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Creates, lists and patches a user, sends a Bulk, gets a token and imports a user. The compiler knows the type of each answer.
 * `satisfies` makes it refuse unknown properties of a body, which the generic functions of openapi-fetch accept.
 */
export async function useApi({ baseUrl, orgId, token, clientId, clientSecret }: Access) {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const organization = { path: { orgId } };

  const created = await api.POST('/scim/v2/{orgId}/Users', {
    params: organization,
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'anna',
      name: { givenName: 'Anna', familyName: 'Lind' },
      emails: [{ value: 'anna@example.com', primary: true }],
    } satisfies Schemas['UserRequest'],
  });
  const user: Schemas['User'] = dataOf(created);

  const listed = await api.GET('/scim/v2/{orgId}/Users', {
    params: { ...organization, query: { filter: 'userName eq "anna"', count: 10 } satisfies ListQuery },
  });
  const ids: string[] = dataOf(listed).Resources.map(({ id }) => id);

  const patched = await api.PATCH('/scim/v2/{orgId}/Users/{id}', {
    params: { path: { orgId, id: user.id }, query: { attributes: 'title,nickName' } },
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [
        { op: 'replace', path: 'title', value: 'Engineer' },
        { op: 'add', value: { nickName: 'Ann' } },
      ],
    } satisfies Schemas['PatchOp'],
  });
  const { title, nickName } = dataOf(patched);

  const bulk = await api.POST('/scim/v2/{orgId}/Bulk', {
    params: organization,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [{ method: 'DELETE', path: `/Users/${user.id}` }],
    } satisfies Schemas['BulkRequest'],
  });
  const statuses: string[] = dataOf(bulk).Operations.map(({ status }) => status);

  const issued = await api.POST('/oauth/v2/token', {
    headers: {
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: { grant_type: 'client_credentials', scope: 'openid' } satisfies Schemas['ClientCredentialsForm'],
  });
  const accessToken: string = dataOf(issued).access_token;

  const imported = await api.POST('/admin/v1/import', {
    body: {
      timeout: '5m',
      dataOrgs: {
        orgs: [
          {
            orgId,
            humanUsers: [
              {
                userId: 'maria',
                user: {
                  userName: 'maria',
                  profile: { firstName: 'Maria', lastName: 'Berg' },
                  email: { email: 'maria@example.com', isEmailVerified: true },
                },
              },
            ],
          },
        ],
      },
    } satisfies Schemas['ImportRequest'],
  });
  const summary: { created: number; failed: number } = dataOf(imported).summary;

  const refused = await api.GET('/scim/v2/{orgId}/Users/{id}', { params: { path: { orgId, id: 'nobody' } } });
  const refusal: string | undefined = refused.error?.detail;

  return { ids, title, nickName, statuses, accessToken, summary, refusal };
}

/** The body of a success. */
function dataOf<T>({
  data,
  error,
  response,
}: {
  data?: T;
  error?: unknown;
  response: Response;
}): NonNullable<T> {
  if (data === undefined || data === null) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  return data;
}
