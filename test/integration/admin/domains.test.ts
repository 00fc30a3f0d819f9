import t from 'tap';
import { makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call } = await buildTestApp(t);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const instanceOwner = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const domains = `/admin/v1/orgs/${acme.orgId}/domains`;
const as = acme.owner;

const listed = async () => (await call(`GET ${domains}`, { as })).body.items;

t.test('domains are added, verified, made primary and removed', async (t) => {
  const added = await call(`POST ${domains}`, { as, body: { domainName: ' One.Example ' } });
  t.match(added, {
    status: 201,
    body: { domainName: 'one.example', isVerified: false, isPrimary: false },
  });
  t.equal(added.headers['location'], `https://muster.example${domains}/one.example`);
  t.same((await call(`GET ${domains}/one.example`, { as })).body, added.body);
  t.same((await call(`GET /admin/v1/orgs/${acme.orgId}`, { as })).body.domains, []);

  const two = { domainName: 'two.example', isVerified: true };
  t.match((await call(`POST ${domains}`, { as: instanceOwner, body: two })).body, {
    isVerified: true,
    isPrimary: true,
  });
  const verify = { as: instanceOwner, body: { isVerified: true } };
  const verified = await call(`PATCH ${domains}/one.example`, verify);
  t.match(verified.body, { isVerified: true, isPrimary: false });
  const primary = await call(`PATCH ${domains}/one.example`, { as, body: { isPrimary: true } });
  t.match(primary.body, { isVerified: true, isPrimary: true });
  t.same(await listed(), [
    { domainName: 'one.example', isVerified: true, isPrimary: true },
    { domainName: 'two.example', isVerified: true, isPrimary: false },
  ]);
  t.match((await call(`PATCH ${domains}/one.example`, { as, body: { isVerified: false } })).body, {
    isVerified: false,
    isPrimary: false,
  });
  t.same(await listed(), [
    { domainName: 'two.example', isVerified: true, isPrimary: true },
    { domainName: 'one.example', isVerified: false, isPrimary: false },
  ]);
  t.equal((await call(`DELETE ${domains}/two.example`, { as })).status, 204);
  t.equal((await call(`GET ${domains}/two.example`, { as })).status, 404);
});

t.test('a verified domain is of one organization, an unverified one of any', async (t) => {
  const elsewhere = `/admin/v1/orgs/${other.orgId}/domains`;
  const body = { domainName: 'shared.example' };
  t.equal((await call(`POST ${domains}`, { as, body })).status, 201);
  t.equal((await call(`POST ${elsewhere}`, { as: other.owner, body })).status, 201);
  t.match(await call(`POST ${domains}`, { as, body }), {
    status: 409,
    body: { id: 'directory.domainExists' },
  });
  t.equal(
    (await call(`PATCH ${elsewhere}/shared.example`, { as: instanceOwner, body: { isVerified: true } }))
      .status,
    200,
  );
  t.match(await call(`PATCH ${domains}/shared.example`, { as: instanceOwner, body: { isVerified: true } }), {
    status: 409,
    body: { id: 'directory.organizationExists' },
  });
});

t.test('only owners of the instance say that a domain is verified', async (t) => {
  const refused = { status: 403, body: { id: 'tokens.permissionMissing' } };
  const body = { domainName: 'claimed.example', isVerified: true };
  t.match(await call(`POST ${domains}`, { as, body }), refused);
  t.equal((await call(`GET ${domains}/claimed.example`, { as })).status, 404);
  t.equal((await call(`POST ${domains}`, { as, body: { ...body, isVerified: false } })).status, 201);
  t.match(await call(`PATCH ${domains}/claimed.example`, { as, body: { isVerified: true } }), refused);
  t.match((await call(`GET ${domains}/claimed.example`, { as })).body, { isVerified: false });
});

t.test('invalid domains are refused', async (t) => {
  t.equal((await call(`POST ${domains}`, { as, body: { domainName: 'no dots' } })).status, 400);
  const unverified = { domainName: 'new.example', isPrimary: true };
  t.match(await call(`POST ${domains}`, { as, body: unverified }), {
    status: 400,
    body: { id: 'directory.valueInvalid' },
  });
  t.equal((await call(`DELETE ${domains}/none.example`, { as })).status, 404);
  t.equal((await call(`GET ${domains}`, { as: acme.manager })).status, 403);
  t.equal((await call(`GET ${domains}`, { as: other.owner })).status, 404);
});
