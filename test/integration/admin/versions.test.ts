import t from 'tap';
import { makeTenant } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** Two administrators change the same object: the second one has read an older version and is refused. */

const { container, call } = await buildTestApp(t);
const { orgId, owner: as, viewer } = await makeTenant(container);
const { id: applicationId } = await makeApplication(container, orgId);
const org = `/admin/v1/orgs/${orgId}`;

for (const [path, first, second] of [
  [org, { name: 'First' }, { name: 'Second' }],
  [`${org}/service-users/${viewer.id}`, { name: 'First' }, { name: 'Second' }],
  [`${org}/applications/${applicationId}`, { name: 'First' }, { orgOnly: false }],
] as const) {
  t.test(`a change of an older version is refused: ${path.replace(/[0-9a-f-]{36}/g, '…')}`, async (t) => {
    const { version } = (await call(`GET ${path}`, { as })).body;
    t.type(version, 'number');
    const changed = await call(`PATCH ${path}`, { as, body: { ...first, version } });
    t.match(changed, { status: 200, body: first });
    t.ok(changed.body.version > version);
    const refused = await call(`PATCH ${path}`, { as, body: { ...second, version } });
    t.match(refused, { status: 412, body: { id: 'directory.versionDiffers' } });
    t.same((await call(`GET ${path}`, { as })).body, changed.body, 'nothing was written');
    const again = await call(`PATCH ${path}`, { as, body: { ...second, version: changed.body.version } });
    t.match(again, { status: 200, body: second });
    t.equal(
      (await call(`PATCH ${path}`, { as, body: first })).status,
      200,
      'without a version all is as before',
    );
  });
}
