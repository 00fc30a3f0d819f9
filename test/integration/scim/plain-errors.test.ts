import t, { type Test } from 'tap';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor as editor } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { type Answer, type Json, newUser, type ScimClient, urn } from '../../support/scim/scim-client.js';

/** Error bodies with nothing beyond RFC 7644 section 3.12, for clients that accept no other. */

const { tenant, client, container } = await openScim(t, { workers: true, rateLimitPerClient: 60 });

const usual = await tenant();
const byOrganization = await tenant();
const byServiceUser = await tenant();
const plainly = { plainScimErrors: true };
await changeOrganization(container, { orgId: byOrganization.orgId, change: plainly, editor });
await changeServiceUser(container, {
  orgId: byServiceUser.orgId,
  id: byServiceUser.userId,
  change: plainly,
  editor,
});

/** Checks that a body has only the members of the RFC, and that a header has the identifier. */
function isPlain(t: Test, { status, body, headers }: Answer, id: string): void {
  t.same(
    Object.keys(body)
      .filter((name) => name !== 'scimType')
      .sort(),
    ['detail', 'schemas', 'status'],
    id,
  );
  t.same(body.schemas, [urn.error]);
  t.equal(body.status, String(status));
  t.equal(headers['x-error-id'], id);
}

const requests: Record<string, (client: ScimClient) => Promise<Answer>> = {
  'scim.missingValue': (client) => client.post('/Users', newUser({ userName: '' })),
  'scim.badJson': (client) => client.post('/Users', '{'),
  'directory.userNotFound': (client) => client.get('/Users/nobody'),
  'directory.userNameTaken': async (client) => {
    await client.create({ userName: 'twin' }).catch(() => undefined);
    return client.post('/Users', newUser({ userName: 'TWIN' }));
  },
  'scim.filterSyntax': (client) => client.get('/Users?filter=x'),
  'scim.methodNotAllowed': (client) => client.send('PUT', '/Users'),
  'scim.meNotImplemented': (client) => client.get('/Me'),
  'http.encodingUnsupported': (client) => client.post('/Users', '{}', { 'content-encoding': 'br' }),
};

t.test('an organization, or a service user, is set to plain errors', async (t) => {
  for (const [id, request] of Object.entries(requests)) {
    isPlain(t, await request(byOrganization), id);
    isPlain(t, await request(byServiceUser), id);
    const answer = await request(usual);
    t.same(answer.body.schemas, [urn.error, urn.errorDetail], id);
    t.equal(answer.body[urn.errorDetail].id, id);
    t.equal(answer.headers['x-error-id'], id);
  }
});

t.test('errors that come before the caller is asked for are plain too', async (t) => {
  const before: Record<string, (client: ScimClient) => Promise<Answer>> = {
    'scim.urlNotFound': (client) => client.get('/Nothing'),
    'scim.badMediaType': (client) => client.get('/Users', { accept: 'text/html' }),
    'scim.schemaNotFound': (client) => client.get('/Schemas/x'),
    'http.notFound': (client) => client.send('QUERY', '/Nothing'),
  };
  for (const [id, request] of Object.entries(before)) {
    isPlain(t, await request(byOrganization), id);
    isPlain(t, await request(byServiceUser), id);
    t.ok((await request(usual)).body[urn.errorDetail], id);
  }
});

t.test('the form of an error tells nobody whether an organization exists', async (t) => {
  const unknown: Record<string, string> = { 'no token': '', 'a bad token': 'Bearer x' };
  for (const [name, authorization] of Object.entries(unknown)) {
    for (const path of ['/Users', '/Nothing']) {
      const one = await byOrganization.get(path, { authorization });
      const none = await byOrganization.at('nowhere').get(path, { authorization });
      t.ok(one.body[urn.errorDetail], `${name} ${path}`);
      t.same(one.body, none.body);
    }
  }
  for (const path of ['/Users', '/Nothing']) {
    const one = await usual.at(byOrganization.orgId).get(path);
    t.same(one.body, (await usual.at('nowhere').get(path)).body, 'a caller without a role there');
    t.ok(one.body[urn.errorDetail]);
  }
  const elsewhere = byServiceUser.at(usual.orgId);
  isPlain(t, await elsewhere.get('/Users'), 'directory.organizationNotFound');
});

t.test('a limited caller gets them too', async (t) => {
  const limited = await client({ orgId: byOrganization.orgId });
  let answer = await limited.get('/Users?count=0');
  while (answer.status === 200) answer = await limited.get('/Users?count=0');
  t.equal(answer.status, 429);
  isPlain(t, answer, 'http.rateLimited');
});

t.test('the errors of a Bulk inside of its answer are plain', async (t) => {
  const operations = [
    { method: 'POST', path: '/Users', bulkId: 'a', data: newUser({ userName: '' }) },
    { method: 'DELETE', path: '/Users/nobody' },
    { method: 'GET', path: '/Users' },
  ];
  for (const one of [byOrganization, byServiceUser]) {
    const { body } = await one.bulk(operations);
    t.same(
      body.Operations.map(({ response }: Json) => response.schemas),
      [[urn.error], [urn.error], [urn.error]],
    );
    for (const { response, status } of body.Operations) {
      t.notOk(urn.errorDetail in response);
      t.equal(response.status, status);
    }
  }
  const { body } = await usual.bulk(operations);
  for (const { response } of body.Operations) t.ok(response[urn.errorDetail]);
});

t.test('the setting is taken back', async (t) => {
  const change = { plainScimErrors: false };
  await changeOrganization(container, { orgId: byOrganization.orgId, change, editor });
  const again = await client({ orgId: byOrganization.orgId });
  t.ok((await again.get('/Users/nobody')).body[urn.errorDetail]);
});
