import fc, { type Arbitrary } from 'fast-check';
import t from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import {
  damagedBody,
  damagedText,
  pieces,
  storableTexts,
  strangeValues,
} from '../../support/hostile/damaged.js';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { type Answer, type Json, newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/**
 * Valid requests, damaged in random ways. The answer is never 500, and an error is a SCIM error. A failure shrinks to
 * the relevant damage.
 */

const settings = fuzzing(60);
t.comment(`FUZZ_SEED=${settings.seed}`);

const { tenant, container } = await openScim(t, { workers: true });
const scim = await tenant();
const target = await scim.create({ title: 'Guide', phoneNumbers: [{ value: '5550100', type: 'work' }] });
const path = `/Users/${target.id}`;

const whole = newUser({
  userName: 'fuzz',
  externalId: 'x',
  displayName: 'Fuzz',
  profileUrl: 'https://example.com',
  title: 'T',
  locale: 'de-CH',
  timezone: 'Europe/Zurich',
  active: true,
  password: 'Correct-Horse-9',
  phoneNumbers: [{ value: '+1 555', type: 'work', primary: true }],
  ims: [{ value: 'x', type: 'aim' }],
  addresses: [{ streetAddress: 'S', type: 'work', primary: true }],
  photos: [{ value: 'https://example.com/1', type: 'photo' }],
  roles: [{ value: 'r', display: 'R' }],
  entitlements: [{ value: 'e' }],
});
const patches = patchOp(
  { op: 'add', path: 'emails[type eq "home"].value', value: 'h@example.com' },
  { op: 'replace', path: 'name.givenName', value: 'A' },
  { op: 'remove', path: 'phoneNumbers[type eq "work" and not (value co "9")]' },
  { op: 'replace', value: { title: 'X', 'name.familyName': 'B', emails: [{ value: 'c@example.com' }] } },
);
const search = {
  schemas: [urn.searchRequest],
  filter:
    'userName sw "a" and not (emails[type eq "work" and value co "x"]) or meta.created gt "2020-01-01T00:00:00Z"',
  sortBy: 'name.familyName',
  sortOrder: 'descending',
  startIndex: 1,
  count: 3,
  attributes: ['userName', 'emails.value'],
};
const bulk = {
  schemas: [urn.bulkRequest],
  failOnErrors: 3,
  Operations: [
    { method: 'POST', path: '/Users', bulkId: 'a', data: newUser({ userName: 'bulk-fuzz' }) },
    { method: 'PATCH', path: '/Users/bulkId:a', data: patches },
    { method: 'PUT', path, data: whole },
    { method: 'DELETE', path: '/Users/bulkId:a' },
  ],
};

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Where it is not the organization of the caller. */
  readonly orgId?: string;
}

const oddHeaders = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Record<string, string>>({}) },
  fc.constantFrom<Record<string, string>>(
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json;charset=' },
    { 'content-type': ';' },
    { accept: ',' },
    { accept: 'application/scim+json;q=x' },
    { prefer: 'respond-async' },
    { prefer: 'wait=;;,' },
    { 'if-match': '*' },
    { authorization: 'Bearer ' },
  ),
);

/** Halves of surrogate pairs cannot be encoded. */
const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '?');
const encode = (text: string) => encodeURIComponent(wellFormed(text));
const encodeAddress = (text: string) => encodeURI(wellFormed(text)).replaceAll('#', '%23');

const strangeText = fc.constantFrom(...strangeValues).map(String);

/** The text, or at times a damaged one. */
const seldomDamaged = (text: string, weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(text) }, damagedText(text));

function damagedQuery(query: Record<string, string>): Arbitrary<string> {
  const parts = Object.entries(query).map(([name, value]) =>
    fc
      .tuple(seldomDamaged(name, 19), fc.oneof(seldomDamaged(value, 2), strangeText))
      .map(([left, right]) => `${encode(left)}=${encode(right)}`),
  );
  return fc
    .tuple(...parts)
    .map((all) => all.join('&'))
    .chain((text) =>
      fc.oneof({ weight: 9, arbitrary: fc.constant(text) }, damagedText(text).map(encodeAddress)),
    );
}

function sending(method: string, at: string, body: Arbitrary<string>): Arbitrary<Request> {
  return fc.record({ method: fc.constant(method), path: fc.constant(at), body, headers: oddHeaders });
}

function asking(address: Arbitrary<string>): Arbitrary<Request> {
  return fc.record({ method: fc.constant('GET'), path: address, headers: oddHeaders });
}

const { schemas: _, attributes, ...asked } = search;
const query = {
  ...Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)])),
  attributes: attributes.join(),
};
const comparedNames = ['userName', 'externalId', 'name.familyName', 'emails', 'emails[type eq "work"].value'];
const knownPaths = ['Users', 'Users/x', 'Schemas/urn:x', 'ResourceTypes/User', 'Bulk', 'Users/.search', ''];

const requests: Record<string, Arbitrary<Request>> = {
  'POST /Users': fc
    .nat()
    .chain((number) => sending('POST', '/Users', damagedBody({ ...whole, userName: `fuzz-${number}` }))),
  'PUT /Users/{id}': sending('PUT', path, damagedBody(whole)),
  'PATCH /Users/{id}': sending('PATCH', path, damagedBody(patches)),
  'POST /Users/.search': sending('POST', '/Users/.search', damagedBody(search)),
  'POST /Bulk': sending('POST', '/Bulk', damagedBody(bulk)),
  'GET /Users': asking(damagedQuery(query).map((text) => `/Users?${text}`)),
  'a damaged filter': asking(damagedText(search.filter).map((text) => `/Users?filter=${encode(text)}`)),
  'an odd text compared': asking(
    fc
      .tuple(
        fc.constantFrom(...comparedNames),
        fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew'),
        fc.constantFrom(...storableTexts, ...pieces),
      )
      .map(
        ([name, operator, text]) => `/Users?filter=${encode(`${name} ${operator} ${JSON.stringify(text)}`)}`,
      ),
  ),
  'a damaged cursor': asking(
    fc
      .tuple(...Array.from({ length: 3 }, () => fc.constantFrom(...strangeValues)))
      .map(([sort, value, id]) => Buffer.from(JSON.stringify([sort, value, true, id])))
      .map((cursor) => `/Users?cursor=${cursor.toString('base64url')}`),
  ),
  'a damaged path': fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    path: fc
      .constantFrom(...knownPaths)
      .chain(damagedText)
      .map((text) => `/${encodeAddress(text)}`)
      // `inject` resolves such a path before it sends it, so the request would not reach SCIM.
      .filter((text) => !/\/\.\.($|[/?])/.test(text)),
    headers: oddHeaders,
  }),
  'a damaged organization': fc.record({
    method: fc.constant('GET'),
    path: damagedQuery({ filter: 'id pr' }).map((text) => `/Users?${text}`),
    orgId: damagedText(scim.orgId).map(encode),
  }),
  'GET /Users/{id}': asking(
    fc
      .tuple(strangeText, damagedQuery({ attributes: 'name.givenName' }))
      .map(([id, text]) => `/Users/${encode(id)}?${text}`),
  ),
};

for (const [name, request] of Object.entries(requests)) {
  t.test(name, async (t) => {
    const seen: Record<number, number> = {};
    const property = fc.asyncProperty(request, async ({ method, path, orgId = scim.orgId, ...more }) => {
      const answer = await scim.at(orgId).send(method, path, more);
      seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      if (isFault(answer)) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`);
    });
    await fc.assert(property, settings);
    t.comment(JSON.stringify(seen));
  });
}

/** A 500, an error that is none of SCIM, or an operation of a Bulk that a fault of ours prevented. */
function isFault({ status, body }: Answer): boolean {
  const operations: Json[] = body?.Operations ?? [];
  return (
    status === 500 ||
    (status >= 400 && body?.status !== String(status)) ||
    operations.some((operation) => operation.status === '500' || operation.status === '503')
  );
}

t.test('afterwards the service is sound', async (t) => {
  const list = await scim.get('/Users?count=100');
  t.equal(list.status, 200);
  for (const user of list.body.Resources) {
    const { emails = [] } = user;
    const primaries = emails.filter(({ primary }: Json) => primary === true).length;
    t.ok(user.userName && user.displayName && primaries === Math.min(emails.length, 1), user.id);
  }
  t.equal((await scim.get(path)).status, 200);
  t.equal(await scim.found(`id eq "${target.id}"`), (await scim.get(path)).body.userName);
  const stored = JSON.stringify(await container.mongo.db.collection('events').find().toArray());
  t.notMatch(stored, /Correct-Horse/, 'no password in events');
});
