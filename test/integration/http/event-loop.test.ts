// Runs alone: it measures how long requests hold the event loop.
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { buildTestApp } from '../../support/app/test-app.js';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { allowedHoldMs, longestHold } from '../../support/hostile/longest-hold.js';
import { openConnection, received } from '../../support/network/raw-connection.js';

/**
 * Requests that anybody can send, and that are made to take much processor time for their size. None may keep the process
 * from serving others.
 */

const settings = fuzzing(25);
t.comment(`FUZZ_SEED=${settings.seed}`);

// The address of a client comes from a header too.
const { app } = await buildTestApp(t, { trustProxy: '10.0.0.0/8, 127.0.0.1' });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

interface Sent {
  readonly method?: string;
  readonly url: string;
  readonly headers?: readonly string[];
  readonly body?: Buffer;
}

/** Sends a request byte for byte, and returns the status of the answer. */
async function send({ method = 'GET', url, headers = [], body }: Sent): Promise<number> {
  const socket = await openConnection(port);
  const answer = received(socket);
  const head = [`${method} ${url} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]));
  return Number((await answer).split(' ', 2)[1]);
}

async function holdsNothing(what: string, sent: Sent): Promise<Set<number>> {
  const statuses = new Set<number>();
  const ms = await longestHold(async () => statuses.add(await send(sent)));
  if (ms > allowedHoldMs) throw new Error(`${what} held the event loop for ${ms} ms`);
  for (const status of statuses) if (status >= 500) throw new Error(`${what} was answered ${status}`);
  return statuses;
}

/** Repeats a text up to a length. `#` in it becomes a number that differs each time. */
function repeated(unit: string, length: number): string {
  if (!unit.includes('#')) return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  let text = '';
  for (let n = 0; text.length < length; n++) text += unit.replace('#', n.toString(36));
  return text.slice(0, length);
}

/** A little less than what Node.js takes as headers. */
const maxLength = 31_000;
const formType = 'Content-Type: application/x-www-form-urlencoded';

const places = [
  '/',
  '/oauth/v2/',
  '/login/',
  '/account/',
  '/admin/v1/',
  '/admin/v1/orgs/',
  '/scim/v2/',
  '/scim/v2/x/',
  '/scim/v2/x/Users/',
];
const pathUnits = ['/', '//a', 'a', '%2f', '%25', '%F0%9F%98%80', '%FF', ':', './', '../', '@', ';', '/#'];
const units = ['&', 'a&', 'a=1&', '#&', '#=1&', '+', '%2B', '=', 'a[#]=1&', '%F0%9F%98%80', '%', 'a%FF=+&'];

t.test('paths', async (t) => {
  t.same(await holdsNothing('slashes', { url: '/'.repeat(maxLength) }), new Set([414]));
  const path = fc.record({ place: fc.constantFrom(...places), unit: fc.constantFrom(...pathUnits) });
  const length = fc.constantFrom(100, 8_000, maxLength);
  const method = fc.constantFrom('GET', 'POST', 'OPTIONS', 'PATCH');
  const fast = fc.asyncProperty(path, length, method, async ({ place, unit }, length, method) => {
    await holdsNothing(`${method} ${place}${unit}`, { method, url: place + repeated(unit, length) });
  });
  await fc.assert(fast, settings);
});

t.test('queries', async () => {
  const pages = ['/nothing', '/oauth/v2/authorize', '/oidc/v1/end_session', '/login', '/scim/v2/x/Schemas'];
  const fast = fc.asyncProperty(
    fc.constantFrom(...pages, '/admin/v1/orgs', '/scim/v2/x/Users'),
    fc.constantFrom(...units),
    fc.constantFrom('', 'state=', 'scope=', 'login_hint=', 'ui_locales=', 'client_id=', 'posted='),
    async (page, unit, name) => {
      await holdsNothing(`${page}?${name}${unit}`, { url: `${page}?${name}${repeated(unit, maxLength)}` });
    },
  );
  await fc.assert(fast, settings);
});

const forms = [
  '/oauth/v2/token',
  '/oauth/v2/introspect',
  '/oauth/v2/revoke',
  '/oauth/v2/authorize',
  '/oauth/v2/keys',
  '/oidc/v1/userinfo',
  '/oidc/v1/end_session',
  '/oidc/v1/end_session/confirm',
  '/login',
  '/login/register',
  '/login/forgot',
  '/account/password',
  '/nothing',
  '/scim/v2/x/nothing',
  '/scim/v2/x/Users',
  '/admin/v1/orgs',
];

/** A body in chunks of this many bytes, or in one piece with its length. */
function bodyOf(text: string, chunk: number): Pick<Sent, 'body'> & { header: string } {
  const body = Buffer.from(text, 'latin1');
  if (chunk === 0) return { body, header: `Content-Length: ${body.length}` };
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunk) {
    const piece = text.slice(at, at + chunk);
    chunks.push(`${piece.length.toString(16)}\r\n${piece}\r\n`);
  }
  return { body: Buffer.from(`${chunks.join('')}0\r\n\r\n`, 'latin1'), header: 'Transfer-Encoding: chunked' };
}

t.test('forms', async (t) => {
  const post = (url: string, text: string, { chunk = 0, type = formType } = {}) => {
    const { body, header } = bodyOf(text, chunk);
    const what = `POST ${url} with ${text.length} of ${text.slice(0, 20)}`;
    return holdsNothing(what, { method: 'POST', url, headers: [type, header], ...(body && { body }) });
  };
  const plus = '+'.repeat(1_000_000);
  const keys = Array.from({ length: 90_000 }, (_, n) => n.toString(36)).join('&');
  for (const url of ['/oauth/v2/token', '/oauth/v2/introspect', '/oauth/v2/revoke', '/oidc/v1/userinfo']) {
    t.same(await post(url, plus), new Set([413]), url);
    t.same(await post(url, keys), new Set([413]), url);
    t.same(await post(url, keys.slice(0, 65_000)), new Set([400]), url);
    t.same(await post(url, '&'.repeat(65_000), { chunk: 1 }), new Set([400]), url);
  }
  const types = [formType, 'Content-Type: application/json', 'Content-Type: text/plain', 'X-Type: none'];
  const fast = fc.asyncProperty(
    fc.constantFrom(...forms),
    fc.constantFrom(...units, '{"a":', '[', 'a=', 'username=%CC%81%CC%96&'),
    fc.record({
      length: fc.constantFrom(30_000, 65_000, 1_000_000),
      chunk: fc.constantFrom(0, 1, 2, 1_000),
      type: fc.constantFrom(...types),
    }),
    async (url, unit, { length, ...how }) => {
      await post(url, repeated(unit, length), how);
    },
  );
  await fc.assert(fast, settings);
});

t.test('headers', async () => {
  const names = [
    'Accept',
    'Accept-Language',
    'Authorization: Bearer',
    'Authorization: Basic',
    'Authorization',
    'Content-Type: a/b',
    'Cookie',
    'Cookie: muster-agent=',
    'Forwarded',
    'Host',
    'If-Match',
    'If-None-Match',
    'Prefer',
    'Traceparent',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Request-Id',
  ];
  const headerUnits = [
    'a',
    ' ',
    ', ',
    ',a',
    ';',
    ';a=b',
    '; a="\\"',
    ';a="',
    '=',
    '==a',
    '10.0.0.1,',
    '1, ',
    '#;q=1,',
  ];
  const urls = ['/', '/login', '/oauth/v2/authorize', '/account', '/scim/v2/x/Users', '/scim/v2/x/Schemas'];
  const fast = fc.asyncProperty(
    fc.constantFrom(...urls, '/oidc/v1/userinfo', '/operations/jobs', '/admin/v1/orgs', '/oauth/v2/token'),
    fc.constantFrom(...names),
    fc.constantFrom(...headerUnits),
    fc.constantFrom(1, 1_000),
    async (url, name, unit, times) => {
      const value = repeated(unit, Math.ceil(maxLength / times) - (times > 1 ? name.length + 4 : 100));
      const line = name.includes(':') ? `${name} ${value}` : `${name}: ${value}`;
      const headers = Array<string>(times).fill(line);
      const method = url === '/oauth/v2/token' ? 'POST' : 'GET';
      await holdsNothing(`${times} of ${name} ${unit} at ${url}`, { method, url, headers });
    },
  );
  await fc.assert(fast, { ...settings, numRuns: 2 * settings.numRuns });
});
