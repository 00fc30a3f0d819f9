import t from 'tap';
import { makeCaller, makeOrganization, makeTenant, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call } = await buildTestApp(t);
const home = await makeOrganization(container);
const instanceOwner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const serviceUsers = `/admin/v1/orgs/${acme.orgId}/service-users`;

/** Adds a service user as the owner of acme and returns its address. */
async function added(body: Record<string, unknown> = {}) {
  const answer = await call(`POST ${serviceUsers}`, {
    as: acme.owner,
    body: { userName: uniqueName('tool'), ...body },
  });
  return `${serviceUsers}/${answer.body.id}`;
}

t.test('a service user is made with defaults, read, changed and removed', async (t) => {
  const made = await call(`POST ${serviceUsers}`, { as: acme.owner, body: { userName: ' Okta ' } });
  t.equal(made.status, 201);
  t.match(made.body, {
    orgId: acme.orgId,
    userName: 'Okta',
    name: 'Okta',
    active: true,
    accessTokenType: 'opaque',
    ignorePasswordOnCreate: false,
    ignorePasswords: false,
    plainScimErrors: false,
  });
  t.notOk('description' in made.body);
  t.notOk('secrets' in made.body);
  const url = `${serviceUsers}/${made.body.id}`;
  t.equal(made.headers['location'], `https://muster.example${url}`);
  t.same((await call(`GET ${url}`, { as: acme.owner })).body, made.body);

  const body = {
    name: 'Okta SCIM',
    description: 'Sync',
    access_token_type: 'jwt',
    ignore_password_on_create: true,
    ignore_passwords: true,
    plain_scim_errors: true,
  };
  const changed = await call(`PATCH ${url}`, { as: acme.owner, body });
  t.equal(changed.status, 200);
  t.match(changed.body, {
    userName: 'Okta',
    name: 'Okta SCIM',
    description: 'Sync',
    accessTokenType: 'jwt',
    ignorePasswordOnCreate: true,
    ignorePasswords: true,
    plainScimErrors: true,
  });
  const cleared = await call(`PATCH ${url}`, { as: acme.owner, body: { description: null } });
  t.notOk('description' in cleared.body);
  t.equal(cleared.body.name, 'Okta SCIM');

  t.match(await call(`DELETE ${url}`, { as: acme.owner }), { status: 204, body: undefined });
  for (const request of [`GET ${url}`, `PATCH ${url}`, `DELETE ${url}`]) {
    const { status, body } = await call(request, { as: acme.owner });
    t.match({ status, id: body.id }, { status: 404, id: 'directory.serviceUserNotFound' }, request);
  }
  const { body: found } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { aggregateId: made.body.id, asc: true },
  });
  t.match(found.events, [
    { type: 'user.machine.added', sequence: 1 },
    { type: 'user.machine.changed', sequence: 2 },
    { type: 'user.machine.changed', sequence: 3, payload: { attributes: ['description'] } },
    { type: 'user.removed', sequence: 4, payload: { userName: 'Okta' } },
  ]);
});

t.test('a DELETE may say that its empty body is JSON', async (t) => {
  const url = await added();
  const headers = { 'content-type': 'application/json' };
  t.equal((await call(`DELETE ${url}`, { as: acme.owner, headers })).status, 204);
});

t.test('a userName is taken once in an organization, whatever its case', async (t) => {
  await added({ userName: 'Straße' });
  const body = { userName: 'sTRASSE'.replace('SS', 'ß') };
  const again = await call(`POST ${serviceUsers}`, { as: acme.owner, body });
  t.match({ status: again.status, id: again.body.id }, { status: 409, id: 'directory.clientIdTaken' });
  const second = await added();
  t.equal((await call(`PATCH ${second}`, { as: acme.owner, body })).status, 409);
  const elsewhere = `/admin/v1/orgs/${other.orgId}/service-users`;
  t.equal((await call(`POST ${elsewhere}`, { as: other.owner, body })).status, 201);
});

t.test('the list is paged and holds this organization alone', async (t) => {
  for (let i = 0; i < 3; i++) await added();
  const seen: { id: string; orgId: string }[] = [];
  let next: string | undefined;
  do {
    const { body } = await call(`GET ${serviceUsers}?limit=3${next ? `&after=${next}` : ''}`, {
      as: acme.owner,
    });
    seen.push(...body.items);
    next = body.next;
  } while (next !== undefined);
  t.equal(new Set(seen.map(({ id }) => id)).size, seen.length);
  t.ok(seen.length > 3);
  t.ok(seen.every(({ orgId }) => orgId === acme.orgId));
  t.ok(seen.some(({ id }) => id === acme.owner.id));
});

t.test('bad values are refused', async (t) => {
  const url = await added();
  const bodies = [
    {},
    { userName: '' },
    { userName: 'x'.repeat(201) },
    { userName: 'a\u0007b' },
    { userName: uniqueName('x'), name: '' },
    { userName: uniqueName('x'), description: 'x'.repeat(501) },
    { userName: uniqueName('x'), active: 'false' },
    { userName: uniqueName('x'), active: null },
    { userName: uniqueName('x'), accessTokenType: 'paper' },
    { userName: uniqueName('x'), secrets: [] },
    { userName: uniqueName('x'), orgId: other.orgId },
    { userName: uniqueName('x'), id: 'mine' },
  ];
  for (const body of bodies) {
    const { status } = await call(`POST ${serviceUsers}`, { as: acme.owner, body });
    t.equal(status, 400, JSON.stringify(body).slice(0, 80));
  }
  for (const body of [{ active: null }, { name: ' ' }, { userName: '' }, { version: 'x' }, { secrets: [] }]) {
    t.equal((await call(`PATCH ${url}`, { as: acme.owner, body })).status, 400, JSON.stringify(body));
  }
});

t.test('lesser roles are refused; other organizations are not there', async (t) => {
  const url = await added();
  const requests = [
    `POST ${serviceUsers}`,
    `GET ${serviceUsers}`,
    `GET ${url}`,
    `PATCH ${url}`,
    `DELETE ${url}`,
    `POST ${url}/secrets`,
    `GET ${url}/secrets`,
    `DELETE ${url}/secrets/x`,
    `POST ${url}/tokens`,
    `GET ${url}/tokens`,
    `DELETE ${url}/tokens/x`,
  ];
  for (const request of requests) {
    const options = request.startsWith('GET') ? {} : { body: {} };
    t.equal((await call(request, options)).status, 401, request);
    t.equal((await call(request, { as: acme.manager, ...options })).status, 403, request);
    const stranger = await call(request, { as: other.owner, ...options });
    t.match(
      { status: stranger.status, id: stranger.body.id },
      { status: 404, id: 'directory.organizationNotFound' },
    );
    // The right organization in the path, and a service user of another.
    const crossed = request.replace(acme.orgId, other.orgId);
    if (crossed.includes(url.slice(serviceUsers.length))) {
      const answer = await call(crossed, { as: other.owner, ...options });
      t.match(
        { status: answer.status, id: answer.body.id },
        { status: 404, id: 'directory.serviceUserNotFound' },
      );
    }
  }
  t.equal((await call(`GET ${url}`, { as: acme.owner })).status, 200);
});

t.test('an organization owner has no power over more powerful service users in it', async (t) => {
  const guests = [
    await makeCaller(container, acme.orgId, ['IAM_OWNER']),
    await makeCaller(container, acme.orgId),
  ] as const;
  const member = await call(`POST /admin/v1/orgs/${other.orgId}/memberships`, {
    as: instanceOwner,
    body: { userId: guests[1].id, role: 'ORG_USER_VIEWER' },
  });
  t.equal(member.status, 201);
  for (const guest of guests) {
    const url = `${serviceUsers}/${guest.id}`;
    for (const request of [
      `POST ${url}/tokens`,
      `POST ${url}/secrets`,
      `POST ${url}/keys`,
      `DELETE ${url}/tokens/x`,
      `DELETE ${url}/secrets/x`,
      `DELETE ${url}/keys/x`,
      `PATCH ${url}`,
      `DELETE ${url}`,
    ]) {
      const { status, body } = await call(request, { as: acme.owner, body: {} });
      t.match({ status, id: body.id }, { status: 403, id: 'tokens.permissionMissing' }, request);
    }
    t.equal((await call(`GET ${url}`, { as: acme.owner })).status, 200);
    t.equal((await call(`POST ${url}/tokens`, { as: instanceOwner })).status, 201);
  }
});

t.test('many changes at once are all made', async (t) => {
  const url = await added();
  const bodies = [
    { name: 'N' },
    { description: 'D' },
    { accessTokenType: 'jwt' },
    { ignorePasswordOnCreate: true },
    { ignorePasswords: true },
    { plainScimErrors: true },
  ];
  const answers = await Promise.all(bodies.map((body) => call(`PATCH ${url}`, { as: acme.owner, body })));
  t.same(
    answers.map(({ status }) => status),
    bodies.map(() => 200),
  );
  t.match((await call(`GET ${url}`, { as: acme.owner })).body, Object.assign({}, ...bodies));
});
