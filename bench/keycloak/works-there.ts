import type { Load } from '../load.js';
import { passwordOfPeople } from '../measures/oidc-login.js';
import {
  introspection,
  redirectUri as redirectUriOfPeople,
  type Side,
  userinfo,
} from '../measures/oidc-side.js';
import { tokenRequest } from '../measures/tokens.js';
import { redirectUri } from '../sign-in.js';
import type { ScimTarget } from '../target.js';
import { makeRealm, type Realm } from './realm.js';
import { scimWorks } from './scim-works.js';
import { codeByPage, redeemThere } from './sign-in-there.js';
import { calls, requests, sendOne, type Work, type Works } from './work.js';

/** A hash that no password has, as Keycloak keeps them. */
const hashed = {
  type: 'password',
  credentialData: JSON.stringify({
    hashIterations: 210_000,
    algorithm: 'pbkdf2-sha512',
    additionalParameters: {},
  }),
  secretData: JSON.stringify({
    ...{ value: Buffer.alloc(64, 7).toString('base64'), salt: Buffer.alloc(16, 7).toString('base64') },
    additionalParameters: {},
  }),
};

/** Keycloak as a side. */
export async function worksThere(url: string, inFlight: { logins: number; imports: number }): Promise<Works> {
  const realm = await makeRealm(url);
  const { path, machine } = realm;
  const side = sideOf(url, realm);
  const imports = (size: number): Work => {
    const load = partialImports(url, realm, size);
    return calls(inFlight.imports, async () => {
      await sendOne(load);
      return size;
    });
  };
  const credentials = { ...machine, personalAccessToken: '' };
  const token = { ...tokenRequest({ client: credentials }), path: side.paths.token };
  const scim: ScimTarget = {
    url,
    shot: ({ path, headers, ...rest }) => ({
      ...rest,
      path: realm.scimPath + path,
      headers: { ...headers, authorization: `Bearer ${realm.token}` },
    }),
  };
  const works = {
    'client credentials, JWT': requests({ url, connections: 16, next: token }),
    'introspection of the token of a person': requests(await introspection(side, machine)),
    'userinfo, profile and email': requests(await userinfo(side)),
    'password login: page, form, code, tokens': calls(inFlight.logins, logins(url, path, realm)),
    ...(await scimWorks(scim)),
    'users of imports of 10 a call': imports(10),
    'users of imports of 100 a call': imports(100),
    'users of imports of 1,000 a call': imports(1_000),
  };
  return works;
}

/** Its endpoints for the tokens of people. Codes come from its page. */
function sideOf(url: string, { path, machine, people }: Realm): Side {
  const protocol = `${path}/protocol/openid-connect`;
  let turn = 0;
  const code = () =>
    codeByPage(url, {
      ...{ path, clientId: machine.id, redirectUri: redirectUriOfPeople, scope: 'openid profile email' },
      ...{ userName: people[turn++ % people.length] ?? '', password: passwordOfPeople },
    });
  return {
    url,
    paths: {
      token: `${protocol}/token`,
      introspection: `${protocol}/token/introspect`,
      userinfo: `${protocol}/userinfo`,
    },
    makeCodes: (count) =>
      Promise.all(Array.from({ length: count }, async () => ({ code: await code(), client: machine }))),
  };
}

function logins(url: string, path: string, { application, people }: Realm): () => Promise<number> {
  let turn = 0;
  return async () => {
    const userName = people[turn++ % people.length] ?? '';
    const asked = { path, clientId: application, redirectUri, scope: 'openid' };
    const code = await codeByPage(url, { ...asked, userName, password: passwordOfPeople });
    await redeemThere(url, asked, code);
    return 1;
  };
}

let imported = 0;

/** Partial imports of so many people a call. They have the values that people have in the imports of the other side. */
function partialImports(url: string, { adminPath, token }: Realm, size: number): Load {
  const person = () => {
    const word = String(++imported);
    return {
      ...{ username: `imported-${word}`, email: `imported-${word}@example.com`, emailVerified: true },
      ...{ firstName: 'Given', lastName: `Family ${word}`, enabled: true, credentials: [hashed] },
    };
  };
  return {
    url,
    connections: 1,
    next: () => ({
      method: 'POST',
      path: `${adminPath}/partialImport`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ifResourceExists: 'FAIL', users: Array.from({ length: size }, person) }),
    }),
    answered(body) {
      const { added } = JSON.parse(body) as { added?: number };
      if (added !== size) throw new Error(`A partial import answers ${body.slice(0, 300)}`);
    },
  };
}
