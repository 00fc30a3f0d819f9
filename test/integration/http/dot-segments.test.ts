import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { openConsole } from '../../support/app/console.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, uniqueName } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { recordRoutes } from '../../support/app/route-facts.js';
import { buildTestApp, type TestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';
import { formsOf, type Seen } from '../../support/oidc/visitor.js';
import { extensionAttribute } from '../../support/scim/extension-schema.js';

/**
 * An identifier that a caller chooses is never a dot segment. Browsers, client libraries and proxies remove such segments from a path,
 * so an address with one would mean another object.
 */

let opened: TestApp | undefined;
const routes = await recordRoutes(async () => {
  opened = await buildTestApp(t, { workers: true });
});
if (opened === undefined) throw new Error('There is no application');
const { app, container, call } = opened;
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

const acme = await makeFullOrganization(container);
const organization = await makeHome(container, { name: 'Home' });
const root = await makeCaller(container, organization.id, ['IAM_OWNER']);
const orgId = acme.orgId;
const orgs = `/admin/v1/orgs/${orgId}`;
const machine = (
  await call(`POST ${orgs}/service-users`, { as: root, body: { userName: 'm', name: 'Keyed' } })
).body;
const projectId = acme.project.id;
const { publicKey } = await generateKeyPair('EdDSA', { extractable: true });
const jwk = await exportJWK(publicKey);

/** Sends a path as it is. `inject` and `fetch` remove dot segments, as browsers do. */
function sendRaw(
  line: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string; location: string }> {
  const [method, path] = line.split(' ') as [string, string];
  return new Promise((resolve, reject) => {
    const asked = send(
      { port, method, path, headers: { authorization: `Bearer ${root.token}`, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location ?? '' }),
        );
      },
    );
    asked.once('error', reject).end(body);
  });
}

/** Tries to make an object with each identifier. For each it returns `made`, or the error. */
type Attempt = (ids: readonly string[]) => Promise<string[]>;

const oneByOne =
  (attempt: (id: string) => Promise<string>): Attempt =>
  async (ids) => {
    const results: string[] = [];
    for (const id of ids) results.push(await attempt(id));
    return results;
  };

const viaApi = (request: string, bodyOf: (id: string) => object): Attempt =>
  oneByOne(async (id) => {
    const { status, body } = await call(request, { as: root, body: bodyOf(id) });
    return status < 300 ? 'made' : `${status} ${body.id}`;
  });

const viaPath = (pathOf: (segment: string) => string, body: object): Attempt =>
  oneByOne(async (id) => {
    // Every dot encoded: the router decodes it, and no client in between removes it.
    const segment = encodeURIComponent(id).replaceAll('.', '%2E');
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await sendRaw(`PUT ${pathOf(segment)}`, { headers, body: JSON.stringify(body) });
    return status < 300 ? 'made' : `${status} ${JSON.parse(text).id}`;
  });

/** One import has a record for each identifier. */
const viaImport =
  (list: string, recordOf: (id: string) => object): Attempt =>
  async (ids) => {
    const records = ids.map(recordOf);
    const ofOrgs = list === 'orgs' ? records : [{ orgId, [list]: records }];
    const { body } = await call('POST /admin/v1/import', {
      as: root,
      body: { timeout: '5m', dataOrgsv1: { orgs: ofOrgs } },
    });
    const { summary, errors = [] } = body;
    return [
      ...Array<string>(summary.created).fill('made'),
      ...errors.map(({ message }: { message: string }) => message.split(':')[0] ?? ''),
    ];
  };

const app0 = { name: 'App', type: 'spa', redirectUris: ['https://app.example/'] };
const created = '2026-01-01T00:00:00.000Z';
const imported = (kid: string) => [{ kid, jwk, created }];

/** Each way in which a caller chooses an identifier, and the stable code of its refusal. */
const ways: Record<string, { attempt: Attempt; refusal: string; takesNear?: false }> = {
  'an organization': {
    attempt: viaApi('POST /admin/v1/orgs', (id) => ({ id, name: uniqueName('Org') })),
    refusal: '400 directory.valueInvalid',
    takesNear: false,
  },
  'an organization of an import': {
    attempt: viaImport('orgs', (id) => ({ orgId: id, org: { name: id } })),
    refusal: 'VALUE-INVALID',
    takesNear: false,
  },
  'a domain': {
    attempt: viaApi(`POST ${orgs}/domains`, (domainName) => ({ domainName })),
    refusal: '400 directory.valueInvalid',
    takesNear: false,
  },
  'an extension schema': {
    attempt: viaPath((id) => `${orgs}/extension-schemas/${id}`, {
      name: 'N',
      description: '',
      attributes: [extensionAttribute('color')],
    }),
    refusal: '400 directory.valueInvalid',
    takesNear: false,
  },
  'a project': {
    attempt: viaApi(`POST ${orgs}/projects`, (id) => ({ id, name: uniqueName('Project') })),
    refusal: '400 directory.valueInvalid',
    takesNear: false,
  },
  'a project of an import': {
    attempt: viaImport('projects', (id) => ({ projectId: id, project: { name: id } })),
    refusal: 'RECORD-INVALID',
    takesNear: false,
  },
  'a role': {
    attempt: viaApi(`POST ${orgs}/projects/${projectId}/roles`, (key) => ({ key })),
    refusal: '400 directory.valueInvalid',
  },
  'a role of an import': {
    attempt: viaImport('projectRoles', (roleKey) => ({ projectId, roleKey: `${roleKey}` })),
    refusal: 'VALUE-INVALID',
    takesNear: false,
  },
  metadata: {
    attempt: viaPath((key) => `${orgs}/users/${acme.people.full.id}/metadata/${key}`, { value: 'YQ==' }),
    refusal: '400 directory.valueInvalid',
  },
  'metadata of an import': {
    attempt: viaImport('userMetadata', (key) => ({ userId: machine.id, key, value: 'YQ==' })),
    refusal: 'VALUE-INVALID',
  },
  'the key of an application': {
    attempt: viaApi(`POST ${orgs}/applications/${acme.web.id}/keys`, (kid) => ({ jwk: { ...jwk, kid } })),
    refusal: '400 directory.valueInvalid',
  },
  'the key of a service user': {
    attempt: viaApi(`POST ${orgs}/service-users/${machine.id}/keys`, (kid) => ({ jwk: { ...jwk, kid } })),
    refusal: '400 directory.valueInvalid',
  },
  'the key of an application of an import': {
    attempt: viaImport('apiApps', (kid) => ({
      appId: uniqueName('app'),
      app: { name: 'API', authMethod: 'private_key_jwt', clientKeys: imported(kid) },
    })),
    refusal: 'RECORD-INVALID',
  },
  'the key of a service user of an import': {
    attempt: viaImport('machineUsers', (kid) => {
      const userId = uniqueName('machine');
      return { userId, user: { userName: userId, clientKeys: imported(kid) } };
    }),
    refusal: 'RECORD-INVALID',
  },
  'a user of an import': {
    attempt: viaImport('humanUsers', (userId) => humanUser(uniqueName('user'), { userId })),
    refusal: 'RECORD-INVALID',
  },
  'a service user of an import': {
    attempt: viaImport('machineUsers', (userId) => ({
      userId: `${userId}`,
      user: { userName: uniqueName('m') },
    })),
    refusal: 'RECORD-INVALID',
    takesNear: false,
  },
  'an application of an import': {
    attempt: viaImport('oidcApps', (appId) => ({ appId, app: app0 })),
    refusal: 'RECORD-INVALID',
    takesNear: false,
  },
  'an API of an import': {
    attempt: viaImport('apiApps', (appId) => ({ appId, app: { name: 'API' } })),
    refusal: 'RECORD-INVALID',
    takesNear: false,
  },
  'a group of an import': {
    attempt: viaImport('groups', (groupId) => ({ groupId, group: { displayName: groupId } })),
    refusal: 'RECORD-INVALID',
    takesNear: false,
  },
};

/** Identifiers that the service makes, and parts of addresses that it fixes. */
const random = Symbol('random');
const fixed = Symbol('fixed');

/** Who chooses the value of each parameter of each route, by the segment before it. */
const chosenBy: Readonly<Record<string, readonly (keyof typeof ways)[] | typeof random | typeof fixed>> = {
  'v2/:orgId': ['an organization', 'an organization of an import'],
  'orgs/:orgId': ['an organization', 'an organization of an import'],
  'connections/:orgId': ['an organization', 'an organization of an import'],
  'logos/:orgId': ['an organization', 'an organization of an import'],
  'domains/:domainName': ['a domain'],
  'extension-schemas/:schemaId': ['an extension schema'],
  'projects/:projectId': ['a project', 'a project of an import'],
  'roles/:roleKey': ['a role', 'a role of an import'],
  'metadata/:key': ['metadata', 'metadata of an import'],
  'keys/:kid': ['the key of an application', 'the key of a service user'],
  'keys/:credentialId': ['the key of an application of an import', 'the key of a service user of an import'],
  'Users/:id': ['a user of an import'],
  'users/:id': ['a user of an import'],
  'users/:userId': ['a user of an import', 'a service user of an import'],
  'members/:userId': ['a user of an import'],
  'grants/:holderId': ['a user of an import', 'a service user of an import'],
  'group-grants/:holderId': ['a group of an import'],
  'members/:holderId': ['a user of an import', 'a service user of an import'],
  'grants/:userId': ['a user of an import', 'a service user of an import'],
  'service-users/:id': ['a service user of an import'],
  'applications/:id': ['an application of an import', 'an API of an import'],
  'application-grants/:clientId': ['an application of an import'],
  'grants/:clientId': ['an application of an import'],
  'consents/:clientId': ['an application of an import'],
  'Groups/:id': ['a group of an import'],
  'groups/:groupId': ['a group of an import'],
  'group-grants/:groupId': ['a group of an import'],
  'secrets/:secretId': random,
  'secrets/:credentialId': random,
  'tokens/:tokenId': random,
  'tokens/:credentialId': random,
  'federated-credentials/:credentialId': random,
  'memberships/:membershipId': random,
  'members/:membershipId': random,
  'roles/:membershipId': random,
  'roles/:id': random,
  'sessions/:sessionId': random,
  'passkeys/:passkeyId': random,
  'remembered-browsers/:browserId': random,
  'browsers/:browserId': random,
  'signing-keys/:kid': random,
  'connections/:connectionId': random,
  'identities/:connectionId': random,
  'sign-in-tests/:testId': random,
  'connection-tests/:testId': random,
  'setup-links/:setupLinkId': random,
  'setup/:setupLinkId': random,
  'jobs/:id': random,
  'jobs/:jobId': random,
  'many/:kept': random,
  'removals/:jobId': random,
  'trials/:jobId': random,
  'Schemas/:id': fixed,
  'ResourceTypes/:id': fixed,
  'schemas/:name': fixed,
  'api/:section': fixed,
  'docs/:name': fixed,
  'guides/:name': fixed,
  'mappings/:name': fixed,
  'change/:form': fixed,
};

/** All forms in which clients and proxies take a segment for `.` or `..`. */
const dotSegments = ['.', '..', '%2e', '%2E', '.%2e', '%2E.', '%2e%2E'];
/** Identifiers that resemble them. */
const near = ['...', '.a', 'a.', '%252e', '%2e%2e%2e', '..%2f', '.%', '%2f', '/'];

t.test('every parameter of every route is known here, and every way to choose it is tried', async (t) => {
  const found = routes
    .filter(({ refusing }) => !refusing)
    .flatMap(({ route }) => route.match(/[\w.-]+\/:\w+/g) ?? []);
  t.same([...new Set(found)].sort(), Object.keys(chosenBy).sort());
  const tried = Object.values(chosenBy).flatMap((one) => (typeof one === 'symbol' ? [] : one));
  t.same([...new Set(tried)].sort(), Object.keys(ways).sort());
});

for (const [name, { attempt, refusal, takesNear = true }] of Object.entries(ways)) {
  t.test(`${name}: no dot segment is taken`, async (t) => {
    const refused = await attempt(dotSegments);
    t.same(
      refused,
      dotSegments.map(() => refusal),
    );
    if (!takesNear) return;
    t.same(
      await attempt(near),
      near.map(() => 'made'),
    );
  });
}

t.test('SCIM chooses the identifiers of users and groups itself', async (t) => {
  const scim = `/scim/v2/${orgId}`;
  const headers = { 'content-type': 'application/scim+json' };
  for (const id of dotSegments) {
    const userName = uniqueName('scim');
    const answer = await call(`POST ${scim}/Users`, {
      as: root,
      headers,
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        id,
        userName,
        meta: { location: `/${id}` },
      },
    });
    t.equal(answer.status, 201, id);
    t.not(answer.body.id, id);
    t.equal(new URL(answer.body.meta.location).pathname, `${scim}/Users/${answer.body.id}`);
    const segment = id.replaceAll('.', '%2E');
    for (const line of [
      `GET ${scim}/Users/${segment}`,
      `DELETE ${scim}/Users/${segment}`,
      `GET ${scim}/Groups/${segment}`,
    ])
      t.equal((await sendRaw(line)).status, 404, line);
    const operations = [{ method: 'DELETE', path: `/Users/${id}` }];
    const bulk = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations };
    const { body } = await call(`POST ${scim}/Bulk`, { as: root, headers, body: bulk });
    t.match(body.Operations ?? [body], [{ status: /^40[04]$/ }], `Bulk of ${id}`);
  }
});

t.test('the address of an object that has such a name means that object, for every client', async (t) => {
  const keys = `${orgs}/service-users/${machine.id}/keys`;
  const roles = `${orgs}/projects/${projectId}/roles`;
  for (const id of near) {
    const resolved = new URL(`${keys}/${encodeURIComponent(id)}`, 'http://localhost').pathname;
    t.equal((await call(`DELETE ${resolved}`, { as: root })).status, 204, `kid ${id}`);
    const { headers } = await call(`POST ${roles}`, { as: root, body: { key: `${id}x` } });
    const { pathname } = new URL(headers['location'] ?? '');
    t.match((await call(`GET ${pathname}`, { as: root })).body, { key: `${id}x` }, `role ${id}`);
  }
});

/** Addresses of links and forms that a browser would change. */
function changedAddresses({ text }: Seen): string[] {
  const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
  const all = [...links, ...formsOf(text).map(({ action }) => action)].filter((one) =>
    one.startsWith('http'),
  );
  const pathOf = (address: string) => address.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/s, '');
  return all.filter((address) => new URL(address).pathname !== pathOf(address));
}

t.test('what an earlier version stored is shown, leads nowhere, and can be removed', async (t) => {
  const owner = await openConsole({ app, container }, organization, { roles: ['IAM_OWNER'] });
  const key = { kid: '..', jwk, created: new Date() };
  await container.mongo
    .collection<{ _id: string }>('serviceUsers')
    .updateOne({ _id: machine.id }, { $push: { keys: key } } as never);
  const page = await owner.get(`/console/orgs/${orgId}/service-users/${machine.id}`);
  t.equal(page.status, 200);
  t.match(page.text, '<code data-copy>..</code>');
  t.same(changedAddresses(page), []);
  t.match(
    (await call(`GET ${orgs}/service-users/${machine.id}/keys`, { as: root })).body.items.map(
      (one: { kid: string }) => one.kid,
    ),
    ['..'],
  );

  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const path of [
    `/console/orgs/${orgId}/service-users/${machine.id}/keys/%2E%2E/remove`,
    `/console/orgs/%2e%2E/users`,
    `/console/orgs/${orgId}/users/%2E`,
    `/console/orgs/${orgId}/groups/%2E%2E`,
    `/console/orgs/${orgId}/applications/%2E%2E`,
    `/console/migration/jobs/%2E%2E`,
    `/console/service/keys/%2E%2E/remove`,
  ]) {
    const answer = await sendRaw(`GET ${path}`, { headers: { cookie } });
    t.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
  }
  const removed = await sendRaw(`DELETE ${orgs}/service-users/${machine.id}/keys/%2E%2E`);
  t.equal(removed.status, 204, 'a client that sends a path as it is can remove it');
});

t.test('an attribute of a user is no address: a manager of the name ..', async (t) => {
  const owner = await openConsole({ app, container }, organization, { roles: ['IAM_OWNER'] });
  for (const id of dotSegments) {
    const { body } = await call(`POST /scim/v2/${orgId}/Users`, {
      as: root,
      headers: { 'content-type': 'application/scim+json' },
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: uniqueName('managed'),
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: id } },
      },
    });
    const page = await owner.get(`/console/orgs/${orgId}/users/${body.id}`);
    t.equal(page.status, 200, id);
    t.match(page.text, id);
    t.same(changedAddresses(page), [], id);
  }
});

t.test('a form of the console that takes an identifier refuses it', async (t) => {
  const owner = await openConsole({ app, container }, organization, { roles: ['IAM_OWNER'] });
  const place = `/console/orgs/${orgId}/settings/grants`;
  for (const clientId of ['.', '..']) {
    const page = await owner.fill(await owner.get(place), { clientId }, place);
    t.match(page, { status: 400, text: /Choose something else than \. or \.\./ }, clientId);
  }
  const log = await owner.get(`/console/orgs/${orgId}/provisioning/log?serviceUserId=..`);
  t.equal(log.status, 200);
});
