import t from 'tap';
import { openScim } from '../support/scim-app.js';
import { type Answer, type Json, newUser, patchOp, urn } from '../support/scim-client.js';

/**
 * Valid requests, damaged in random ways: whatever a client sends, the answer is no 500, and an error is a SCIM
 * error. `FUZZ_SEED` and `FUZZ_ROUNDS` repeat or prolong a run.
 */

const seed = Number(process.env['FUZZ_SEED'] ?? 20_240_123);
const rounds = Number(process.env['FUZZ_ROUNDS'] ?? 150);
const random = mulberry32(seed);

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

/** What stands in for a value of JSON. */
const strange: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u{10FFFF}',
  '😀'.repeat(300),
  '𐐷'.repeat(499),
  'x'.repeat(10_000),
  'bulkId:a',
  'bulkId:',
  '$where',
  '__proto__',
  'constructor',
  '{"$gt":""}',
  '../../etc',
  '%00',
  'urn:ietf:params:scim:schemas:core:2.0:User',
  'emails[type eq "work"]',
  'ß İ ς ﬀ',
  [],
  [null],
  [[]],
  [{}],
  {},
  { $ne: null },
  { value: {} },
  { value: 'a@example.com', type: '𐐷'.repeat(499) },
  { 'a.b': 1, $c: 2 },
];
const names = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'schemas',
  'ID',
  'Emails',
  '$set',
  'a.b',
  'x'.repeat(500),
  '\u0000',
];

/** Texts that can be stored and searched, however odd. */
const odd = [
  '$where',
  '__proto__',
  '{"$gt":""}',
  'a.b.$c',
  '😀'.repeat(50),
  '𐐷'.repeat(100),
  'ﬀ İ ß ς',
  '\u{10FFFF}',
  'ends in \\',
  '"quoted"',
  '.*+?^$ {}()|[]',
  '\u0001\u007f\u0085\u2028',
  ' padded ',
  'e\u0301',
];

type Damage = (value: Json) => Json;

/** A copy of a JSON value with one random place damaged. */
function damaged(value: Json): Json {
  const places: [Json, string | number][] = [];
  const copy = structuredClone(value);
  const visit = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node, key]);
      visit(node[key]);
    }
  };
  visit(copy);
  const [parent, key] = pick(places);
  const damages: Damage[] = [
    (old) => (typeof old === 'string' ? pick(odd) : old),
    (old) => (typeof old === 'string' ? pick(odd) : old),
    (old) => (typeof old === 'string' ? old + pick(odd) : old),
    () => pick(strange),
    () => pick(strange),
    (old) => (typeof old === 'string' ? damagedText(old) : pick(strange)),
    (old) => (typeof old === 'string' ? damagedText(damagedText(old)) : { [pick(names)]: old }),
    (old) => [old],
    (old) => (Array.isArray(old) ? Array.from({ length: 60 }, () => old).flat() : { old }),
    () => undefined,
  ];
  const replacement = pick(damages)(parent[key]);
  if (random() < 0.15 && !Array.isArray(parent)) parent[pick(names)] = replacement;
  else parent[key] = replacement;
  return copy;
}

const pieces = [
  '"',
  '\\',
  '[',
  ']',
  '(',
  ')',
  '.',
  ' ',
  '%',
  '\u0000',
  '\u{10FFFF}',
  ' eq ',
  ' pr',
  ' and ',
  'not ',
  '-1',
  'null',
  '$',
  '{',
  '*',
  '\n',
  ':',
  '/',
  '&',
  '=',
  '#',
  '+',
  'é',
];

function damagedText(text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const cut = Math.floor(random() * 6);
  const ways: (() => string)[] = [
    () => text.slice(0, at) + pick(pieces) + text.slice(at),
    () => text.slice(0, at) + text.slice(at + cut),
    () => text.slice(0, at) + text.slice(at, at + 20).repeat(2) + text.slice(at),
    () => text.slice(0, at) + String.fromCharCode(Math.floor(random() * 0xffff)) + text.slice(at + 1),
    () => text.toUpperCase(),
    () => text.slice(0, at),
  ];
  return pick(ways)();
}

function pick<T>(values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** A generator of random numbers that can be repeated. */
function mulberry32(state: number): () => number {
  let a = state;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let mixed = Math.imul(a ^ (a >>> 15), 1 | a);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Damages the body as a value, or the text of it. */
function damagedBody(body: Json): unknown {
  if (random() < 0.12) return damagedText(JSON.stringify(body));
  let result = damaged(body);
  while (random() < 0.3) result = damaged(result);
  return result;
}

function damagedQuery(query: Record<string, string>): string {
  const entries = Object.entries(query).map(([name, value]) => {
    const changed = random() < 0.4 ? (random() < 0.5 ? damagedText(value) : String(pick(strange))) : value;
    return `${random() < 0.05 ? damagedText(name) : name}=${encode(changed)}`;
  });
  const text = entries.join('&');
  return random() < 0.1 ? encodeAddress(damagedText(text)) : text;
}

function encodeAddress(text: string): string {
  return encodeURI(text.replace(/\p{Cs}/gu, '?')).replaceAll('#', '%23');
}

/** Halves of surrogate pairs cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '?'));
}

const headers: readonly Record<string, string>[] = [
  ...Array.from({ length: 24 }, () => ({})),
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'application/json;charset=' },
  { 'content-type': ';' },
  { accept: ',' },
  { accept: 'application/scim+json;q=x' },
  { prefer: 'respond-async' },
  { prefer: 'wait=;;,' },
  { 'if-match': '*' },
  { authorization: 'Bearer ' },
];

const requests: Record<string, () => Promise<Answer>> = {
  'POST /Users': () => {
    const userName = `fuzz-${Math.floor(random() * 1e9)}`;
    return scim.post('/Users', damagedBody({ ...whole, userName }), pick(headers));
  },
  'PUT /Users/{id}': () => scim.put(path, damagedBody(whole), pick(headers)),
  'PATCH /Users/{id}': () => scim.patch(path, damagedBody(patches), pick(headers)),
  'POST /Users/.search': () => scim.post('/Users/.search', damagedBody(search), pick(headers)),
  'POST /Bulk': () => scim.post('/Bulk', damagedBody(bulk), pick(headers)),
  'GET /Users': () => {
    const { schemas: _, attributes, ...query } = search;
    const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return scim.get(`/Users?${damagedQuery({ ...texts, attributes: attributes.join() })}`, pick(headers));
  },
  'a damaged filter': () => scim.get(`/Users?filter=${encode(damagedText(damagedText(search.filter)))}`),
  'an odd text compared': () => {
    const name = pick([
      'userName',
      'externalId',
      'name.familyName',
      'emails',
      'emails[type eq "work"].value',
    ]);
    const literal = JSON.stringify(pick([...odd, ...pieces]));
    return scim.get(`/Users?filter=${encode(`${name} ${pick(['eq', 'ne', 'co', 'sw', 'ew'])} ${literal}`)}`);
  },
  'a damaged cursor': () => {
    const cursor = Buffer.from(JSON.stringify([pick(strange), pick(strange), true, pick(strange)]));
    return scim.get(`/Users?cursor=${cursor.toString('base64url')}`);
  },
  'a damaged path': () => {
    const paths = [
      '/Users',
      '/Users/x',
      '/Schemas/urn:x',
      '/ResourceTypes/User',
      '/Bulk',
      '/Users/.search',
      '',
    ];
    const damagedPath = encodeAddress(damagedText(damagedText(pick(paths))));
    return scim.send(pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), `/${damagedPath}`, {
      headers: pick(headers),
    });
  },
  'a damaged organization': () =>
    scim.at(encode(damagedText(scim.orgId))).get(`/Users?${damagedQuery({ filter: 'id pr' })}`),
  'GET /Users/{id}': () =>
    scim.get(`/Users/${encode(String(pick(strange)))}?${damagedQuery({ attributes: 'name.givenName' })}`),
};

for (const [name, send] of Object.entries(requests)) {
  t.test(name, async (t) => {
    const seen: Record<number, number> = {};
    const faults: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const answer = await send();
      seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      if (isFault(answer)) faults.push(`round ${round} of seed ${seed}: ${answer.status} ${answer.text}`);
    }
    t.same(faults, [], JSON.stringify(seen));
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
    t.ok(
      user.userName && user.name.familyName && user.emails.some(({ primary }: Json) => primary === true),
      user.id,
    );
  }
  t.equal((await scim.get(path)).status, 200);
  t.equal(await scim.found(`id eq "${target.id}"`), (await scim.get(path)).body.userName);
  const stored = JSON.stringify(await container.mongo.db.collection('events').find().toArray());
  t.notMatch(stored, /Correct-Horse/, 'no password in events');
});
