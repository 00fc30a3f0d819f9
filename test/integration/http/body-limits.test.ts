import { Readable } from 'node:stream';
import t from 'tap';
import { addProject } from '#src/access/projects/add-project.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { registeredRoutes } from '../../support/hostile/api-operations.js';

const usual = 1_048_576;
const { app, container } = await buildTestApp(t, {
  importMaxBytes: usual,
  smtpUrl: 'smtp://127.0.0.1:1',
});
const organization = await makeOrganization(container);
const { id: orgId } = organization;
const { token } = await makeCaller(container, orgId, ['IAM_OWNER']);
/** Existing objects for the addresses. */
const named = {
  projects: await addProject(container, { orgId, name: 'Shop', editor: testEditor }),
  users: await makePerson(container, organization),
  'service-users': await makeCaller(container, orgId),
  applications: (
    await addApplication(container, { orgId, settings: { name: 'Shop', type: 'api' }, editor: testEditor })
  ).application,
};
/** The address of a route with its parameters filled in. */
function addressOf(path: string): string {
  let address = path.replace(/^(\/scim\/v2|\/admin\/v1\/orgs)\/:/, `$1/${orgId}`);
  for (const [kind, { id }] of Object.entries(named))
    address = address.replace(`/${kind}/:`, `/${kind}/${id}`);
  return address.replaceAll(':', 'x');
}

interface Room {
  readonly at: RegExp;
  readonly limit: number;
  readonly takes: string;
  /** The type of the room's answer to a body that is too large. */
  readonly type: RegExp;
  readonly says: RegExp;
}

const form = 'application/x-www-form-urlencoded';
const scim = {
  takes: 'application/scim+json',
  type: /^application\/scim\+json/,
  says: /"status":"413".*"http\.bodyTooLarge"/,
};
const page = { takes: form, type: /^text\/html/, says: /<html/ };
const problem = { takes: 'application/json', type: /^application\/problem\+json/ };

/** The first one that fits is the room of a route. */
const rooms: readonly Room[] = [
  { at: /^\/scim\/.*\/Bulk$/, limit: 1_000_000, ...scim },
  { at: /^\/scim\/v2\/:\/Users/, limit: 262_144, ...scim },
  { at: /^\/scim\//, limit: usual, ...scim },
  { at: /^\/console\/.*\/users\/:\/edit$/, limit: 262_144, ...page },
  { at: /^\/console\/.*\/users\/many\/cells$/, limit: 1_000_000, ...page },
  { at: /^\/console/, limit: 65_536, ...page },
  { at: /^\/login\/connections\/.*\/saml\/acs$/, limit: 430_080, ...page },
  { at: /^\/login\/connections\/.*\/saml\/logout$/, limit: 65_536, ...page },
  { at: /^\/setup\/saml$/, limit: 430_080, ...page },
  { at: /^\/(login|account|setup)/, limit: 32_768, ...page },
  { at: /^\/operations/, limit: usual, ...page },
  { at: /^\/oauth\/v2\/authorize|^\/oidc\/v1\/end_session/, limit: 65_536, ...page },
  {
    at: /^\/(oauth|oidc)\//,
    limit: 65_536,
    ...{ takes: form, type: /^application\/json/, says: /"error":"invalid_request"/ },
  },
  {
    at: /^\/admin\/v1\/(orgs\/:\/import|orgs\/:\/verify|import|verify)$/,
    limit: usual,
    ...problem,
    says: /"id":"import\.tooLarge"/,
  },
  // A megabyte in base64.
  { at: /^\/admin\/v1\/orgs\/:\/logo$/, limit: 1_399_128, ...problem, says: /"id":"http\.bodyTooLarge"/ },
  { at: /^\/admin\//, limit: usual, ...problem, says: /"id":"http\.bodyTooLarge"/ },
];

/** Every route that may have a body. */
const routes = registeredRoutes(app).filter((route) => /^(POST|PUT|PATCH) /.test(route));

t.test('every route refuses a body of one byte more than its limit, in its own words', async (t) => {
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const room = rooms.find(({ at }) => at.test(path));
    if (room === undefined) {
      t.fail(`${route}: the test knows no limit`);
      continue;
    }
    const { limit, takes } = room;
    const send = (payload: Buffer | Readable, headers: Record<string, string> = {}) =>
      app.inject({
        method: method as 'POST',
        url: addressOf(path),
        headers: { 'content-type': takes, authorization: `Bearer ${token}`, ...headers },
        payload,
      });
    const body = Buffer.alloc(limit + 1, 32);
    body.write(takes === form ? 'x=' : '{');
    const pieces = () => Readable.from([body.subarray(0, limit), body.subarray(limit)]);
    for (const [way, answer] of Object.entries({
      'with its length': await send(body),
      'in chunks': await send(pieces(), { 'transfer-encoding': 'chunked' }),
    })) {
      // It only says which methods there are, or that there is no alias /Me, and reads no body.
      if ([405, 501].includes(answer.statusCode)) continue;
      t.equal(answer.statusCode, 413, `${route} ${way}`);
      t.match(answer.headers['content-type'], room.type, route);
      t.match(answer.payload, room.says, route);
    }
    t.not((await send(body.subarray(0, limit))).statusCode, 413, `${route} takes as much as its limit`);
  }
});
