import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { convertPeople, type PeopleInput } from '#src/migration/convert/convert-people.js';
import { scimFormat } from '#src/migration/convert/people/scim.js';
import { createScimClient } from '#src/migration/convert/scim/scim-client.js';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { startWebServer } from '../../support/network/web-server.js';
import { type Json, newUser, urn } from '../../support/scim/scim-client.js';

/** `muster convert scim`: another organization of Muster, and servers that answer in other ways. */

const folder = mkdtempSync(join(tmpdir(), 'muster-scim-'));
t.teardown(() => rmSync(folder, { recursive: true }));

/** Converts what a server has, and returns the report with what was written. */
async function convertFrom(
  baseUrl: string,
  {
    token = 'token',
    orgId = 'o',
    ...options
  }: Partial<PeopleInput> & { token?: string; orgId?: string } = {},
) {
  const path = join(folder, 'out.json');
  const client = createScimClient({ baseUrl, token, signal: options.signal });
  const input = {
    users: [`${baseUrl}/Users`, `${baseUrl}/Groups`],
    ...{ emailVerified: true, skipInvalid: false, strict: false },
    ...options,
  };
  const output = { path, orgId, timeout: '5m', multiline: false };
  const report = await convertPeople(scimFormat(client), input, output);
  const body: Json = report.written ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  return {
    ...report,
    body,
    org: (body?.dataOrgs ?? body?.dataOrgsv1)?.orgs[0],
    told: report.problems.list().map(({ file, line, severity, message }) => {
      return `${file.slice(baseUrl.length)}:${line} ${severity} ${message}`;
    }),
    lost: (report.losses ?? []).map(({ path, records }) => `${path} ${records}`),
  };
}

type Page = { readonly totalResults: number; readonly Resources?: unknown; readonly startIndex?: number };

/** A server that pages as RFC 7644 says. */
function served(
  users: readonly object[],
  groups: readonly { id: string; displayName: string; members?: unknown }[] = [],
) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://x');
    const [, list, id] = url.pathname.split('/');
    const startIndex = Number(url.searchParams.get('startIndex'));
    const count = Number(url.searchParams.get('count'));
    const all: readonly object[] = list === 'Users' ? users : groups.map(({ members: _, ...group }) => group);
    const page: Page = {
      totalResults: all.length,
      startIndex,
      Resources: all.slice(startIndex - 1, startIndex - 1 + count),
    };
    const one = groups.find((group) => group.id === decodeURIComponent(id ?? ''));
    response.setHeader('content-type', 'application/scim+json');
    response.end(JSON.stringify(id === undefined ? page : one));
  };
}

const user = (id: string, more: object = {}) => ({
  schemas: [urn.user],
  id,
  userName: `user-${id}`,
  emails: [{ value: `${id}@scim.example` }],
  ...more,
});

t.test('users and groups of an organization of Muster come into another one', async (t) => {
  const { container, call, baseUrl } = await buildListeningApp(t, { workers: true });
  const [source, target] = [await makeOrganization(container), await makeOrganization(container)];
  const as = await makeCaller(container, source.id, ['IAM_OWNER']);
  const extended = {
    externalId: 'ext-1',
    name: { givenName: 'Ada', familyName: 'Ek', middleName: 'M', formatted: 'Dr. Ada M Ek' },
    displayName: 'Ada E.',
    nickName: 'ada',
    active: false,
    title: 'Engineer',
    locale: 'sv-SE',
    timezone: 'Europe/Stockholm',
    preferredLanguage: 'sv',
    emails: [
      { value: 'home@scim.example', type: 'home' },
      { value: 'ada@scim.example', type: 'work', primary: true },
    ],
    phoneNumbers: [{ value: '+46701234567', type: 'mobile', primary: true }],
    addresses: [{ streetAddress: 'Gatan 1', locality: 'Lund', country: 'SE', type: 'work' }],
    photos: [{ value: 'https://scim.example/ada.jpg', type: 'photo' }],
    roles: [{ value: 'admin', primary: true }],
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
      employeeNumber: '7',
      department: 'Research',
      manager: { value: 'boss-1' },
    },
    'urn:ietf:params:scim:schemas:extension:service:2.0:User': {
      website: 'https://ada.example',
      gender: 'female',
    },
  };
  const add = async (path: 'Users' | 'Groups', body: object) => {
    const answer = await call(`POST /scim/v2/${source.id}/${path}`, { as, body });
    t.equal(answer.status, 201);
    return answer.body.id as string;
  };
  const ada = await add('Users', newUser(extended));
  const many = Array.from({ length: 120 }, (_, n) => newUser({ userName: `page-${n}` }));
  for (const one of many) await add('Users', one);
  const group = await add('Groups', {
    schemas: [urn.group],
    displayName: 'Lab',
    externalId: 'g-ext',
    members: [{ value: ada }],
  });
  await add('Groups', { schemas: [urn.group], displayName: 'Empty' });

  const { told, lost, groups, memberships, users, body, written } = await convertFrom(
    `${baseUrl}/scim/v2/${source.id}`,
    { token: as.token, orgId: target.id },
  );
  t.same(told, []);
  t.same([users, groups, memberships, written], [121, 2, 1, true]);
  t.same(lost, []);
  const stored = (await call(`GET /scim/v2/${source.id}/Groups/${group}`, { as })).body;
  const converted = body.dataOrgs.orgs[0].groups.find((one: { groupId: string }) => one.groupId === group);
  t.equal(converted.group.created, stored.meta.created, 'a group keeps its dates');
  t.equal(converted.group.lastModified, stored.meta.lastModified);
  // In one instance an identifier is of one organization.
  const text = JSON.stringify(body).replaceAll(ada, 'ada-moved').replaceAll(group, 'lab-moved');
  const moved = JSON.parse(text);
  for (const one of moved.dataOrgs.orgs[0].humanUsers) if (one.userId !== 'ada-moved') delete one.userId;
  for (const one of moved.dataOrgs.orgs[0].groups)
    if (one.groupId !== 'lab-moved') one.groupId = 'empty-moved';
  const imported = await call('POST /admin/v1/import', { as, body: moved });
  t.same(imported.body.errors ?? [], [], 'everything was imported');

  const read = async (orgId: string, id: string) => {
    const answer = await call(`GET /scim/v2/${orgId}/Users/${id}`, { as });
    const { meta: _, id: __, groups, ...others } = answer.body;
    return { ...others, groups: groups?.map(({ display }: Json) => display) };
  };
  const plain = (value: Json) => JSON.parse(JSON.stringify(value).replaceAll(target.id, source.id));
  t.same(
    plain(await read(target.id, 'ada-moved')),
    plain(await read(source.id, ada)),
    'nothing of a user is lost',
  );
});

t.test('a mapping names paths of extensions, and what has no place is told', async (t) => {
  const urnOfOwn = 'urn:example:1.0:User';
  const server = await startWebServer(
    t,
    served(
      [
        user('1', {
          schemas: [urn.user, urnOfOwn],
          active: 'False',
          x509Certificates: [{ value: 'MII' }],
          emails: [
            { value: 'a@scim.example', primary: true, note: 'x' },
            { value: 'b@scim.example', primary: true },
            'c',
          ],
          [urnOfOwn]: { badge: 'B-1', secret: 'secret-text' },
          meta: {
            resourceType: 'User',
            created: '2020-01-01T00:00:00Z',
            lastModified: '2021-02-03T04:05:06Z',
          },
        }),
        user('2', {
          active: true,
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: '1' },
        }),
        user('3'),
      ],
      [
        {
          id: 'g1',
          displayName: 'Team',
          members: [{ value: '1' }, { value: 'g2', type: 'Group' }, { value: 'gone' }],
        },
        { id: 'g2', displayName: 'team', members: [{ value: '2' }] },
      ],
    ),
  );
  const map = JSON.stringify({ attributes: [{ from: [urnOfOwn, 'badge'], to: 'employeeNumber' }] });
  const { told, lost, org, explained } = await convertFrom(server.url, { map });
  t.same(told.sort(), [
    '/Groups:1 note the member "g2" is a group, and groups are in no group',
    '/Groups:1 note the member "gone" is no person of the output',
  ]);
  t.same(lost, [
    'emails[] 1',
    'emails[].note 1',
    'members[].value 1',
    `${urnOfOwn}.secret 1`,
    'x509Certificates[].value 1',
  ]);
  t.match(org.humanUsers, [
    {
      userId: '1',
      user: {
        created: '2020-01-01T00:00:00.000Z',
        lastModified: '2021-02-03T04:05:06.000Z',
        email: { email: 'a@scim.example', isEmailVerified: true },
        scim: {
          active: false,
          employeeNumber: 'B-1',
          emails: [{ primary: true }, { value: 'b@scim.example', primary: false }],
        },
      },
    },
    { userId: '2', user: { scim: { active: true, manager: '1' } } },
    { userId: '3', user: { scim: { active: undefined } } },
  ]);
  t.same(
    org.groups.map(({ group }: Json) => group.displayName),
    ['Team (g1)', 'team (g2)'],
  );
  t.same(org.groupMembers.map(({ groupId, userId }: Json) => `${groupId} ${userId}`).sort(), [
    'g1 1',
    'g2 2',
  ]);
  t.notMatch(JSON.stringify(explained), 'secret-text');
  t.equal((await convertFrom(server.url, { strict: true })).written, false);
});

t.test('a busy server is asked again when it says, and only then', async (t) => {
  let refusals = 0;
  const busy = await startWebServer(t, (request, response) => {
    if (refusals++ % 3 < 2) {
      response.writeHead(refusals % 2 === 0 ? 429 : 503, { 'retry-after': '0' }).end('busy');
    } else served([user('1')])(request, response);
  });
  t.equal((await convertFrom(busy.url)).users, 1);
  t.equal(busy.requests.length, 6);

  const later = await startWebServer(t, (_request, response) => {
    response.writeHead(503, { 'retry-after': '86400' }).end();
  });
  await t.rejects(convertFrom(later.url), { message: /wants no request for 86400 s/ });
  const broken = await startWebServer(t, (_request, response) => {
    response.writeHead(500).end();
  });
  await t.rejects(convertFrom(broken.url), { message: /answers 500$/ });
  t.equal(broken.requests.length, 1);
});

t.test('the token goes to no other origin, and only over https', async (t) => {
  const tokens: (string | undefined)[] = [];
  const other = await startWebServer(t, (request, response) => {
    tokens.push(request.headers.authorization);
    response.end('{}');
  });
  const leading = await startWebServer(t, (_request, response) => {
    response.writeHead(302, { location: `${other.url}/Users` }).end();
  });
  await t.rejects(convertFrom(leading.url), { message: /leads to http.*which gets no token/ });
  t.same([tokens, other.requests], [[], []]);
  const round = await startWebServer(t, (request, response) => {
    response.writeHead(307, { location: request.url ?? '' }).end();
  });
  await t.rejects(convertFrom(round.url), { message: /redirects too often/ });
  t.equal(round.requests.length, 4);
  const moved = await startWebServer(t, (request, response) => {
    if (request.url?.startsWith('/new/')) {
      const url = request.url.slice('/new'.length);
      served([user('1')])(Object.assign(request, { url }), response);
    } else response.writeHead(308, { location: `/new${request.url}` }).end();
  });
  t.equal((await convertFrom(moved.url)).users, 1);

  for (const url of [
    'http://scim.example.com/v2',
    'http://127.0.0.1.evil.example/v2',
    'http://localhost.evil.example/',
    'ftp://localhost/',
    'https://user:secret@scim.example.com/',
    'https://scim.example.com/?token=secret',
    'scim',
  ]) {
    t.throws(() => createScimClient({ baseUrl: url, token: 'x' }), { message: /^--url must/ }, url);
  }
  t.doesNotThrow(() => createScimClient({ baseUrl: 'http://[::1]:8080/v2', token: 'x' }));
  t.throws(() => createScimClient({ baseUrl: other.url, token: 'a\nb' }), { message: /a character/ });
});

t.test('servers that page wrongly are refused, because people would be missing', async (t) => {
  const answers: [unknown, RegExp][] = [
    [
      { totalResults: 3, Resources: [user('1')], startIndex: 1 },
      /gives the page from 1 instead of the one from 2/,
    ],
    [{ totalResults: 3, Resources: [user('1')] }, /gives the same page again/],
    [{ totalResults: 3, Resources: [] }, /gives only 0 of its 3/],
    [{ totalResults: 3 }, /gives only 0 of its 3/],
    [{ totalResults: 1e9, Resources: [user('1')] }, /more than 10000000/],
    [{ totalResults: '3', Resources: [] }, /something else than a list/],
    [{ Resources: [] }, /something else than a list/],
    [[], /something else than a JSON object/],
    ['secret-text', /something else than a JSON object/],
    [{ totalResults: 0 }, /has no users/],
  ];
  for (const [answer, message] of answers) {
    const server = await startWebServer(t, (_request, response) => {
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
    const told = await convertFrom(server.url).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    t.match(told, message);
    t.notMatch(told, 'secret-text');
    t.ok(server.requests.length < 5);
  }
  const statuses: [number, RegExp][] = [
    [401, /answers 401: the server does not know the token/],
    [403, /answers 403: the token may not read this/],
    [404, /\/Users is not there/],
  ];
  for (const [status, message] of statuses) {
    const server = await startWebServer(t, (_request, response) => {
      response.writeHead(status).end();
    });
    await t.rejects(convertFrom(server.url), { message });
  }
});

t.test('items that are no users are told, and an answer without end is cut', async (t) => {
  const items = [
    null,
    'x',
    { userName: '' },
    user('\u0000'),
    user('1'),
    user('2', { userName: 'a\u0000b' }),
  ] as object[];
  const server = await startWebServer(t, served(items));
  const { told, users } = await convertFrom(server.url, { skipInvalid: true });
  t.match(told.join('\n'), /Users:1 error not a resource of SCIM/);
  t.match(told.join('\n'), /Users:3 error not a user of SCIM/);
  t.match(told.join('\n'), /Users:4 error the identifier is not/);
  t.equal(users + told.length, items.length);

  const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const deep = await startWebServer(t, (request, response) => {
    if (request.url?.startsWith('/Groups')) response.writeHead(404).end();
    else {
      const own = JSON.stringify(user('1', { x: 0 })).replace('"x":0', `"x":${nested}`);
      response.end(`{"totalResults":1,"Resources":[${own}]}`);
    }
  });
  const { users: one, lost } = await convertFrom(deep.url);
  t.same([one, lost], [1, ['x[][][][][] 1']], 'a server needs no groups');

  const block = Buffer.alloc(1024 * 1024, 'x');
  const endless = await startWebServer(t, (_request, response) => {
    response.on('error', () => {});
    const send = () => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', send);
    };
    response.write('{"totalResults":1,"x":"');
    send();
  });
  await t.rejects(convertFrom(endless.url), { message: /answers with more than 67108864 bytes/ });
});

t.test('an interruption ends a request, and leaves nothing behind', async (t: Test) => {
  const stop = new AbortController();
  const silent = await startWebServer(t, () => stop.abort(new Error('Interrupted')));
  await t.rejects(convertFrom(silent.url, { signal: stop.signal }), { message: 'Interrupted' });
});
