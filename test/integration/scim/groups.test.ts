import { randomUUID } from 'node:crypto';
import t from 'tap';
import { removeGoneMembers } from '#src/people/groups/remove-gone-members.js';
import { dropGone } from '#src/people/groups/require-members.js';
import { until } from '../../../dev/until.js';
import { openScim } from '../../support/app/scim-app.js';
import {
  type Json,
  newUser,
  patchOp,
  type ScimClient,
  scimType,
  urn,
} from '../../support/scim/scim-client.js';
import { namesOfCommands, readsAndWrites, watchCommands } from '../../support/stores/mongo-commands.js';

/** The life of a group: creation, members, changes, lists and removal. */

const { tenant, client, container } = await openScim(t, { workers: true });

const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const newGroup = (displayName: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  schemas: [group],
  displayName,
  ...more,
});

async function makeUsers(scim: ScimClient, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => scim.post('/Users', newUser())));
  return made.map(({ body }) => body.id).sort();
}

async function makeGroup(scim: ScimClient, displayName: string, members: readonly string[] = []) {
  const made = await scim.post(
    '/Groups',
    newGroup(displayName, { members: members.map((value) => ({ value })) }),
  );
  return made.body.id as string;
}

async function membersOf(scim: ScimClient, id: string): Promise<string[]> {
  const { body } = await scim.get(`/Groups/${id}`);
  return (body.members ?? []).map(({ value }: Json) => value);
}

const patch = (scim: ScimClient, id: string, ...operations: unknown[]) =>
  scim.patch(`/Groups/${id}`, patchOp(...operations));

const eventsOf = async (id: string) => {
  const found = await container.mongo.db
    .collection('events')
    .find({ 'aggregate.id': id })
    .sort({ sequence: 1 })
    .toArray();
  return found.map(({ type, sequence, payload }) => ({ type, sequence, payload }));
};

t.test('create, read, replace, delete', async (t) => {
  const scim = await tenant();
  const [ann = '', bob = '', cem = ''] = await makeUsers(scim, 3);
  const created = await scim.post(
    '/Groups',
    newGroup('Tour Guides', {
      externalId: 'g-1',
      members: [{ value: bob }, { value: ann, display: 'x' }, { value: ann }],
    }),
  );
  t.equal(created.status, 201);
  const { id, meta } = created.body;
  t.equal(created.headers['location'], `${scim.absoluteBase}/Groups/${id}`);
  const shown = await scim.get(`/Users/${ann}`);
  const member = (value: string) => ({
    value,
    $ref: `${scim.absoluteBase}/Users/${value}`,
    type: 'User',
    display: shown.body.displayName,
  });
  t.match(created.body, { schemas: [group], displayName: 'Tour Guides', externalId: 'g-1' });
  t.strictSame(created.body.members, [member(ann), member(bob)]);
  t.match(meta, { resourceType: 'Group', version: String, location: created.headers['location'] });

  const read = await scim.get(`/Groups/${id}`);
  t.strictSame(read.body, created.body);
  t.equal(read.headers['etag'], created.headers['etag']);

  const replaced = await scim.put(
    `/Groups/${id}`,
    newGroup('Guides', { members: [{ value: cem }, { value: ann }] }),
  );
  t.equal(replaced.status, 200);
  t.equal(replaced.body.displayName, 'Guides');
  t.notOk('externalId' in replaced.body, 'what the body lacks is cleared');
  t.strictSame(
    replaced.body.members.map(({ value }: Json) => value),
    [ann, cem],
  );
  t.not(replaced.headers['etag'], created.headers['etag']);

  t.strictSame(
    (await eventsOf(id)).map(({ type, sequence }) => [type, sequence]),
    [
      ['group.added', 1],
      ['group.members.added', 2],
      ['group.changed', 3],
      ['group.members.removed', 4],
      ['group.members.added', 5],
    ],
  );

  t.equal((await scim.delete(`/Groups/${id}`)).status, 204);
  t.equal((await scim.get(`/Groups/${id}`)).status, 404);
  t.equal((await scim.delete(`/Groups/${id}`)).status, 404);
  t.equal((await scim.get(`/Users/${ann}`)).status, 200, 'the members stay');
  t.equal(await container.mongo.db.collection('groupMembers').countDocuments({ groupId: id }), 0);
  t.match((await eventsOf(id)).at(-1), {
    type: 'group.removed',
    sequence: 6,
    payload: { displayName: 'Guides' },
  });
});

t.test('what makes no group', async (t) => {
  const scim = await tenant();
  const [ann = ''] = await makeUsers(scim, 1);
  const id = await makeGroup(scim, 'Straße', [ann]);
  const other = await tenant();
  const [foreign = ''] = await makeUsers(other, 1);
  const nested = { value: id, type: 'Group' };
  for (const [what, body, status, scimType] of [
    ['no name', { schemas: [group] }, 400, 'invalidValue'],
    ['an empty name', newGroup(' '), 400, 'invalidValue'],
    ['a name of the wrong type', newGroup({} as never), 400, 'invalidSyntax'],
    ['no schema', { displayName: 'x' }, 400, 'invalidSyntax'],
    ['a long name', newGroup('x'.repeat(201)), 400, 'invalidValue'],
    [
      'an unknown member',
      newGroup('a', { members: [{ value: ann }, { value: 'nobody' }] }),
      400,
      'invalidValue',
    ],
    [
      'a member of another organization',
      newGroup('b', { members: [{ value: foreign }] }),
      400,
      'invalidValue',
    ],
    ['a group as a member', newGroup('c', { members: [nested] }), 400, 'invalidValue'],
    [
      'a group as a member, without its type',
      newGroup('c', { members: [{ value: id }] }),
      400,
      'invalidValue',
    ],
    ['a service user as a member', newGroup('c', { members: [{ value: scim.userId }] }), 400, 'invalidValue'],
    ['a member without value', newGroup('d', { members: [{ display: 'x' }] }), 400, 'invalidValue'],
    ['a member that is a list', newGroup('d', { members: [[7]] }), 400, 'invalidSyntax'],
    ['a number for a member', newGroup('d', { members: [7] }), 400, 'invalidValue'],
    ['the name again', newGroup('STRAßE'), 409, 'uniqueness'],
  ] as const) {
    const answer = await scim.post('/Groups', body);
    t.strictSame([answer.status, answer.body.scimType], [status, scimType], what);
  }
  t.equal((await scim.get('/Groups')).body.totalResults, 1, 'nothing of them was applied');
  t.equal(
    (await other.post('/Groups', newGroup('Straße'))).status,
    201,
    'another organization may have the name',
  );
});

t.test('members by PATCH', async (t) => {
  const scim = await tenant();
  const [a = '', b = '', c = '', d = ''] = await makeUsers(scim, 4);
  const id = await makeGroup(scim, 'Team', [a]);
  const before = await scim.get(`/Groups/${id}`);

  const steps: readonly (readonly [
    what: string,
    operations: readonly unknown[],
    members: readonly string[],
  ])[] = [
    ['Entra adds', [{ op: 'Add', path: 'members', value: [{ $ref: null, value: b }] }], [a, b]],
    ['again', [{ op: 'Add', path: 'members', value: [{ $ref: null, value: b }] }], [a, b]],
    ['Entra removes a list', [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: b }] }], [a]],
    ['a list of nobody removes nobody', [{ op: 'remove', path: 'members', value: [] }], [a]],
    ['one who is no member', [{ op: 'remove', path: 'members', value: [{ value: 'nobody' }] }], [a]],
    ['without a path', [{ op: 'add', value: { members: [{ value: b }, { value: c }] } }], [a, b, c]],
    ['by value path', [{ op: 'remove', path: `members[value eq "${b}"]` }], [a, c]],
    ['by several values', [{ op: 'remove', path: `members[value eq "${a}" or value eq "${c}"]` }], []],
    [
      'Okta mixes',
      [
        { op: 'add', path: 'members', value: [{ value: a, display: 'a' }, { value: b }] },
        { op: 'remove', path: `members[value eq "${a}"]` },
        { op: 'add', path: 'members', value: { value: c } },
      ],
      [b, c],
    ],
    [
      'removes and adds the same',
      [
        { op: 'remove', path: 'members', value: [{ value: b }] },
        { op: 'add', path: 'members', value: [{ value: b }] },
      ],
      [b, c],
    ],
    ['replaces', [{ op: 'replace', path: 'members', value: [{ value: d }, { value: a }] }], [a, d]],
    [
      'replaces and adds',
      [
        { op: 'replace', path: 'members', value: [{ value: b }] },
        { op: 'add', path: 'members', value: [{ value: c }] },
      ],
      [b, c],
    ],
    ['bare identifiers', [{ op: 'add', path: 'members', value: [a] }], [a, b, c]],
    ['Okta empties', [{ op: 'replace', value: { members: [] } }], []],
    ['fills again', [{ op: 'add', path: `${group}:members`, value: [{ value: a }] }], [a]],
    ['removes all', [{ op: 'remove', path: 'members' }], []],
  ];
  for (const [what, operations, members] of steps) {
    const answer = await patch(scim, id, ...operations);
    t.equal(answer.status, 204, `${what}: ${answer.text}`);
    t.strictSame(await membersOf(scim, id), members, what);
  }
  const after = await scim.get(`/Groups/${id}`);
  t.not(after.headers['etag'], before.headers['etag'], 'members count as a change');
  t.ok(after.body.meta.lastModified > before.body.meta.lastModified);
  await patch(scim, id, { op: 'add', path: 'members', value: [{ value: a }] });
  const filled = await scim.get(`/Groups/${id}`);
  await patch(scim, id, { op: 'add', path: 'members', value: [{ value: a }] });
  t.strictSame((await scim.get(`/Groups/${id}`)).body, filled.body, 'what changes nothing writes nothing');

  for (const [what, operation, scimType] of [
    [
      'an unknown member',
      { op: 'add', path: 'members', value: [{ value: b }, { value: 'nobody' }] },
      'invalidValue',
    ],
    [
      'a part of a member',
      { op: 'replace', path: `members[value eq "${a}"].display`, value: 'x' },
      'mutability',
    ],
    ['another filter', { op: 'remove', path: 'members[display sw "a"]' }, 'invalidPath'],
    [
      'an addition by filter',
      { op: 'add', path: `members[value eq "${b}"]`, value: { value: b } },
      'invalidPath',
    ],
    ['an unknown attribute', { op: 'add', path: 'owners', value: 'x' }, 'invalidPath'],
    ['no name', { op: 'remove', path: 'displayName' }, 'mutability'],
    ['the identifier', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
  ] as const) {
    const rename = { op: 'replace', path: 'displayName', value: `After ${what}` };
    const answer = await patch(scim, id, rename, operation);
    t.strictSame([answer.status, answer.body?.scimType], [400, scimType], what);
  }
  t.strictSame((await scim.get(`/Groups/${id}`)).body, filled.body, 'nothing of them was applied');
  t.equal((await patch(scim, 'unknown', { op: 'add', path: 'members', value: [{ value: a }] })).status, 404);
  t.equal((await patch(scim, 'unknown', { op: 'remove', path: 'members' })).status, 404);
});

t.test('names by PATCH', async (t) => {
  const scim = await tenant();
  const [a = ''] = await makeUsers(scim, 1);
  const id = await makeGroup(scim, 'Old', [a]);
  await makeGroup(scim, 'Taken');
  // Okta sends the identifier beside the name.
  t.equal((await patch(scim, id, { op: 'replace', value: { id, displayName: 'New' } })).status, 204);
  const entra = { op: 'Replace', path: 'externalId', value: 'e-1' };
  const both = await scim.patch(
    `/Groups/${id}?attributes=displayName,members`,
    patchOp(entra, { op: 'add', path: 'members', value: [{ value: a }] }),
  );
  t.equal(both.status, 200);
  t.strictSame(
    [both.body.displayName, both.body.members.length, both.body.externalId],
    ['New', 1, undefined],
  );
  const taken = await patch(scim, id, { op: 'replace', path: 'displayName', value: 'taken' });
  t.strictSame([taken.status, taken.body.scimType], [409, 'uniqueness']);
  t.equal(
    (await patch(scim, id, { op: 'replace', path: 'displayName', value: 'NEW' })).status,
    204,
    'its own name',
  );
  t.match((await scim.get(`/Groups/${id}`)).body, { displayName: 'NEW', externalId: 'e-1' });
  const swapped = await scim.put(`/Groups/${id}`, newGroup('Taken'));
  t.equal(swapped.status, 409);
});

t.test('versions', async (t) => {
  const scim = await tenant();
  const [a = ''] = await makeUsers(scim, 1);
  const id = await makeGroup(scim, 'Versioned');
  const etag = (await scim.get(`/Groups/${id}`)).headers['etag'] ?? '';
  t.equal((await scim.get(`/Groups/${id}`, { 'if-none-match': etag })).status, 304);
  const add = patchOp({ op: 'add', path: 'members', value: [{ value: a }] });
  t.equal((await scim.patch(`/Groups/${id}`, add, { 'if-match': 'W/"77"' })).status, 412);
  const added = await scim.patch(`/Groups/${id}`, add, { 'if-match': etag });
  t.match(added, { status: 204, text: '', headers: { 'content-type': scimType } });
  t.equal((await scim.get(`/Groups/${id}`, { 'if-none-match': etag })).status, 200);
  t.equal((await scim.put(`/Groups/${id}`, newGroup('x'), { 'if-match': etag })).status, 412);
  t.equal((await scim.delete(`/Groups/${id}`, { 'if-match': etag })).status, 412);
  const removed = await scim.delete(`/Groups/${id}`);
  t.match(removed, { status: 204, headers: { 'content-type': undefined } }, 'only a PATCH could have a body');
});

t.test('lists', async (t) => {
  const scim = await tenant();
  const [a = '', b = '', c = ''] = await makeUsers(scim, 3);
  const one = await makeGroup(scim, 'One', [a, b]);
  const two = await makeGroup(scim, 'two', [b]);
  const three = await makeGroup(scim, 'Three');
  await scim.patch(`/Groups/${three}`, patchOp({ op: 'add', path: 'externalId', value: 'X3' }));
  const find = async (filter: string, more = '') => {
    const answer = await scim.get(`/Groups?filter=${encodeURIComponent(filter)}${more}`);
    return answer.status === 200
      ? answer.body.Resources.map(({ id }: Json) => ({ [one]: 1, [two]: 2, [three]: 3 })[id]).sort()
      : `${answer.status} ${answer.body.scimType}`;
  };
  for (const [filter, expected] of [
    ['displayName eq "ONE"', [1]],
    ['displayName sw "T"', [2, 3]],
    ['displayName ew "E"', [1, 3]],
    ['displayName co "w"', [2]],
    ['externalId eq "X3"', [3]],
    ['externalId eq "x3"', []],
    [`id eq "${two}"`, [2]],
    [`members.value eq "${b}"`, [1, 2]],
    [`members eq "${a}"`, [1]],
    [`members[value eq "${b}"]`, [1, 2]],
    [`members[value eq "${b}" and type eq "User"]`, [1, 2]],
    [`members[value eq "${a}" or value eq "${b}"]`, [1, 2]],
    [`members.value eq "${c}"`, []],
    [`members.value eq "nobody"`, []],
    [`id eq "${two}" and members[value eq "${b}"]`, [2]],
    [`id eq "${two}" and members[value eq "${a}"]`, []],
    [`displayName sw "t" and members.value eq "${b}"`, [2]],
    [`members.value eq "${a}" or displayName eq "three"`, [1, 3]],
    [`not (members.value eq "${a}")`, [2, 3]],
    [`members.value ne "${a}"`, [2, 3]],
    ['meta.created gt "2020-01-01T00:00:00Z"', [1, 2, 3]],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
    ['meta.resourceType eq "Group"', [1, 2, 3]],
    ['meta.resourceType eq "User"', []],
    ['displayName pr', [1, 2, 3]],
    ['externalId pr', [3]],
    ['members pr', [1, 2]],
    ['not (members pr)', [3]],
    ['members eq null', [3]],
    ['members.value pr and displayName gt "P"', [2]],
    [`id eq "${three}" and members pr`, []],
    [`id eq "${two}" and members pr`, [2]],
    ['members[value pr]', [1, 2]],
    ['members[type eq "USER"]', [1, 2]],
    ['members.type eq "User"', [1, 2]],
    ['members.type ne "User"', [3]],
    ['members[type eq "Group"]', []],
    [`members[value eq "${b}" and type eq "Group"]`, []],
    [`members[value eq "${a}" and value eq "${b}"]`, []],
    ['meta pr', [1, 2, 3]],
    ['displayName ge "TWO"', [2]],
    ['externalId gt "X"', [3]],
    [Array(11).fill('members pr').join(' or '), '400 tooMany'],
    ['members[not (value eq "x")]', '400 invalidFilter'],
    ['members.value gt "x"', '400 invalidFilter'],
    ['members.display eq "x"', '400 invalidFilter'],
    ['members[value sw "x"]', '400 invalidFilter'],
    ['userName eq "x"', '400 invalidFilter'],
    [Array.from({ length: 11 }, (_, n) => `members.value eq "${n}"`).join(' or '), '400 tooMany'],
  ] as const) {
    t.strictSame(await find(filter), expected, filter);
  }

  const twice = encodeURIComponent('members pr or not (members.type eq "User")');
  const names = await namesOfCommands(() => scim.get(`/Groups?count=0&filter=${twice}`));
  const lookUps = names.filter((name) => name === 'aggregate groupMembers');
  t.equal(lookUps.length, 1, 'a look-up over all memberships is made once');

  const all = await scim.get('/Groups?sortBy=displayName&sortOrder=descending');
  t.strictSame(
    all.body.Resources.map(({ displayName }: Json) => displayName),
    ['two', 'Three', 'One'],
  );
  t.match(all.body, { schemas: [urn.listResponse], totalResults: 3, itemsPerPage: 3, startIndex: 1 });
  t.strictSame(
    all.body.Resources[2].members.map(({ value }: Json) => value),
    [a, b],
  );
  t.notOk('members' in all.body.Resources[1]);
  const bare = await scim.get('/Groups?excludedAttributes=members&count=1&startIndex=2&sortBy=displayName');
  t.strictSame(
    [bare.body.Resources[0].displayName, 'members' in bare.body.Resources[0], bare.body.totalResults],
    ['Three', false, 3],
  );
  const values = await scim.get(
    `/Groups?attributes=members.value&filter=${encodeURIComponent(`id eq "${one}"`)}`,
  );
  t.strictSame(values.body.Resources, [{ schemas: [group], id: one, members: [{ value: a }, { value: b }] }]);

  for (const sortBy of ['id', 'displayName', 'meta.created', 'meta.lastModified']) {
    const seen: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page = await scim.get(`/Groups?count=1&sortBy=${sortBy}&cursor=${cursor}&attributes=displayName`);
      t.equal(page.body.totalResults, 3);
      seen.push(...page.body.Resources.map(({ id }: Json) => id));
      cursor = page.body.nextCursor;
    }
    t.strictSame([...seen].sort(), [one, two, three].sort(), `every group once, by ${sortBy}`);
  }
  const searched = await scim.post('/Groups/.search', {
    schemas: [urn.searchRequest],
    filter: `members.value eq "${b}"`,
    attributes: ['displayName'],
    sortBy: 'displayName',
  });
  t.strictSame(
    searched.body.Resources.map(({ displayName }: Json) => displayName),
    ['One', 'two'],
  );
});

t.test('groups of a user', async (t) => {
  const scim = await tenant();
  const [a = '', b = '', c = ''] = await makeUsers(scim, 3);
  const one = await makeGroup(scim, 'One', [a, b]);
  const two = await makeGroup(scim, 'Two', [a]);
  const foreign = await tenant();
  await makeGroup(foreign, 'Foreign', await makeUsers(foreign, 1));
  for (const [filter, expected] of Object.entries({
    'groups pr': [a, b],
    'not (groups pr)': [c],
    'groups.type eq "direct" and userName pr': [a, b],
    'groups[display pr]': [a, b],
    [`id eq "${c}" and groups pr`]: [],
    [`id eq "${b}" and groups pr`]: [b],
    [`groups pr and not (groups.value eq "${two}")`]: [b],
  })) {
    const { body } = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`);
    t.strictSame(body.Resources.map(({ id }: Json) => id).sort(), [...expected].sort(), filter);
    t.equal(body.totalResults, expected.length, filter);
  }
  const shown = (id: string, display: string) => ({
    value: id,
    $ref: `${scim.absoluteBase}/Groups/${id}`,
    display,
    type: 'direct',
  });
  const byId = (x: Json, y: Json) => (x.value < y.value ? -1 : 1);
  const read = await scim.get(`/Users/${a}`);
  t.strictSame(read.body.groups, [shown(one, 'One'), shown(two, 'Two')].sort(byId));
  t.notOk('groups' in (await scim.get(`/Users/${c}`)).body);
  t.notOk('groups' in (await scim.get(`/Users/${a}?excludedAttributes=groups`)).body);
  t.strictSame((await scim.get(`/Users/${a}?attributes=groups.display`)).body.groups.length, 2);

  const put = await scim.put(`/Users/${a}`, { ...newUser(), groups: [{ value: 'ignored' }] });
  t.equal(put.body.groups.length, 2, 'a replacement neither changes nor hides them');
  const refused = await scim.patch(
    `/Users/${a}`,
    patchOp({ op: 'add', path: 'groups', value: [{ value: one }] }),
  );
  t.strictSame([refused.status, refused.body.scimType], [400, 'mutability']);

  const list = await scim.get('/Users');
  t.notOk(
    list.body.Resources.some((user: Json) => 'groups' in user),
    'lists have them on demand',
  );
  const asked = await scim.get('/Users?attributes=groups');
  t.strictSame(
    Object.fromEntries(asked.body.Resources.map(({ id, groups = [] }: Json) => [id, groups.length])),
    { [a]: 2, [b]: 1, [c]: 0 },
  );

  const find = async (filter: string, more = '') => {
    const { body } = await scim.get(`/Users?filter=${encodeURIComponent(filter)}${more}`);
    return [body.totalResults, ...(body.Resources ?? []).map(({ id }: Json) => id)];
  };
  t.strictSame(await find(`groups.value eq "${one}"`), [2, a, b]);
  t.strictSame(await find(`groups.value eq "${one}"`, '&count=1'), [2, a]);
  t.strictSame(await find(`groups.value eq "${one}"`, '&count=1&startIndex=2'), [2, b]);
  t.strictSame(await find(`groups.value eq "${one}"`, '&sortBy=id&sortOrder=descending'), [2, b, a]);
  t.strictSame(await find(`groups[value eq "${one}" and type eq "direct"]`), [2, a, b]);
  t.strictSame(await find(`groups.value eq "${one}" and not (groups.value eq "${two}")`), [1, b]);
  t.strictSame(await find(`groups.value eq "unknown"`), [0]);
  const first = await scim.get(
    `/Users?filter=${encodeURIComponent(`groups.value eq "${one}"`)}&count=1&cursor=`,
  );
  const second = await scim.get(
    `/Users?filter=${encodeURIComponent(`groups.value eq "${one}"`)}&count=1&cursor=${first.body.nextCursor}`,
  );
  t.strictSame(
    [first.body.Resources[0].id, second.body.Resources[0].id, second.body.nextCursor],
    [a, b, undefined],
  );

  const before = (await scim.get(`/Groups/${one}`)).headers['etag'];
  t.equal((await scim.delete(`/Users/${a}`)).status, 204);
  t.strictSame(await membersOf(scim, one), [b], 'a removed user is no member');
  t.strictSame(await membersOf(scim, two), []);
  t.not((await scim.get(`/Groups/${one}`)).headers['etag'], before);
  t.strictSame(await find(`groups.value eq "${one}"`), [1, b]);
  t.equal((await scim.delete(`/Groups/${one}`)).status, 204);
  t.notOk('groups' in (await scim.get(`/Users/${b}`)).body);
});

t.test('many members', async (t) => {
  const scim = await tenant();
  const orgId = scim.orgId;
  const [template = ''] = await makeUsers(scim, 1);
  const users = container.mongo.db.collection<{ _id: string }>('users');
  const document = (await users.findOne({ _id: template })) as Json;
  const ids = Array.from({ length: 2_500 }, (_, n) => `m-${String(n).padStart(5, '0')}`);
  await users.insertMany(
    ids.map((_id) => ({ ...document, _id, userName: _id, search: { ...document.search, userName: _id } })),
  );
  const id = await makeGroup(scim, 'Many');
  const operations = { op: 'add', path: 'members', value: ids.map((value) => ({ value })) };
  t.equal((await patch(scim, id, operations)).status, 204);
  t.strictSame(await membersOf(scim, id), ids, 'the response comes in parts');
  const list = await scim.get('/Groups');
  t.equal(list.body.Resources[0].members.length, 2_500);
  t.strictSame(Object.keys((await scim.get('/Groups?excludedAttributes=members')).body.Resources[0]), [
    'schemas',
    'id',
    'displayName',
    'meta',
  ]);
  const half = ids.filter((_, n) => n % 2 === 0);
  const put = await scim.put(
    `/Groups/${id}`,
    newGroup('Many', { members: half.map((value) => ({ value })) }),
  );
  t.equal(put.body.members.length, 1_250);
  t.strictSame(await membersOf(scim, id), half);
  const page = await scim.get(
    `/Users?filter=${encodeURIComponent(`groups.value eq "${id}"`)}&startIndex=1201&count=100`,
  );
  t.strictSame([page.body.totalResults, page.body.Resources.length], [1_250, 50]);
  t.equal((await patch(scim, id, operations)).status, 204);
  const display = 'x'.repeat(500);
  const large = newGroup('Large', { members: ids.map((value) => ({ value, display })) });
  t.ok(JSON.stringify(large).length > 1_300_000, 'longer than other bodies may be');
  const made = await scim.post('/Groups', large);
  t.equal(made.body.members.length, 2_500);
  t.equal((await scim.put(`/Groups/${made.body.id}`, large)).body.members.length, 2_500);
  t.equal((await scim.put(`/Groups/${made.body.id}`, { ...large, x: 'x'.repeat(1_100_000) })).status, 413);
  t.equal((await patch(scim, id, { op: 'add', path: 'members', value: large['members'] })).status, 413);
  t.equal((await scim.delete(`/Groups/${made.body.id}`)).status, 204);
  t.equal((await scim.delete(`/Groups/${id}`)).status, 204);
  t.equal(await container.mongo.db.collection('groupMembers').countDocuments({ orgId }), 0);
});

t.test('a membership of a user who is gone is not shown, and is removed', async (t) => {
  const scim = await tenant();
  const { orgId } = scim;
  const [a = '', b = ''] = await makeUsers(scim, 2);
  const groups = [await makeGroup(scim, 'One', [a, b]), await makeGroup(scim, 'Two')];
  const [one = ''] = groups;
  const { db } = container.mongo;
  const memberships = db.collection<{ _id: string } & Record<string, unknown>>('groupMembers');
  // As a process leaves it that ends between its commit and its second look.
  await memberships.insertMany(
    groups.map((groupId) => ({ _id: `${groupId} gone`, orgId, groupId, userId: 'gone', schemaVersion: 1 })),
  );
  t.strictSame(await membersOf(scim, one), [a, b]);
  const listed = (await scim.get('/Groups?sortBy=displayName')).body.Resources;
  t.strictSame(
    listed.map(({ members = [] }: Json) => members.map(({ value }: Json) => value)),
    [[a, b], []],
  );
  const find = async (url: string) => {
    const { body } = await scim.get(url);
    return [body.totalResults, ...(body.Resources ?? []).map(({ id }: Json) => id)];
  };
  for (const filter of ['members.value eq "gone"', `id eq "${one}" and members.value eq "gone"`])
    t.strictSame(await find(`/Groups?filter=${encodeURIComponent(filter)}`), [0], filter);
  const ofGroup = `/Users?filter=${encodeURIComponent(`groups.value eq "${one}"`)}`;
  t.strictSame(await find(ofGroup), [2, a, b]);

  const { mongo, users, groupMembers } = container;
  const stale = {
    existing: async (...[org, ids, transaction]: Parameters<typeof users.existing>) =>
      transaction === undefined ? new Set<string>() : users.existing(org, ids, transaction),
  };
  const added = { orgId, groupId: one, userIds: [a] };
  t.equal(await dropGone({ mongo, groupMembers, users: stale }, added), 0, 'imported again meanwhile');
  const warned: unknown[] = [];
  const logger = Object.assign(Object.create(container.logger), {
    warn: (...line: unknown[]) => warned.push(line[0]),
  });
  for (const expected of [1, 1, 0])
    t.equal(await removeGoneMembers({ ...container, logger }, { most: 1 }), expected, 'a bounded run');
  t.strictSame(warned, [
    { orgId, memberships: 1 },
    { orgId, memberships: 1 },
  ]);
  t.strictSame(await Promise.all(groups.map((groupId) => groupMembers.page(orgId, groupId, { limit: 9 }))), [
    [a, b],
    [],
  ]);
});

t.test('a change of one member, and a read without members, reads no other membership', async (t) => {
  const scim = await tenant();
  const { orgId } = scim;
  const [a = '', b = ''] = await makeUsers(scim, 2);
  const id = await makeGroup(scim, 'Watched', [a]);
  /** The commands on groups and memberships of the organization. */
  async function commandsOf(work: () => Promise<{ status: number }>, status: number) {
    const watched = watchCommands();
    t.equal((await work().finally(() => watched.stop())).status, status);
    const all = watched.commands.flatMap(readsAndWrites);
    const uses = all.filter(({ where }) => where['orgId'] === orgId);
    return {
      ofGroups: uses
        .filter(({ collection }) => collection === 'groups')
        .map(({ name, projection = {} }) => [name, ...Object.keys(projection)]),
      ofMembers: uses
        .filter(({ collection }) => collection === 'groupMembers')
        .map(({ name, where }) => [name, where['_id']]),
    };
  }
  const value = [{ value: b }];
  const key = `${id} ${b}`;
  for (const [operation, ofMembers] of [
    [{ op: 'add', path: 'members', value }, [['insert', key]]],
    [{ op: 'add', path: 'members', value }, [['insert', key]]],
    [{ op: 'remove', path: `members[value eq "${b}"]` }, [['delete', { $in: [key] }]]],
    [{ op: 'remove', path: `members[value eq "${b}"]` }, [['delete', { $in: [key] }]]],
  ] as const) {
    const used = await commandsOf(() => patch(scim, id, operation), 204);
    t.strictSame(used.ofMembers, ofMembers, operation.op);
    t.strictSame(used.ofGroups, [['findAndModify']], `${operation.op} does not read the group`);
  }
  const happened = (await eventsOf(id)).map(({ type }) => type);
  t.strictSame(happened, [
    'group.added',
    'group.members.added',
    'group.members.added',
    'group.members.removed',
  ]);
  for (const url of [
    `/Groups/${id}?excludedAttributes=members`,
    `/Groups/${id}?attributes=displayName`,
    '/Groups?excludedAttributes=members',
    '/Groups?attributes=displayName',
  ])
    t.strictSame((await commandsOf(() => scim.get(url), 200)).ofMembers, [], url);
});

t.test('simultaneous reads of people share the queries for their groups', async (t) => {
  const scim = await tenant();
  const other = await tenant();
  const people = await makeUsers(scim, 20);
  const [stranger = ''] = await makeUsers(other, 1);
  const even = await makeGroup(
    scim,
    'Even',
    people.filter((_, n) => n % 2 === 0),
  );
  const first = await makeGroup(scim, 'First', people.slice(0, 1));
  const theirs = await makeGroup(other, 'Even', [stranger]);
  const groupsOf = async (from: typeof scim, id: string) => {
    const { body } = await from.get(`/Users/${id}`);
    const groups = (body['groups'] ?? []) as { value: string; display: string }[];
    return groups.map(({ value, display }) => `${display} ${value}`).sort();
  };
  const read = () => Promise.all([...people.map((id) => groupsOf(scim, id)), groupsOf(other, stranger)]);
  await read();
  const watched = watchCommands();
  const found = await read().finally(() => watched.stop());
  const finds = watched.commands
    .flatMap(readsAndWrites)
    .filter(({ collection }) => ['groups', 'groupMembers'].includes(collection));
  t.strictSame(found, [
    ...people.map((_, n) => [
      ...(n % 2 === 0 ? [`Even ${even}`] : []),
      ...(n === 0 ? [`First ${first}`] : []),
    ]),
    [`Even ${theirs}`],
  ]);
  t.ok(finds.length <= 12, `${finds.length} queries for 21 people`);
  t.ok(
    finds.every(({ where }) => typeof where['orgId'] === 'string'),
    'each is of one organization',
  );
});

t.test('the groups of people who are read again are remembered until they change', async (t) => {
  const scim = await tenant();
  const [ann = '', bob = ''] = await makeUsers(scim, 2);
  await believeStamps([ann, bob]);
  const id = await makeGroup(scim, 'Remembered', [ann]);
  const read = async (userId: string) => {
    let groups: unknown;
    const commands = await namesOfCommands(async () => {
      const { body } = await scim.get(`/Users/${userId}`);
      groups = ((body['groups'] ?? []) as { display: string }[]).map(({ display }) => display);
    });
    return [groups, commands.filter((name) => / (groups|groupMembers)$/.test(name))];
  };
  const found = ['find groupMembers'];
  // It learns that the organization has groups.
  await read(ann);
  t.strictSame(await read(bob), [[], found]);
  t.strictSame(await read(bob), [[], found]);
  t.strictSame(await read(bob), [[], []], 'the third read knows them');
  for (let round = 0; round < 2; round++) await read(ann);
  t.strictSame(await read(ann), [['Remembered'], []]);
  await patch(scim, id, { op: 'add', path: 'members', value: [{ value: bob }] });
  t.strictSame(await read(bob), [['Remembered'], found], 'a change of members begins anew');
  await patch(scim, id, { op: 'replace', path: 'displayName', value: 'Renamed' });
  t.strictSame((await read(ann))[0], ['Renamed']);
  await patch(scim, id, { op: 'remove', path: `members[value eq "${ann}"]` });
  t.strictSame((await read(ann))[0], []);
  t.equal((await scim.delete(`/Groups/${id}`)).status, 204);
  t.strictSame((await read(bob))[0], []);
});

t.test('a person in many groups, read beside others', async (t) => {
  const scim = await tenant();
  const [many = '', few = ''] = await makeUsers(scim, 2);
  const { orgId } = scim;
  const groupIds = Array.from({ length: 600 }, () => randomUUID());
  const { db } = container.mongo;
  await db.collection<{ _id: string }>('groups').insertMany(
    groupIds.map((_id, n) => ({
      _id,
      orgId,
      displayName: `Many ${n}`,
      search: { displayName: `many ${n}` },
    })),
  );
  await db
    .collection<{ _id: string }>('groupMembers')
    .insertMany(groupIds.map((groupId) => ({ _id: `${groupId} ${many}`, orgId, groupId, userId: many })));
  const one = await makeGroup(scim, 'One', [few]);
  const read = async (id: string) => (await scim.get(`/Users/${id}`)).body['groups'] as { value: string }[];
  const [ofMany, ofFew] = await Promise.all([read(many), read(few)]);
  t.equal(ofMany?.length, 600);
  t.same(
    ofFew?.map(({ value }) => value),
    [one],
  );
});

/** Redis is believed bucket by bucket, after the first question about a user of the bucket. */
async function believeStamps(userIds: readonly string[]): Promise<void> {
  const { revocations } = container;
  for (const id of userIds) await until(async () => (await revocations.stampOf(id)) !== undefined);
}

t.test('a change of one member takes four commands', async (t) => {
  const scim = await tenant();
  const users = await makeUsers(scim, 3);
  const [first = '', second = ''] = await Promise.all(['One', 'Two'].map((name) => makeGroup(scim, name)));
  const add = (value?: string) => ({ op: 'add', path: 'members', value: [{ value }] });
  const remove = (value?: string) => ({ op: 'remove', path: `members[value eq "${value}"]` });
  /** Without those of timers, and of the provisioning log. */
  const commandsOf = async (id: string, operation: object) => {
    const names = await namesOfCommands(async () => t.equal((await patch(scim, id, operation)).status, 204));
    return names.filter((name) => /Transaction$| (users|groups|groupMembers|events|groupGrants)$/.test(name));
  };
  const written = ['insert events', 'commitTransaction'];
  const [user, other, third] = users;
  await believeStamps(users);
  for (const value of users) await patch(scim, first, add(value));
  const added = ['findAndModify groups', 'insert groupMembers', ...written];
  t.strictSame(await commandsOf(second, add(user)), added, 'the process knows that the user exists');
  const removed = ['findAndModify groups', 'delete groupMembers', ...written];
  t.strictSame(await commandsOf(second, remove(user)), removed);
  t.strictSame(
    await commandsOf(second, add(user)),
    added,
    'a change of members by the process is no reason to ask',
  );
  const unchanged = (name: string) => ['findAndModify groups', name, 'abortTransaction'];
  t.strictSame(await commandsOf(second, add(user)), unchanged('insert groupMembers'));
  t.strictSame(await commandsOf(second, remove(other)), unchanged('delete groupMembers'));
  await scim.patch(`/Users/${other}`, patchOp({ op: 'replace', path: 'title', value: 'Changed' }));
  t.strictSame(await commandsOf(second, add(other)), ['find users', ...added], 'another change is one');
  await container.revocations.restamp(third ?? '');
  t.strictSame(
    await commandsOf(second, add(third)),
    ['find users', ...added],
    'so is one by another process',
  );
  t.equal((await eventsOf(second)).length, 6);
  t.match((await scim.get(`/Groups/${second}`)).body, { meta: { version: /^W\/"6-/ } });
});

t.test('a user who was removed is no user whom the process knows', async (t) => {
  const scim = await tenant();
  const [gone = '', left = ''] = await makeUsers(scim, 2);
  await believeStamps([gone, left]);
  const id = await makeGroup(scim, 'Known', [gone]);
  await patch(scim, id, { op: 'add', path: 'members', value: [{ value: left }] });
  const again = { op: 'add', path: 'members', value: [{ value: gone }] };
  t.equal((await patch(scim, id, again)).status, 204);
  t.equal((await scim.delete(`/Users/${gone}`)).status, 204);
  const refused = await patch(scim, id, again);
  t.equal(refused.status, 400);
  t.match(refused.body, { detail: new RegExp(gone) });
  t.strictSame(await membersOf(scim, id), [left]);
});

t.test('simultaneous changes of different groups share their commands', async (t) => {
  const scim = await tenant();
  const users = await makeUsers(scim, 16);
  const groups = await Promise.all(users.map((_, n) => makeGroup(scim, `Beside ${n}`)));
  const value = `${users[0]}`;
  for (const operation of [
    { op: 'add', path: 'members', value: [{ value }] },
    { op: 'remove', path: `members[value eq "${value}"]` },
  ]) {
    // The first request of a process fills caches.
    await patch(scim, groups[0] ?? '', { op: 'remove', path: 'members[value eq "nobody"]' });
    const commands = await namesOfCommands(async () => {
      const answers = await Promise.all(groups.map((id) => patch(scim, id, operation)));
      t.strictSame([...new Set(answers.map(({ status }) => status))], [204]);
    });
    t.ok(commands.length <= 2 * groups.length, `${commands.length} commands: ${commands.join(', ')}`);
  }
  for (const id of groups) {
    t.strictSame(await membersOf(scim, id), []);
    t.strictSame(
      (await eventsOf(id)).map(({ sequence, type, payload }) => [sequence, type, payload['userIds']]),
      [
        [1, 'group.added', undefined],
        [2, 'group.members.added', [value]],
        [3, 'group.members.removed', [value]],
      ],
    );
  }
});

t.test('simultaneous changes of groups fail one by one', async (t) => {
  const scim = await tenant();
  const [user = ''] = await makeUsers(scim, 1);
  const groups = await Promise.all(Array.from({ length: 4 }, (_, n) => makeGroup(scim, `Mixed ${n}`)));
  const [first = '', second = '', third = '', fourth = ''] = groups;
  const add = (value: string) => ({ op: 'add', path: 'members', value: [{ value }] });
  const answers = await Promise.all([
    patch(scim, first, add(user)),
    patch(scim, 'unknown', add(user)),
    patch(scim, 'unknown', add('nobody')),
    patch(scim, second, add('nobody')),
    scim.patch(`/Groups/${third}`, patchOp(add(user)), { 'if-match': 'W/"99"' }),
    patch(scim, 'unknown', { op: 'replace', path: 'members', value: [] }),
    patch(scim, 'unknown', { op: 'remove', path: `members[value eq "${user}"]` }),
    patch(scim, fourth, add(user)),
  ]);
  t.strictSame(
    answers.map(({ status, body }) => (status === 204 ? 204 : body[urn.errorDetail].id)),
    [
      204,
      ...Array(2).fill('directory.groupNotFound'),
      'directory.memberUnknown',
      'scim.versionChanged',
      ...Array(2).fill('directory.groupNotFound'),
      204,
    ],
  );
  t.strictSame(await Promise.all(groups.map((id) => membersOf(scim, id))), [[user], [], [], [user]]);
});

t.test('50 parallel changes of one group', async (t) => {
  const scim = await tenant();
  const users = await makeUsers(scim, 50);
  const id = await makeGroup(scim, 'Busy');
  const answers = await Promise.all(
    users.map((value) => patch(scim, id, { op: 'add', path: 'members', value: [{ value }] })),
  );
  t.strictSame([...new Set(answers.map(({ status }) => status))], [204]);
  t.strictSame(await membersOf(scim, id), users);
  const sequences = (await eventsOf(id)).map(({ sequence }) => sequence);
  t.strictSame(
    sequences,
    Array.from({ length: 51 }, (_, n) => n + 1),
    'each is an event of its own',
  );
});

t.test('a user who is removed while it is added', async (t) => {
  const scim = await tenant();
  const id = await makeGroup(scim, 'Race');
  for (let round = 0; round < 5; round++) {
    const users = await makeUsers(scim, 4);
    await Promise.all(
      users.flatMap((value) => [
        patch(scim, id, { op: 'add', path: 'members', value: [{ value }] }),
        scim.delete(`/Users/${value}`),
      ]),
    );
  }
  t.equal(await container.mongo.db.collection('groupMembers').countDocuments({ groupId: id }), 0);
  const groups = await Promise.all(Array.from({ length: 6 }, (_, n) => makeGroup(scim, `Race ${n}`)));
  const [last = ''] = await makeUsers(scim, 1);
  await Promise.all([
    ...groups.map((group) => patch(scim, group, { op: 'add', path: 'members', value: [{ value: last }] })),
    scim.delete(`/Users/${last}`),
  ]);
  t.equal(await container.mongo.db.collection('groupMembers').countDocuments({ userId: last }), 0);
  const again = await makeGroup(scim, 'Removed while it is filled');
  const users = await makeUsers(scim, 4);
  await Promise.all([
    ...users.map((value) => patch(scim, again, { op: 'add', path: 'members', value: [{ value }] })),
    scim.delete(`/Groups/${again}`),
  ]);
  t.equal(await container.mongo.db.collection('groupMembers').countDocuments({ groupId: again }), 0);
});

t.test('in a Bulk', async (t) => {
  const scim = await tenant();
  const [a = ''] = await makeUsers(scim, 1);
  const answer = await scim.post('/Bulk', {
    schemas: [urn.bulkRequest],
    Operations: [
      {
        method: 'POST',
        path: '/Groups',
        bulkId: 'g',
        data: newGroup('Bulk', { members: [{ value: 'bulkId:u' }, { value: a }] }),
      },
      { method: 'POST', path: '/Users', bulkId: 'u', data: newUser() },
      {
        method: 'PATCH',
        path: '/Groups/bulkId:g',
        data: patchOp({ op: 'replace', path: 'displayName', value: 'Renamed' }),
      },
      { method: 'PUT', path: '/Groups/unknown', data: newGroup('x') },
      {
        method: 'POST',
        path: '/Groups',
        bulkId: 'h',
        data: newGroup('Second', { members: [{ value: 'nobody' }] }),
      },
    ],
  });
  const [made, user, renamed, unknown, refused] = answer.body.Operations;
  t.strictSame(
    [made, user, renamed, unknown, refused].map(({ status }: Json) => status),
    ['201', '201', '204', '404', '400'],
  );
  const id = made.location.slice(made.location.lastIndexOf('/') + 1);
  const read = await scim.get(`/Groups/${id}`);
  t.equal(read.body.displayName, 'Renamed');
  t.equal(read.body.members.length, 2);
  t.equal(renamed.version, read.body.meta.version);
  const removed = await scim.post('/Bulk', {
    schemas: [urn.bulkRequest],
    Operations: [{ method: 'DELETE', path: `/Groups/${id}` }],
  });
  t.equal(removed.body.Operations[0].status, '204');
  t.equal((await scim.get(`/Groups/${id}`)).status, 404);
});

t.test('roles and quotas', async (t) => {
  const owner = await tenant();
  const id = await makeGroup(owner, 'Guarded');
  const viewer = await client({ orgId: owner.orgId, role: 'ORG_USER_VIEWER' });
  t.equal((await viewer.get(`/Groups/${id}`)).status, 200);
  for (const answer of await Promise.all([
    viewer.post('/Groups', newGroup('x')),
    viewer.put(`/Groups/${id}`, newGroup('x')),
    patch(viewer, id, { op: 'remove', path: 'members' }),
    viewer.delete(`/Groups/${id}`),
  ]))
    t.equal(answer.status, 403);
  const stranger = (await tenant()).at(owner.orgId);
  t.equal((await stranger.get(`/Groups/${id}`)).status, 404);
  const other = await tenant();
  t.equal((await other.get(`/Groups/${id}`)).status, 404);
  t.equal((await other.delete(`/Groups/${id}`)).status, 404);
  t.equal((await patch(other, id, { op: 'remove', path: 'members' })).status, 404);
  for (const url of ['/Groups', `/Groups/${id}`, '/Groups/.search'])
    t.match(await owner.send('TRACE' as never, url, {}), { status: 405, headers: { allow: String } });
});

t.test('a search over users and groups', async (t) => {
  const scim = await tenant();
  const users: string[] = [];
  for (const userName of ['a1', 'a2', 'b']) {
    const made = await scim.post('/Users', newUser({ userName, displayName: userName }));
    users.push(made.body.id);
  }
  const groups = [await makeGroup(scim, 'a3', users), await makeGroup(scim, 'c')];
  const search = (parameters: Record<string, unknown>) =>
    scim.post('/.search', { schemas: [urn.searchRequest], attributes: ['displayName'], ...parameters });
  const names = ({ body }: Json) => body.Resources.map(({ displayName }: Json) => displayName);
  const everything = await search({});
  t.strictSame(names(everything), ['a1', 'a2', 'b', 'a3', 'c']);
  t.match(everything.body, { schemas: [urn.listResponse], totalResults: 5, itemsPerPage: 5, startIndex: 1 });
  for (const [parameters, total, expected] of [
    [{ filter: 'displayName sw "A"' }, 3, ['a1', 'a2', 'a3']],
    [{ filter: 'userName eq "b"' }, 1, ['b']],
    [{ filter: `members.value eq "${users[0]}"` }, 1, ['a3']],
    [{ filter: 'meta.resourceType eq "Group"' }, 2, ['a3', 'c']],
    [{ filter: `id eq "${groups[1]}" or id eq "${users[0]}"` }, 2, ['a1', 'c']],
    [{ startIndex: 3, count: 2 }, 5, ['b', 'a3']],
    [{ startIndex: 5, count: 2 }, 5, ['c']],
    [{ startIndex: 9 }, 5, []],
    [{ count: 0 }, 5, []],
    [{ count: 1 }, 5, ['a1']],
  ] as const) {
    const answer = await search(parameters);
    t.strictSame([answer.body.totalResults, names(answer)], [total, expected], JSON.stringify(parameters));
  }
  t.strictSame(names(await search({ attributes: ['displayName', 'members'], count: 4 })), [
    'a1',
    'a2',
    'b',
    'a3',
  ]);
  for (const [parameters, scimType] of [
    [{ filter: 'nothing eq "x"' }, 'invalidFilter'],
    [{ filter: 'displayName eq' }, 'invalidFilter'],
    [{ cursor: 'x' }, 'invalidCursor'],
    [{ cursor: 'u.x' }, 'invalidCursor'],
    [{ cursor: 'g.3.x' }, 'invalidCursor'],
    [{ cursor: 'g.9999999999999999.' }, 'invalidCursor'],
    [{ cursor: 'u.' }, 'invalidCursor'],
    [{ cursor: 'g.0.', filter: 'userName pr' }, 'invalidCursor'],
    [{ cursor: 'u.x', filter: 'members pr' }, 'invalidCursor'],
  ] as const) {
    const { status, body } = await search(parameters);
    t.strictSame([status, body.scimType], [400, scimType], JSON.stringify(parameters));
  }

  for (const [parameters, total, expected] of [
    [{ count: 2 }, 5, [['a1', 'a2'], ['b'], ['a3', 'c']]],
    [{ count: 1 }, 5, [['a1'], ['a2'], ['b'], ['a3'], ['c']]],
    [
      {},
      5,
      [
        ['a1', 'a2', 'b'],
        ['a3', 'c'],
      ],
    ],
    [{ count: 3, filter: 'displayName sw "a"' }, 3, [['a1', 'a2'], ['a3']]],
    [{ count: 3, filter: 'members pr' }, 1, [['a3']]],
    [{ count: 3, filter: 'userName pr' }, 3, [['a1', 'a2', 'b']]],
    [{ count: 3, filter: 'displayName eq "C"' }, 1, [['c']]],
    [{ count: 3, filter: 'displayName eq "nobody"' }, 0, [[]]],
    [{ count: 0 }, 5, [[]]],
  ] as const) {
    const pages: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined && pages.length < 9; ) {
      const { status, body }: Json = await search({ ...parameters, cursor });
      t.strictSame([status, body.totalResults], [200, total], JSON.stringify(parameters));
      pages.push(names({ body }));
      cursor = body.nextCursor;
    }
    t.strictSame(pages, expected, `by cursor: ${JSON.stringify(parameters)}`);
  }
  const other = await tenant();
  const { nextCursor } = (await search({ count: 1, cursor: '' })).body;
  const stolen = await other.post('/.search', { schemas: [urn.searchRequest], cursor: nextCursor });
  t.match(stolen, { status: 400, body: { scimType: 'invalidCursor' } }, 'of another organization');
});

t.test('what is published', async (t) => {
  const scim = await tenant();
  const types = await scim.get('/ResourceTypes');
  t.strictSame(
    types.body.Resources.map(({ id, endpoint }: Json) => [id, endpoint]),
    [
      ['User', '/Users'],
      ['Group', '/Groups'],
    ],
  );
  t.match((await scim.get('/ResourceTypes/Group')).body, { schema: group, endpoint: '/Groups' });
  const { attributes } = (await scim.get(`/Schemas/${group}`)).body;
  t.strictSame(
    attributes.map(({ name }: Json) => name),
    ['displayName', 'members'],
  );
});
