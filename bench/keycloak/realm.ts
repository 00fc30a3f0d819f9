import { passwordOfPeople } from '../measures/oidc-login.js';
import { redirectUri as redirectUriOfPeople } from '../measures/oidc-side.js';
import { redirectUri } from '../sign-in.js';
import { adminOfKeycloak } from './start-keycloak.js';

const realm = 'bench';
/** The program that has tokens for itself, provisions, and redeems the codes of people. */
const machine = { id: 'machine', secret: 'secret-of-the-machine' };
/** The application of sign-ins, without a secret. */
const application = 'application';
/** Longer than any run, in seconds. */
const tokenSeconds = 36_000;
const people = 20;
/** What the program may do. Partial imports need the rights of the realm. */
const roles = ['manage-users', 'view-users', 'query-users', 'query-groups', 'manage-realm', 'view-realm'];

/** A realm for the comparison. */
export interface Realm {
  /** Its address: `{url}/realms/bench`. */
  readonly path: string;
  /** The address of its admin API. */
  readonly adminPath: string;
  readonly scimPath: string;
  readonly machine: { readonly id: string; readonly secret: string };
  readonly application: string;
  /** The names of people who sign in. */
  readonly people: readonly string[];
  /** An access token of the program. */
  readonly token: string;
}

/** Adds a realm with SCIM, a program, an application and some people. */
export async function makeRealm(url: string): Promise<Realm> {
  const path = `/realms/${realm}`;
  const adminPath = `/admin${path}`;
  const scimPath = `${path}/scim/v2`;
  const admin = await callerOf(url);
  await admin('POST /admin/realms', {
    ...{ realm, enabled: true, scimApiEnabled: true, accessTokenLifespan: tokenSeconds },
    // Sessions of the service outlast the run too.
    ...{ ssoSessionIdleTimeout: tokenSeconds, ssoSessionMaxLifespan: tokenSeconds },
  });
  const redirectUris = [redirectUri, redirectUriOfPeople];
  await admin(`POST ${adminPath}/clients`, {
    ...{ clientId: machine.id, secret: machine.secret, serviceAccountsEnabled: true, redirectUris },
    protocolMappers: [
      audienceMapper('scim', { 'included.custom.audience': `${url}${scimPath}` }),
      audienceMapper('itself', { 'included.client.audience': machine.id }),
    ],
  });
  await admin(`POST ${adminPath}/clients`, { clientId: application, publicClient: true, redirectUris });
  await allow(admin, adminPath);
  const names = Array.from({ length: people }, (_, n) => `signs-in-${n}`);
  for (const username of names) {
    const credentials = [{ type: 'password', value: passwordOfPeople, temporary: false }];
    const profile = { firstName: 'Anna', lastName: 'Lind', email: `${username}@acme.example` };
    await admin(`POST ${adminPath}/users`, {
      username,
      ...profile,
      emailVerified: true,
      enabled: true,
      credentials,
    });
  }
  const token = await granted(url, path, {
    ...{ grant_type: 'client_credentials', client_id: machine.id, client_secret: machine.secret },
  });
  return { path, adminPath, scimPath, machine, application, people: names, token };
}

/** The SCIM endpoints of Keycloak are an audience of their own, and a client introspects tokens that are for it. */
function audienceMapper(name: string, audience: object): object {
  return {
    ...{ name, protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper' },
    config: { ...audience, 'access.token.claim': 'true', 'introspection.token.claim': 'true' },
  };
}

type Call = (request: string, body?: object) => Promise<unknown>;

/** Calls as the administrator of the server, whose tokens live for a minute. @param request such as `POST /admin/realms` */
async function callerOf(url: string): Promise<Call> {
  const form = {
    ...{ grant_type: 'password', client_id: 'admin-cli' },
    ...{ username: adminOfKeycloak.userName, password: adminOfKeycloak.password },
  };
  const token = await granted(url, '/realms/master', form);
  return async (request, body) => {
    const [method = '', path = ''] = request.split(' ');
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${request}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

async function granted(url: string, path: string, form: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(form);
  const answer = await fetch(`${url}${path}/protocol/openid-connect/token`, { method: 'POST', body });
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`Keycloak gives no token: ${answer.status}`);
  return access_token;
}

/** Gives the program its roles. */
async function allow(admin: Call, adminPath: string): Promise<void> {
  const idOf = async (clientId: string) => {
    const [found] = (await admin(`GET ${adminPath}/clients?clientId=${clientId}`)) as { id: string }[];
    return found?.id ?? '';
  };
  const management = await idOf('realm-management');
  const account = (await admin(
    `GET ${adminPath}/clients/${await idOf(machine.id)}/service-account-user`,
  )) as { id: string };
  const all = (await admin(`GET ${adminPath}/clients/${management}/roles`)) as { name: string }[];
  const given = all.filter(({ name }) => roles.includes(name));
  await admin(`POST ${adminPath}/users/${account.id}/role-mappings/clients/${management}`, given);
}
