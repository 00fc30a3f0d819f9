import { Readable } from 'node:stream';
import fc from 'fast-check';
import t from 'tap';
import { makeCaller } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { allowedHoldMs, longestHold } from '../../support/hostile/longest-hold.js';
import { humanUser, importOf } from '../../support/migration/imports.js';
import { visit } from '../../support/oidc/visitor.js';
import { newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/**
 * Requests that are made to take much processor time for their size. None may keep the process from serving others. The
 * workers run in this process, so that their event loop is measured too.
 */

const settings = fuzzing(15);
t.comment(`FUZZ_SEED=${settings.seed}`);

const { tenant, container, call, app } = await openScim(t, { workers: true, loginFailureMilliseconds: 0 });
const scim = await tenant();
const maxBody = 980_000;

const marks = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}`;
/** As costly as a stored value may be. With 200 of them a user has as much text as one may have. */
const costlyText = marks(30).repeat(60).slice(0, 230);

const { id: target } = await scim.create({
  userName: 'target',
  addresses: Array.from({ length: 200 }, (_, n) => ({
    formatted: `${n} ${costlyText}`,
    type: 'work',
  })),
  roles: Array.from({ length: 200 }, (_, n) => ({ value: `role ${n}`, display: 'a'.repeat(30) })),
  emails: Array.from({ length: 100 }, (_, n) => ({ value: `${n}@example.com`, type: 'work' })),
});

const longTexts = [marks(450_000), 'a'.repeat(900_000), '\ud83d\ude00'.repeat(200_000)];

interface HostilePatch {
  readonly op: string;
  readonly attribute: string;
  readonly part: string;
  readonly operator: string;
  readonly joined: string;
  readonly literal: string;
  readonly operations: number;
  readonly conditions: number;
  readonly listed: number;
  readonly form: 'filter' | 'part' | 'list' | 'whole';
}

const hostilePatch = fc.record<HostilePatch>({
  op: fc.constantFrom('remove', 'add', 'replace'),
  attribute: fc.constantFrom('addresses', 'roles', 'emails'),
  part: fc.constantFrom('value', 'formatted', 'display', 'type'),
  operator: fc.constantFrom('co', 'eq', 'sw', 'ew', 'ne'),
  joined: fc.constantFrom(' or ', ' and '),
  literal: fc.constantFrom('x', marks(8), marks(30), marks(60), 'a'.repeat(300), `b${'a'.repeat(400)}`),
  operations: fc.constantFrom(1, 10, 200, 1000),
  conditions: fc.constantFrom(1, 8, 50),
  listed: fc.constantFrom(1, 200, 5000),
  form: fc.constantFrom('filter', 'part', 'list', 'whole'),
});

function operationOf({ op, attribute, part, form, listed, ...how }: HostilePatch, number: number): object {
  const name =
    attribute === 'addresses'
      ? part === 'type'
        ? 'type'
        : 'formatted'
      : part === 'formatted'
        ? 'value'
        : part;
  const condition = `${name} ${how.operator} ${JSON.stringify(how.literal)}`;
  const filter = Array(how.conditions).fill(condition).join(how.joined).slice(0, 960);
  const value = { [name]: `${number} ${how.literal}`, type: 'home' };
  if (form === 'filter') return { op, path: `${attribute}[${filter}]`, value };
  if (form === 'part') return { op, path: `${attribute}[${condition}].${name}`, value: 'x' };
  const values = Array.from({ length: listed }, (_, n) => ({
    ...value,
    [name]: `${number} ${n} ${how.literal}`,
  }));
  if (form === 'list') return { op, path: attribute, value: values };
  return {
    op: op === 'remove' ? 'add' : op,
    value: { [attribute]: values, [`${attribute}[${condition}].${name}`]: 'x' },
  };
}

/** As many of the operations as fit into a body. */
function operationsOf(patch: HostilePatch, most = maxBody): object[] {
  const operations: object[] = [];
  let size = 0;
  for (let number = 0; number < patch.operations; number++) {
    const operation = operationOf(patch, number);
    size += Buffer.byteLength(JSON.stringify(operation)) + 1;
    if (size > most) break;
    operations.push(operation);
  }
  return operations;
}

const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr');
const literal = fc.constantFrom('x', marks(30), marks(900), '\ud83d\ude00'.repeat(400), '((((((((((');
const comparison = (...names: string[]) =>
  fc
    .tuple(fc.constantFrom(...names), operator, literal)
    .map(([name, op, value]) => (op === 'pr' ? `${name} pr` : `${name} ${op} ${JSON.stringify(value)}`));
/** Clauses that are joined, in parentheses, and perhaps negated. */
const joined = (clause: fc.Arbitrary<string>, counts: number[], depths: number[]) =>
  fc
    .record({
      clauses: fc.array(clause, { minLength: 1, maxLength: 3 }),
      joint: fc.constantFrom(' and ', ' or '),
      count: fc.constantFrom(...counts),
      depth: fc.constantFrom(...depths),
      isNegated: fc.boolean(),
    })
    .map(({ clauses, joint, count, depth, isNegated }) => {
      const all = Array.from({ length: count }, (_, n) => clauses[n % clauses.length]).join(joint);
      const grouped = `${'('.repeat(depth)}${all}${')'.repeat(depth)}`;
      return isNegated ? `not (${grouped})` : grouped;
    });
const valuePath = fc
  .tuple(
    fc.constantFrom('emails', 'addresses', 'roles', 'phoneNumbers'),
    joined(comparison('value', 'type', 'display', 'formatted'), [1, 8], [0, 20]),
    fc.constantFrom('', '.value co "x"', '.type pr'),
  )
  .map(([name, filter, rest]) => `${name}[${filter}]${rest}`);
const clause = fc.oneof(
  comparison('userName', 'emails', 'emails.value', 'title', 'addresses', 'name.familyName', 'meta.created'),
  valuePath,
);
/** A longer one is refused before it is parsed (spec, "Limits"). */
const longestFilter = 1_000;
const hostileFilter = joined(
  fc.oneof(clause, joined(clause, [1, 4], [1, 10])),
  [1, 10, 30],
  [0, 30, 400],
).filter((text) => text.length <= longestFilter);

/** Texts of every kind that costs something, from short to as long as a body permits. */
const hostileText = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        'a',
        'ς',
        '@',
        ' ',
        '"',
        '\\',
        '.',
        '\u0301',
        '\u0316',
        '\u202e',
        '\ud83d\ude00',
        '\ud800',
        '가',
        '\ufdfa',
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.constantFrom(1, 200, 401, 4_000, 300_000),
  )
  .map(([unit, length]) => unit.join('').repeat(Math.ceil(length / unit.length)));

/** The longest hold of each kind of request, in milliseconds. */
const worst = new Map<string, number>();
t.teardown(() => {
  for (const [what, ms] of worst) t.comment(`${what}: ${ms.toFixed(1)} ms at most`);
});

const holdsNothing = async (what: string, work: () => Promise<{ status: number }>) => {
  const statuses = new Set<number>();
  const ms = await longestHold(async () => statuses.add((await work()).status));
  worst.set(what, Math.max(worst.get(what) ?? 0, ms));
  if (ms > allowedHoldMs) throw new Error(`${what} held the event loop for ${ms} ms`);
  for (const status of statuses) if (status >= 500) throw new Error(`${what} was answered ${status}`);
  return [...statuses];
};

t.test('PATCH', async () => {
  const patch = (made: HostilePatch) => {
    const body = JSON.stringify(patchOp(...(operationsOf(made) as never[])));
    return holdsNothing('PATCH', () => scim.patch(`/Users/${target}`, body));
  };
  const known: HostilePatch = {
    op: 'remove',
    attribute: 'addresses',
    part: 'formatted',
    operator: 'co',
    joined: ' or ',
    literal: marks(30),
    operations: 10,
    conditions: 8,
    listed: 200,
    form: 'filter',
  };
  await patch(known);
  await patch({ ...known, form: 'list', operations: 1 });
  await patch({
    ...known,
    attribute: 'roles',
    part: 'value',
    operations: 1000,
    conditions: 50,
    literal: 'xyz',
  });
  const patched = fc.asyncProperty(hostilePatch, async (made) => {
    await patch(made);
  });
  await fc.assert(patched, settings);
});

t.test('filters', async (t) => {
  const answered = new Set<number>();
  const list = fc.asyncProperty(hostileFilter, async (filter) => {
    const body = JSON.stringify({ schemas: [urn.searchRequest], filter, count: 0 });
    const statuses = await holdsNothing('the filter', () => scim.post('/Users/.search', body));
    for (const status of statuses) answered.add(status);
  });
  // With some seeds, every random filter is refused as too costly. This one is not.
  const evaluated = Array.from({ length: 5 }, () => 'title co "x"').join(' or ');
  await fc.assert(list, { ...settings, examples: [[evaluated]] });
  t.ok(answered.has(200), `some filters are evaluated: ${[...answered]}`);
});

t.test('Bulk, in the API process and in the worker', async () => {
  const bulk = fc.asyncProperty(hostilePatch, async (made) => {
    const [data, second] = [made, { ...made, op: 'remove' }].map((one) =>
      patchOp(...(operationsOf(one, maxBody / 2.2) as never[])),
    );
    const path = `/Users/${target}`;
    const Operations = [data, second].map((data) => ({ method: 'PATCH', path, data }));
    const body = JSON.stringify({ schemas: [urn.bulkRequest], Operations });
    await holdsNothing('Bulk', () => scim.post('/Bulk', body));
  });
  await fc.assert(bulk, { ...settings, numRuns: Math.ceil(settings.numRuns / 3) });
});

t.test('creations', async () => {
  const create = (what: string, user: Record<string, unknown>) => {
    const body = JSON.stringify(newUser(user));
    return holdsNothing(`creation with ${what}`, () => scim.post('/Users', body));
  };
  for (const text of longTexts) {
    for (const attribute of ['userName', 'displayName', 'password', 'locale', 'profileUrl', 'timezone']) {
      await create(attribute, { [attribute]: text });
    }
    await create('emails', { emails: [{ value: `${text}@a.example` }] });
    await create('phoneNumbers', { phoneNumbers: [{ value: text }] });
  }
});

/** Objects with many members, or many small objects that all differ. */
const manyMembers = ['"#":0', '"#":{"a":0}', '"#":[{"#":0}]'].map((unit) => {
  const members: string[] = [];
  for (let size = 0; size < maxBody; size += members.at(-1)?.length ?? 0) {
    members.push(`${unit.replaceAll('#', members.length.toString(36))},`);
  }
  return members.join('').slice(0, -1);
});

t.test('bodies of many members', async () => {
  const owner = await makeCaller(container, scim.orgId, ['ORG_OWNER']);
  const opened = JSON.stringify(newUser({ userName: 'members' })).slice(0, -1);
  const patchSchemas = JSON.stringify([urn.patchOp]);
  const bulkSchemas = JSON.stringify([urn.bulkRequest]);
  for (const members of manyMembers) {
    for (const length of [maxBody, 150_000, 30_000]) {
      const some = members.slice(0, members.lastIndexOf(',', length));
      const bodies: [string, string, string][] = [
        ['POST', '/Users', `${opened},${some}}`],
        ['POST', '/Users', `${opened},"roles":[{"value":"a",${some}}]}`],
        [
          'PATCH',
          `/Users/${target}`,
          `{"schemas":${patchSchemas},"Operations":[{"op":"add","value":{"${urn.user}":{${some}}}}]}`,
        ],
        [
          'POST',
          '/Bulk',
          `{"schemas":${bulkSchemas},"Operations":[{"method":"POST","path":"/Users","bulkId":"a","data":${opened},${some}}}]}`,
        ],
      ];
      for (const [method, path, body] of bodies) {
        const send = () => (method === 'PATCH' ? scim.patch(path, body) : scim.post(path, body));
        await holdsNothing(`${method} ${path} with many members`, send);
      }
      const body = `{"name":"x",${some}}`;
      const headers = { 'content-type': 'application/json' };
      const change = () => call(`PATCH /admin/v1/orgs/${scim.orgId}`, { as: owner, body, headers });
      await holdsNothing('administration with many members', change);
    }
  }
});

function* piecesOf(body: Buffer): Generator<Buffer> {
  const size = 65_536;
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

t.test('records of an import', async () => {
  const { token } = await makeCaller(container, scim.orgId, ['IAM_OWNER']);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  /** The client makes the body before, and sends it in pieces as a socket does: its work is none of the service. */
  const importing = (users: readonly unknown[]) => {
    const body = Buffer.from(JSON.stringify(importOf(scim.orgId, users)));
    return async () => {
      const payload = Readable.from(piecesOf(body));
      const { statusCode } = await app.inject({ method: 'POST', url: '/admin/v1/import', headers, payload });
      return { status: statusCode };
    };
  };
  for (const text of longTexts) {
    const users = [
      humanUser('a', { userName: text }),
      humanUser('b', { profile: { firstName: text, lastName: text, displayName: text } }),
      humanUser('c', { email: { email: `${text}@a.example` } }),
      humanUser('d', { password: text }),
    ];
    for (const [index, user] of users.entries()) {
      await holdsNothing(`import ${index}`, importing([user]));
    }
  }
  const record = fc.record({
    userName: hostileText,
    profile: fc.record({ firstName: hostileText, lastName: hostileText, nickName: hostileText }),
    email: fc.record({ email: hostileText, isEmailVerified: fc.boolean() }),
    phone: fc.record({ phone: hostileText, isPhoneVerified: fc.boolean() }),
    hashedPassword: fc.record({ value: hostileText }),
  });
  const imported = fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 3 }), async (users) => {
    const records = users.map((user, index) => humanUser(`hostile-${index}`, user));
    await holdsNothing('an import', importing(records));
  });
  await fc.assert(imported, { ...settings, numRuns: Math.ceil(settings.numRuns / 2) });
});

t.test('login names', async () => {
  for (const text of [marks(4_000), marks(30).repeat(130), '@'.repeat(4_000), '\ud83d\ude00'.repeat(2_000)]) {
    const visitor = visit(app, container);
    const page = await visitor.get('/login');
    await holdsNothing('login name', () => visitor.fill(page, { loginName: text, password: 'x' }));
  }
  const signIn = fc.asyncProperty(hostileText, hostileText, async (loginName, organization) => {
    const visitor = visit(app, container);
    const page = await visitor.get('/login');
    const fields = {
      loginName: loginName.slice(0, 10_000),
      organization: organization.slice(0, 2_000),
      password: 'x',
    };
    await holdsNothing('login name', () => visitor.fill(page, fields));
  });
  await fc.assert(signIn, settings);
});
