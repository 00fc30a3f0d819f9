import t from 'tap';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type ApiOperation, addressOf, apiOperations } from '../../support/hostile/api-operations.js';

/** Rules for the requests of every operation under /admin/v1. The rows are made from the published document. */

const { app, container } = await buildTestApp(t);
const { orgId, project, machine, web, people, group } = await makeFullOrganization(container);
const owner = await makeCaller(container, orgId, ['IAM_OWNER']);

const operations = (await apiOperations(app)).filter(({ path }) => path.startsWith('/admin/'));

function send({ method, path, ...operation }: ApiOperation, query = '') {
  const id = path.includes('/applications/')
    ? web.id
    : path.includes('/users/')
      ? people.full.id
      : machine.id;
  const known = {
    orgId,
    projectId: project.id,
    id,
    roleKey: 'reader',
    userId: people.full.id,
    groupId: group.id,
    connectionId: 'unknown',
    testId: 'unknown',
    setupLinkId: 'unknown',
  };
  const domainName = `b.${orgId}.example`;
  return app.inject({
    method: method as 'GET',
    url: `${addressOf({ method, path, ...operation }, { ...known, domainName })}${query}`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
}

t.test('an integer of a query is written in digits', async (t) => {
  const paged = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));
  t.ok(paged.length > 8);
  for (const operation of paged) {
    for (const wrong of [
      'true',
      'false',
      'null',
      '',
      '1.5',
      '1e1',
      '0x1',
      '+1',
      '%201',
      '0',
      '101',
      '1&limit=2',
    ]) {
      const { statusCode, payload } = await send(operation, `?limit=${wrong}`);
      t.equal(statusCode, 400, `${operation.id}: ${wrong}`, { payload });
    }
    t.equal((await send(operation, '?limit=1')).statusCode, 200, operation.id);
    t.equal((await send(operation, '?limit=007')).statusCode, 200, operation.id);
  }
});

t.test('a change needs a body', async (t) => {
  const changes = operations.filter(({ method }) => method === 'PATCH');
  t.ok(changes.length >= 8);
  for (const operation of changes) {
    const { statusCode, payload } = await send(operation);
    t.equal(statusCode, 400, operation.id, { payload });
    t.match(payload, 'A change needs a body');
  }
});
