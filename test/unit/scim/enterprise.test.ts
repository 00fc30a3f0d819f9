import t from 'tap';
import type { User, UserProfileInput } from '#src/directory/user.js';
import { withSchema } from '#src/people/extension-schemas/extension-schema-rules.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { changedAttributes } from '#src/people/users/user-events.js';
import { applyPatchToUser } from '#src/scim/patch/apply-patch-to-user.js';
import { parsePatch } from '#src/scim/patch/parse-patch.js';
import { parseUserResource } from '#src/scim/resources/parse-user.js';
import { compileProjection } from '#src/scim/resources/project-attributes.js';
import { renderUser } from '#src/scim/resources/render-user.js';
import { groupSchema } from '#src/scim/schema/group-attributes.js';
import { userSchemaOf } from '#src/scim/schema/registered-schema.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { extensionAttribute } from '../../support/scim/extension-schema.js';
import { patchOp } from './patch-exchanges.js';
import { conditionFor, scanningConditions } from './support/compiled.js';
import { matchesQuery } from './support/matches-query.js';
import { outcome } from './support/outcome.js';
import { documentOf, userOf } from './support/users.js';

/** The Enterprise User extension (RFC 7643 section 4.3). */

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const base = 'https://id.example.com/scim/v2/org';

const employment = {
  employeeNumber: 'E-701984',
  costCenter: '4130',
  organization: 'Universal Studios',
  division: 'Theme Park',
  department: 'Tour Operations',
  manager: 'boss 1',
};

const manager = { value: 'boss 1', $ref: `${base}/Users/boss%201` };

t.test('a user has it under its URN, with the manager as an object', async (t) => {
  const { schemas, [urn]: shown } = renderUser(
    userOf(employment),
    { baseUrl: base, userSchema },
    { managerName: 'Bo' },
  );
  t.strictSame(schemas, [core, urn]);
  t.strictSame(shown, { ...employment, manager: { ...manager, displayName: 'Bo' } });
  t.strictSame(
    (renderUser(userOf(employment), { baseUrl: base, userSchema })[urn] as typeof employment).manager,
    manager,
  );
  const { schemas: plain, ...bare } = renderUser(userOf(), { baseUrl: base, userSchema });
  t.strictSame(plain, [core]);
  t.notOk(urn in bare);
  const both = renderUser(userOf({ department: 'x', gender: 'female' }), { baseUrl: base, userSchema });
  t.strictSame(both['schemas'], [core, urn, 'urn:ietf:params:scim:schemas:extension:service:2.0:User']);
});

function parsed(extension: unknown): unknown {
  return outcome(() => {
    const body = { schemas: [core], userName: 'a', [urn.toUpperCase()]: extension };
    const { userName: _name, ...profile } = parseUserResource(body, userSchema).profile;
    return profile;
  });
}

t.test('a body may have it in several forms', async (t) => {
  const shown = { ...employment, manager: { ...manager, displayName: 'ignored' } };
  t.strictSame(parsed(shown), employment);
  t.strictSame(parsed({ Manager: 'm', DEPARTMENT: 'd', shoeSize: 1 }), { manager: 'm', department: 'd' });
  t.strictSame(parsed({ manager: { Value: 'm', $Ref: 7, displayName: {} } }), { manager: 'm' });
  for (const nothing of ['', null, {}, { value: '' }, { value: null }, { displayName: 'x' }, { $ref: 'x' }])
    t.strictSame(parsed({ manager: nothing, division: '' }), {}, JSON.stringify(nothing));
  t.strictSame(parsed(null), {});
  for (const wrong of ['x', 1, [], [{ department: 'x' }]]) t.equal(parsed(wrong), 'invalidSyntax');
  for (const number of [7, { value: 7 }]) t.strictSame(parsed({ manager: number }), { manager: '7' });
  t.strictSame(parsed({ manager: '{"value":"m","$ref":"x"}' }), { manager: 'm' }, 'a JSON text');
  t.strictSame(parsed({ manager: '{"value":""}' }), {}, 'a JSON text without a value');
  const longest = (length: number) => `{"value":"m"${' '.repeat(length - 13)}}`;
  t.strictSame(parsed({ manager: longest(2_000) }), { manager: 'm' }, 'the longest JSON text');
  // The directory refuses it: a manager has at most 500 characters.
  t.strictSame(parsed({ manager: longest(2_001) }), { manager: longest(2_001) }, 'a longer one is a text');
  t.strictSame(parsed({ manager: '{boss}' }), { manager: '{boss}' }, 'a text that only looks like one');
  for (const wrong of [2 ** 53, ['m'], { value: ['m'] }, { value: { value: 'm' } }])
    t.equal(parsed({ manager: wrong }), 'invalidSyntax', JSON.stringify(wrong));
});

t.test('values have 500 characters at most, and only usable ones', async (t) => {
  for (const name of Object.keys(employment)) {
    const of = (value: string) => outcome(() => normalizeProfile({ userName: 'a', [name]: value }));
    t.match(of('x'.repeat(500)), { [name]: /^x+$/ }, name);
    t.equal(of('x'.repeat(501)), 'invalidValue', name);
    t.equal(of('a\u0000'), 'invalidValue', name);
  }
});

/** The stored employment after the operations. */
function patched(start: Partial<UserProfileInput>, ...operations: unknown[]): unknown {
  return outcome(() => {
    const user = userOf(start);
    const body = JSON.parse(JSON.stringify({ schemas: [patchOp], Operations: operations }));
    const { profile } = applyPatchToUser(user, parsePatch(body, userSchema), userSchema);
    const after = normalizeProfile(profile) as User;
    const names = Object.keys(employment).filter((name) => after[name as keyof User] !== undefined);
    return Object.fromEntries(names.map((name) => [name, after[name as keyof User]]));
  });
}

t.test('PATCH', async (t) => {
  const { manager: _manager, ...others } = employment;
  const set = (path: string, value: unknown) => ({ op: 'Replace', path: `${urn}${path}`, value });
  const rows: [name: string, operations: unknown[], after: unknown][] = [
    ['a path', [set(':department', 'Sales')], { ...employment, department: 'Sales' }],
    [
      'another letter case',
      [{ op: 'add', path: `${urn.toUpperCase()}:DEPARTMENT`, value: 'S' }],
      { ...employment, department: 'S' },
    ],
    ['removal', [{ op: 'remove', path: `${urn}:manager` }], others],
    ['removal of the value', [{ op: 'remove', path: `${urn}:manager.value` }], others],
    ['a text for the manager', [set(':manager', 'm')], { ...employment, manager: 'm' }],
    ['an object', [set(':manager', { value: 'm', displayName: 'x' })], { ...employment, manager: 'm' }],
    ['the older form', [set(':manager', [{ $ref: 'x', value: 'm' }])], { ...employment, manager: 'm' }],
    ['the value alone', [set(':manager.value', 'm')], { ...employment, manager: 'm' }],
    [
      'a dot behind the URN',
      [set('.manager', 'm'), set('.Division', 'd')],
      { ...employment, manager: 'm', division: 'd' },
    ],
    ['an empty text', [set(':manager', '')], others],
    ['null', [set(':manager', null)], others],
    ['an empty value', [set(':manager.value', '')], others],
    ['an object with an empty value', [set(':manager', { value: '' })], others],
    ['an empty object', [set(':manager', {})], employment],
    [
      'what is read-only',
      [
        set(':manager', { displayName: 'x', $ref: 'y' }),
        set(':manager.displayName', 'x'),
        set(':manager.$ref', 'x'),
      ],
      employment,
    ],
    [
      'an attribute of a schema of another vendor',
      [{ op: 'add', path: 'urn:okta:acme:1.0:user:custom:badge', value: 'x' }],
      employment,
    ],
    [
      'a filter in an attribute of a schema of another vendor',
      [{ op: 'add', path: 'urn:okta:acme:1.0:user:custom:badges[type eq "x"].value', value: 'x' }],
      employment,
    ],
    ['unknown attributes', [set(':shoeSize', 1), set(':manager.shoeSize', 1)], employment],
    ['unknown attributes with a filter', [set('.shoes[a eq 1]', 1), set(':shoes[a eq 1].b', 1)], employment],
    ['an empty text for the schema', [{ op: 'add', value: { [core]: '', title: 'x' } }], employment],
    ['the URN', [set('', { division: 'D', manager: 'm' })], { ...employment, division: 'D', manager: 'm' }],
    ['the URN with nothing', [set('', {})], employment],
    ['the URN, unassigned', [set('', null)], {}],
    ['removal of all', [{ op: 'remove', path: urn }], {}],
    [
      'an object without a path',
      [{ op: 'add', value: { [urn]: { costCenter: 'c', manager: { value: 'm' } } } }],
      { ...employment, costCenter: 'c', manager: 'm' },
    ],
    [
      'paths as names',
      [
        {
          op: 'Add',
          value: {
            [`${urn}:department`]: 'x',
            [`${urn.toLowerCase()}:manager`]: 'm',
            [`${urn}:organization`]: null,
            [`${urn}:manager.displayName`]: 'x',
          },
        },
      ],
      { ...employment, department: 'x', manager: 'm', organization: undefined },
    ],
    [
      'another extension',
      [{ op: 'add', path: 'urn:ietf:params:scim:schemas:extension:x:2.0:User:manager.$ref', value: 1 }],
      employment,
    ],
    ['a number', [set(':manager', 7)], { ...employment, manager: '7' }],
    ['a JSON text', [set(':manager', '{"value":"n"}')], { ...employment, manager: 'n' }],
    ['a wrong part', [set(':manager', { value: ['m', 'n'] })], 'invalidSyntax'],
    ['a list', [set(':manager', [{ value: 'a' }, { value: 'b' }])], 'invalidSyntax'],
    ['a filter', [set(':manager[value eq "x"]', 'm')], 'invalidPath'],
  ];
  for (const [name, operations, after] of rows) {
    const expected = typeof after === 'string' ? after : JSON.parse(JSON.stringify(after));
    t.strictSame(patched(employment, ...operations), expected, name);
    if (typeof after !== 'string')
      t.strictSame(patched(employment, ...operations, ...operations), expected, `${name}, twice`);
  }
  t.strictSame(patched({}, set(':manager', 'm'), set(':manager.value', 'n')), { manager: 'n' });
});

t.test('a mistyped path of a core schema is refused, because it names no extension', (t) => {
  for (const path of [
    'urn:ietf:params:scim:core:2.0:User:active',
    'urn:ietf:params:scim:schemas:User:active',
    'urn:ietf:params:scim:schemas:core:2.0:Users:active',
    'URN:SCIM:schemas:core:1.1:User:active',
    'urn:scim:User:active',
    'urn:ietf:params:scim:api:messages:2.0:PatchOp:active',
  ])
    t.equal(patched(employment, { op: 'replace', path, value: false }), 'invalidPath', path);
  const operations = [{ op: 'remove', path: 'urn:ietf:params:scim:schemas:Group:members[value eq "a"]' }];
  t.equal(
    outcome(() => parsePatch({ Operations: operations }, groupSchema)),
    'invalidPath',
    'of a group',
  );
  t.end();
});

t.test('a URN of a schema means the schema, even if a dot could stand for a colon in it', (t) => {
  const empty = { schemas: [], lastKey: 0 };
  const settings = (id: string, name: string) => ({
    ...{ id, name: id, description: '' },
    attributes: [extensionAttribute(name)],
  });
  const schemaOf = (id: string, name: string) => withSchema(empty, settings(id, name)).schemas;
  // An organization may have both from the time before new ones were refused.
  const schemas = [...schemaOf('urn:example:hr', 'emp'), ...schemaOf('urn:example:hr.emp', 'number')];
  const extensionSchemas = { schemas, lastKey: 2 };
  const changed = withSchema(extensionSchemas, settings('urn:example:hr.emp', 'number'));
  t.equal(changed.schemas.length, 2, 'what is there may be changed');
  t.throws(() =>
    withSchema(
      { schemas: schemaOf('urn:example:hr', 'emp'), lastKey: 1 },
      settings('urn:example:hr.emp', 'n'),
    ),
  );
  const first = { schemas: schemaOf('urn:example:hr:1', 'emp'), lastKey: 1 };
  t.equal(withSchema(first, settings('urn:example:hr:1.1', 'emp')).schemas.length, 2, 'versions go together');
  const schema = userSchemaOf({ extensionSchemas });
  const found = (name: string) => [schema.find(name)?.attribute.name, schema.find(name)?.sub?.name];
  t.same(found('urn:example:hr.emp'), ['urn:example:hr.emp', undefined]);
  t.same(found('urn:example:hr:emp'), ['urn:example:hr', 'emp']);
  t.same(found('urn:example:hr.emp.number'), ['urn:example:hr.emp', 'number']);
  t.end();
});

t.test('many operations with many names stay cheap, and too many are refused', async (t) => {
  const one = { op: 'add', path: `${urn}:manager`, value: 'm' };
  t.strictSame(patched({}, ...Array(900).fill(one)), { manager: 'm' });
  t.equal(patched({}, ...Array(1001).fill(one)), '413');
  const names = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`${urn}:x${n}`, 'x']));
  t.equal(patched({}, { op: 'add', value: names }), '413');
  const deep = JSON.parse(`${'{"value":'.repeat(500)}"m"${'}'.repeat(500)}`);
  t.equal(patched({}, { ...one, value: deep }), 'invalidSyntax');
});

t.test('events name what changed', async (t) => {
  const before = userOf(employment);
  t.strictSame(changedAttributes(before, { ...before, manager: 'm', division: 'd' }), [
    'division',
    'manager',
  ]);
});

t.test('attributes and excludedAttributes', async (t) => {
  const rendered = renderUser(userOf(employment), { baseUrl: base, userSchema }, { managerName: 'Bo' });
  const wanted = (attributes: string[], excluded: string[] = []) => {
    const { project, keeps } = compileProjection(userSchema, attributes, excluded);
    return { shown: project(rendered)[urn], name: keeps(urn, 'manager', 'displayName') };
  };
  const whole = { ...manager, displayName: 'Bo' };
  const { department } = employment;
  t.strictSame(wanted([]), { shown: rendered[urn], name: true });
  t.strictSame(wanted([urn.toUpperCase()]), { shown: rendered[urn], name: true });
  t.strictSame(wanted(['userName']), { shown: undefined, name: false });
  t.strictSame(wanted([`${urn}:department`]), { shown: { department }, name: false });
  t.strictSame(wanted([`${urn}:Manager`]), { shown: { manager: whole }, name: true });
  t.strictSame(wanted([`${urn}:manager.value`, `${urn}:department`]), {
    shown: { department, manager: { value: 'boss 1' } },
    name: false,
  });
  t.strictSame(wanted([`${urn}:manager.value`, `${urn}:manager`]), { shown: { manager: whole }, name: true });
  t.strictSame(wanted([], [urn]), { shown: undefined, name: false });
  t.strictSame(wanted([], [`${urn}:manager`]).name, false);
  t.strictSame(wanted([], [`${urn}:manager.displayName`]), {
    shown: { ...employment, manager },
    name: false,
  });
  t.strictSame(wanted([], [`${urn}:manager.value`]).name, true);
});

t.test('filters', async (t) => {
  const document = documentOf(userOf(employment));
  const bare = documentOf(userOf());
  const matches = (filter: string) => {
    const query = outcome(() => conditionFor(`${urn}:${filter}`));
    return typeof query === 'string'
      ? query
      : `${matchesQuery(document, query)} ${matchesQuery(bare, query)}`;
  };
  for (const [name, value] of Object.entries({ ...employment, 'manager.value': employment.manager })) {
    const rows: [string, string][] = [
      [`eq "${value}"`, 'true false'],
      ['eq "other"', 'false false'],
      [`ne "${value}"`, 'false true'],
      ['ne "other"', 'true true'],
      [`co "${value.slice(1, 3)}"`, 'true false'],
      [`sw "${value.slice(0, 3)}"`, 'true false'],
      [`ew "${value.slice(-3)}"`, 'true false'],
      [`sw "${value.slice(-3)}"`, 'false false'],
      ['pr', 'true false'],
      [`ge "${value}"`, 'true false'],
      [`gt "${value}"`, 'false false'],
      [`le "${value.slice(0, 2)}"`, 'false false'],
      ['eq null', 'false true'],
    ];
    for (const [test, expected] of rows) t.equal(matches(`${name} ${test}`), expected, `${name} ${test}`);
  }
  t.equal(matches('employeeNumber eq "e-701984"'), 'true false', 'letter case does not matter');
  t.equal(matches('manager.value eq "BOSS 1"'), 'false false', 'the letter case of an identifier matters');
  t.equal(matches('costCenter gt "4"'), 'true false');
  t.equal(matches('division le "THEME PARK"'), 'true false');
  t.equal(matches('manager.value lt "boss"'), 'false false');
  t.equal(matches('manager.$ref pr'), 'true false');
  t.equal(matches('employeeNumber eq "boss 1"'), 'false false', 'the number is not the manager');
  for (const test of ['manager.displayName eq "x"', 'manager[value eq "x"]', 'x pr'])
    t.equal(matches(test), 'invalidFilter', test);

  const scanning = (filter: string) => scanningConditions(`${urn}:${filter}`);
  t.strictSame(scanning('employeeNumber eq "1"'), []);
  t.strictSame(scanning('manager.value eq "1"'), []);
  for (const test of ['employeeNumber sw', 'manager.value ne', 'manager.value co', 'department eq'])
    t.strictSame(scanning(`${test} "1"`), [`${urn}:${test}`]);
});
