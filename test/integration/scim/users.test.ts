import t, { type Test } from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { type Json, newUser, patchOp, scimType, urn } from '../../support/scim/scim-client.js';

/** The life of a user that a client creates, replaces, patches and deletes. */

const { tenant, client, container } = await openScim(t);
const scim = await tenant();

const extension = 'urn:ietf:params:scim:schemas:extension:service:2.0:User';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Every attribute of the User schema, each with a value that is returned as it was sent. */
const full = {
  externalId: '701984',
  userName: 'bjensen@example.com',
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'https://login.example.com/bjensen',
  title: 'Tour Guide',
  userType: 'Employee',
  preferredLanguage: 'en-US',
  locale: 'en-GB',
  timezone: 'America/Los_Angeles',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home', primary: false },
  ],
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  addresses: [
    {
      formatted: '100 Universal City Plaza\nHollywood, CA 91608 USA',
      streetAddress: '100 Universal City Plaza',
      locality: 'Hollywood',
      region: 'CA',
      postalCode: '91608',
      country: 'USA',
      type: 'work',
      primary: true,
    },
  ],
  photos: [{ value: 'https://photos.example.com/profilephoto/72930000000Ccne/F', type: 'photo' }],
  roles: [{ value: 'admin', display: 'Administrator' }],
  entitlements: [{ value: 'parking', display: 'Parking lot' }],
};
const fullName = {
  familyName: 'Jensen',
  givenName: 'Barbara',
  middleName: 'Jane',
  honorificPrefix: 'Ms.',
  honorificSuffix: 'III',
};

function withoutMeta({ meta: _meta, id: _id, ...rest }: Json): Json {
  return rest;
}

t.test('a user with every attribute is created and read as it was sent', async (t) => {
  const scim = await tenant();
  const sent = {
    schemas: [urn.user],
    ...full,
    name: { ...fullName, formatted: 'Ms. Barbara J Jensen, III' },
    phoneNumbers: [
      { value: '+1 (555) 555-83.77', type: 'work', primary: true },
      { value: '030 12-34', type: 'home' },
    ],
    password: 'Correct-Horse-9',
  };
  const created = await scim.post('/Users', sent);
  t.equal(created.status, 201);
  const { id } = created.body;
  const location = `${scim.absoluteBase}/Users/${id}`;
  t.equal(created.headers['location'], location);
  t.same(withoutMeta(created.body), {
    schemas: [urn.user],
    ...full,
    name: { ...fullName, formatted: 'Ms. Barbara J Jensen, III' },
    phoneNumbers: [
      { value: '+15555558377', type: 'work', primary: true },
      { value: '0301234', type: 'home', primary: false },
    ],
  });
  const { created: at, lastModified, ...meta } = created.body.meta;
  t.same(meta, { resourceType: 'User', version: meta.version, location });
  t.type(meta.version, 'string');
  t.match(at, timestamp);
  t.equal(lastModified, at);

  const read = await scim.get(`/Users/${id}`);
  t.equal(read.status, 200);
  t.equal(read.headers['content-location'], location);
  t.same(read.body, created.body);
});

t.test('a minimal user gets what the service fills in', async (t) => {
  const { meta, id, ...user } = await scim.create({ userName: 'minimal', password: 'Correct-Horse-9' });
  t.ok(meta && id);
  t.same(user, {
    schemas: [urn.user],
    userName: 'minimal',
    name: { formatted: 'Barbara Jensen', givenName: 'Barbara', familyName: 'Jensen' },
    displayName: 'Barbara Jensen',
    preferredLanguage: 'en',
    active: true,
    emails: [{ value: 'barbara@example.com', type: 'work', primary: true }],
  });
});

/** The stored form of a value is the same for a new user, a PUT and a PATCH. */
const kept: Record<string, { sent: Json; kept: Json }> = {
  'displayName and name.formatted are kept apart': {
    sent: { displayName: 'Shown', name: { givenName: 'A', familyName: 'B', formatted: 'Formatted' } },
    kept: { displayName: 'Shown', name: { givenName: 'A', familyName: 'B', formatted: 'Formatted' } },
  },
  'name.formatted is shown where there is no displayName': {
    sent: { name: { givenName: 'A', familyName: 'B', formatted: 'Formatted' } },
    kept: { displayName: 'Formatted', name: { givenName: 'A', familyName: 'B', formatted: 'Formatted' } },
  },
  'given and family name are shown where there is neither': {
    sent: { name: { givenName: 'A', familyName: 'B' } },
    kept: { displayName: 'A B', name: { givenName: 'A', familyName: 'B', formatted: 'A B' } },
  },
  'the first e-mail address is primary where none is flagged': {
    sent: { emails: [{ value: 'a@x.example' }, { value: 'b@x.example', type: 'home' }] },
    kept: {
      emails: [
        { value: 'a@x.example', primary: true },
        { value: 'b@x.example', type: 'home', primary: false },
      ],
    },
  },
  'the first flagged e-mail address is primary where several are': {
    sent: {
      emails: [
        { value: 'a@x.example' },
        { value: 'b@x.example', primary: true },
        { value: 'c@x.example', primary: true },
      ],
    },
    kept: {
      emails: [
        { value: 'a@x.example', primary: false },
        { value: 'b@x.example', primary: true },
        { value: 'c@x.example', primary: false },
      ],
    },
  },
  'flags may be the strings True and False': {
    sent: { active: 'False', emails: [{ value: 'a@x.example' }, { value: 'b@x.example', primary: 'True' }] },
    kept: {
      active: false,
      emails: [
        { value: 'a@x.example', primary: false },
        { value: 'b@x.example', primary: true },
      ],
    },
  },
  'phone numbers lose spaces, hyphens, parentheses and dots, and keep a leading plus': {
    sent: { phoneNumbers: [{ value: '+41 (44) 123-45.67', type: 'mobile' }, { value: '555 0100' }] },
    kept: {
      phoneNumbers: [
        { value: '+41441234567', type: 'mobile', primary: false },
        { value: '5550100', primary: false },
      ],
    },
  },
  'a phone number that cannot be normalized is kept as it was sent': {
    sent: { phoneNumbers: [{ value: '(555) Ext. 12' }, { value: 'call me', type: 'work' }] },
    kept: {
      phoneNumbers: [
        { value: '(555) Ext. 12', primary: false },
        { value: 'call me', type: 'work', primary: false },
      ],
    },
  },
  'null, empty strings and empty lists are unassigned': {
    sent: {
      title: null,
      nickName: '',
      phoneNumbers: [],
      ims: null,
      addresses: [{}],
      roles: [{ value: '' }],
      externalId: '',
      name: { givenName: 'A', familyName: 'B', middleName: '', honorificPrefix: null },
    },
    kept: { name: { givenName: 'A', familyName: 'B', formatted: 'A B' } },
  },
  'unknown attributes and unknown extensions are ignored': {
    sent: {
      shoeSize: 42,
      constructor: 'x',
      'urn:ietf:params:scim:schemas:extension:other:2.0:User': { employeeNumber: '1' },
      name: { givenName: 'A', familyName: 'B', nick: 'C' },
      emails: [{ value: 'a@x.example', verified: true }],
    },
    kept: {
      name: { givenName: 'A', familyName: 'B', formatted: 'A B' },
      emails: [{ value: 'a@x.example', primary: true }],
    },
  },
  'the extension is kept, in any letter case, without unknown parts': {
    sent: {
      schemas: [urn.user, extension],
      [extension.toUpperCase()]: {
        Website: 'https://anna.example',
        birthdate: '0000-02-29',
        gender: 'female',
        shoeSize: 42,
      },
    },
    kept: {
      schemas: [urn.user, extension],
      [extension]: { website: 'https://anna.example', birthdate: '0000-02-29', gender: 'female' },
    },
  },
  'an extension without values is unassigned': {
    sent: { [extension]: { website: '', gender: null } },
    kept: {},
  },
  'read-only attributes are ignored': {
    sent: { id: 'mine', meta: { created: '2000-01-01T00:00:00Z', version: '77' } },
    kept: {},
  },
  'letter case of names does not matter': {
    sent: { TITLE: 'Guide', NickName: 'Babs' },
    kept: { title: 'Guide', nickName: 'Babs' },
  },
  'language tags are kept in their canonical form': {
    sent: { locale: 'de_CH', preferredLanguage: 'EN-us' },
    kept: { locale: 'de-CH', preferredLanguage: 'en-US' },
  },
  'texts of every script are kept': {
    sent: { title: 'ß İ ς 😀 日本 עברית é', nickName: '"quoted" \\ $where .*' },
    kept: { title: 'ß İ ς 😀 日本 עברית é', nickName: '"quoted" \\ $where .*' },
  },
};

const always = ['schemas', 'userName', 'name', 'displayName', 'preferredLanguage', 'active', 'emails'];

function checkKept(t: Test, user: Json, expected: Json): void {
  const { meta, id, ...rest } = user;
  t.not(id, 'mine');
  t.not(meta.version, '77');
  t.same(Object.keys(rest).sort(), [...new Set([...always, ...Object.keys(expected)])].sort());
  t.hasStrict(rest, expected);
}

for (const [name, { sent, kept: expected }] of Object.entries(kept)) {
  t.test(name, async (t) => {
    const created = await scim.create(sent);
    checkKept(t, created, expected);
    const other = await scim.create();
    const replaced = await scim.put(`/Users/${other.id}`, newUser(sent));
    t.equal(replaced.status, 200, replaced.text);
    checkKept(t, replaced.body, expected);
    t.same((await scim.get(`/Users/${other.id}`)).body, replaced.body);
  });
}

t.test('PUT clears what it does not say, but for active and password', async (t) => {
  const before = await scim.create({
    ...full,
    userName: 'cleared',
    active: false,
    phoneNumbers: [{ value: '5550100' }],
    password: 'Correct-Horse-9',
  });
  const hash = (await passwordOf(before.id))?.hash;
  t.match(hash, /^\$argon2id\$/);
  const answer = await scim.put(`/Users/${before.id}`, newUser({ userName: 'cleared' }));
  t.equal(answer.status, 200);
  t.equal(answer.headers['content-location'], `${scim.absoluteBase}/Users/${before.id}`);
  t.same(withoutMeta(answer.body), {
    schemas: [urn.user],
    userName: 'cleared',
    name: { formatted: 'Barbara Jensen', givenName: 'Barbara', familyName: 'Jensen' },
    displayName: 'Barbara Jensen',
    preferredLanguage: 'en',
    active: false,
    emails: [{ value: 'barbara@example.com', type: 'work', primary: true }],
  });
  t.equal(answer.body.id, before.id);
  t.equal(answer.body.meta.created, before.meta.created);
  t.same((await scim.get(`/Users/${before.id}`)).body, answer.body);
  t.equal((await passwordOf(before.id))?.hash, hash, 'the password is the same');
});

t.test('a user needs only a userName, whoever makes or replaces it', async (t) => {
  const bare = (userName: string) => ({
    schemas: [urn.user],
    userName,
    displayName: userName,
    preferredLanguage: 'en',
    active: true,
  });
  const onlyName = (userName: string) => ({ schemas: [urn.user], userName });
  const created = await scim.post('/Users', onlyName('bare-made'));
  t.equal(created.status, 201, created.text);
  t.same(withoutMeta(created.body), bare('bare-made'));
  t.same((await scim.get(`/Users/${created.body.id}`)).body, created.body);

  const other = await scim.create();
  const replaced = await scim.put(`/Users/${other.id}`, onlyName('bare-put'));
  t.equal(replaced.status, 200, replaced.text);
  t.same(withoutMeta(replaced.body), bare('bare-put'));

  const { id } = await scim.create({ userName: 'bare-patched' });
  const removal = patchOp({ op: 'remove', path: 'name' }, { op: 'remove', path: 'emails' });
  t.equal((await scim.patch(`/Users/${id}`, removal)).status, 204);
  t.same(withoutMeta((await scim.get(`/Users/${id}`)).body), bare('bare-patched'));
  t.equal(
    await scim.found('userName sw "bare-" and not (emails pr) and not (name.familyName pr)'),
    ['bare-made', 'bare-patched', 'bare-put'].join(' '),
  );

  const renamed = patchOp({ op: 'replace', path: 'userName', value: 'bare-renamed' });
  await scim.patch(`/Users/${id}`, renamed);
  t.equal((await scim.get(`/Users/${id}`)).body.displayName, 'bare-renamed', 'displayName follows');
  t.equal(await scim.found('displayName eq "BARE-renamed"'), 'bare-renamed');
});

t.test('a user may have each value that /Schemas suggests', async (t) => {
  const { body } = await scim.get('/Schemas');
  const core = urn.user;
  const claims = 'urn:ietf:params:scim:schemas:extension:service:2.0:User';
  const suggested: string[] = [];
  for (const id of [core, claims]) {
    for (const attribute of body.Resources.find((one: Json) => one.id === id).attributes) {
      const sub = attribute.subAttributes?.find((one: Json) => one.canonicalValues);
      for (const value of (sub ?? attribute).canonicalValues ?? []) {
        if (attribute.mutability === 'readOnly') continue;
        suggested.push(attribute.name);
        const text = { emails: 'a@example.com', photos: 'https://example.com/a' }[attribute.name as string];
        const given = sub ? [{ value: text ?? '1', [sub.name]: value }] : value;
        const values = { [attribute.name]: given };
        const made = await scim.post('/Users', newUser(id === core ? values : { [claims]: values }));
        t.equal(made.status, 201, `${attribute.name} ${value}`);
        const shown = (id === core ? made.body : made.body[claims])[attribute.name];
        t.equal(sub ? shown[0][sub.name] : shown, value);
      }
    }
  }
  for (const name of ['preferredLanguage', 'locale', 'timezone', 'birthdate', 'gender', 'emails'])
    t.ok(suggested.includes(name), name);
});

t.test('an only address is primary, also with `primary: false`', async (t) => {
  const alone = { value: 'only@example.com', primary: false };
  const phone = { value: '+15550100', primary: false };
  const { id, emails, phoneNumbers } = await scim.create({ emails: [alone], phoneNumbers: [phone] });
  t.match([emails, phoneNumbers], [[{ primary: true }], [{ primary: false }]]);
  const path = 'emails[value eq "only@example.com"].primary';
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path, value: false }));
  t.match((await scim.get(`/Users/${id}`)).body.emails, [{ value: 'only@example.com', primary: true }]);
});

t.test('a PATCH answers 204, or the resource when attributes are asked for', async (t) => {
  const { id } = await scim.create({ userName: 'patched' });
  const title = (value: string) => patchOp({ op: 'replace', path: 'title', value });
  const silent = await scim.patch(`/Users/${id}`, title('One'));
  t.equal(silent.status, 204);
  t.equal(silent.text, '');
  t.equal(silent.headers['content-type'], scimType, 'SDKs judge an answer by it');
  t.equal(silent.headers['content-length'], undefined);
  t.equal((await scim.get(`/Users/${id}`)).body.title, 'One');

  const some = await scim.patch(`/Users/${id}?attributes=title,userName`, title('Two'));
  t.equal(some.status, 200);
  t.match(some.headers['content-type'], /^application\/scim\+json/);
  t.same(some.body, { schemas: [urn.user], id, userName: 'patched', title: 'Two' });
  const most = await scim.patch(`/Users/${id}?excludedAttributes=emails,name,meta`, title('Three'));
  t.equal(most.status, 200);
  t.equal(most.body.title, 'Three');
  t.notHas(most.body, { emails: [] });
  t.notOk('name' in most.body || 'meta' in most.body);
});

t.test('a PATCH applies every operation or none', async (t) => {
  const user = await scim.create({ title: 'Guide' });
  const answer = await scim.patch(
    `/Users/${user.id}`,
    patchOp(
      { op: 'replace', path: 'title', value: 'Boss' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'no address' },
    ),
  );
  t.equal(answer.status, 400);
  t.same((await scim.get(`/Users/${user.id}`)).body, user);
});

t.test('a user is deactivated and re-activated', async (t) => {
  const { id } = await scim.create();
  const set = (value: unknown) =>
    scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'active', value }));
  for (const [value, active] of [
    [false, false],
    [true, true],
    ['False', false],
    ['true', true],
  ]) {
    t.equal((await set(value)).status, 204);
    t.equal((await scim.get(`/Users/${id}`)).body.active, active);
  }
  const types = (await container.events.search({ aggregateId: id, limit: 100, ascending: true })).map(
    ({ type }) => type,
  );
  t.same(types, [
    'user.human.added',
    'user.deactivated',
    'user.reactivated',
    'user.deactivated',
    'user.reactivated',
  ]);
});

t.test('a deleted user is gone for good', async (t) => {
  const { id } = await scim.create({ userName: 'deleted' });
  const answer = await scim.delete(`/Users/${id}`);
  t.equal(answer.status, 204);
  t.equal(answer.text, '');
  t.equal((await scim.get(`/Users/${id}`)).status, 404);
  t.equal((await scim.delete(`/Users/${id}`)).status, 404);
  t.equal(await scim.found('userName eq "deleted"'), '');
  const again = await scim.create({ userName: 'deleted' });
  t.not(again.id, id, 'the userName is free again');
});

t.test('meta.version and lastModified move with every change, and only then', async (t) => {
  const user = await scim.create({ userName: 'versioned', title: 'Guide' });
  const path = `/Users/${user.id}`;
  const read = async () => (await scim.get(path)).body;
  const same = {
    'a PUT of the same': () => scim.put(path, user),
    'a PATCH that replaces by the same': () =>
      scim.patch(path, patchOp({ op: 'replace', path: 'title', value: 'Guide' })),
    'a PATCH that adds what is there': () =>
      scim.patch(path, patchOp({ op: 'add', path: 'emails', value: user.emails })),
    'a PATCH that removes what is not there': () =>
      scim.patch(path, patchOp({ op: 'remove', path: 'nickName' })),
  };
  for (const [name, change] of Object.entries(same)) {
    t.ok((await change()).status < 300, name);
    t.same(await read(), user, name);
  }
  const changes = {
    'a PUT': () => scim.put(path, { ...user, title: 'Boss' }),
    'a PATCH': () => scim.patch(path, patchOp({ op: 'replace', path: 'title', value: 'Head' })),
    'a new password': () =>
      scim.patch(path, patchOp({ op: 'replace', path: 'password', value: 'Correct-Horse-9' })),
  };
  let before = user;
  for (const [name, change] of Object.entries(changes)) {
    while (new Date().toISOString() <= before.meta.lastModified) await new Promise(setImmediate);
    t.ok((await change()).status < 300, name);
    const after = await read();
    t.not(after.meta.version, before.meta.version, name);
    t.ok(after.meta.lastModified > before.meta.lastModified, name);
    t.equal(after.meta.created, user.meta.created);
    before = after;
  }
});

t.test('a client chooses the attributes that it sees', async (t) => {
  const { id } = await scim.create({ ...full, userName: 'projected', name: fullName });
  const always = { schemas: [urn.user], id };
  const seen: Record<string, Json> = {
    'attributes=userName': { ...always, userName: 'projected' },
    'attributes=USERNAME, title': { ...always, userName: 'projected', title: 'Tour Guide' },
    'attributes=name.givenName,emails.value': {
      ...always,
      name: { givenName: 'Barbara' },
      emails: [{ value: 'bjensen@example.com' }, { value: 'babs@jensen.org' }],
    },
    [`attributes=${urn.user}:userName`]: { ...always, userName: 'projected' },
    'attributes=password,unknown': always,
    'attributes=meta.resourceType': { ...always, meta: { resourceType: 'User' } },
  };
  for (const [query, expected] of Object.entries(seen)) {
    t.same((await scim.get(`/Users/${id}?${query}`)).body, expected, query);
    t.same(
      (await scim.get(`/Users?${query}&filter=userName+eq+%22projected%22`)).body.Resources,
      [expected],
      query,
    );
  }
  const { emails, ...rest } = (await scim.get(`/Users/${id}`)).body;
  t.same(
    (await scim.get(`/Users/${id}?excludedAttributes=emails,id,schemas`)).body,
    rest,
    'id is always there',
  );
  t.ok(emails);
  const created = await scim.post('/Users?attributes=title', newUser({ userName: 'seen', title: 'T' }));
  t.same(Object.keys(created.body).sort(), ['id', 'schemas', 'title']);
  const replaced = await scim.put(
    `/Users/${created.body.id}?excludedAttributes=name`,
    newUser({ userName: 'seen' }),
  );
  t.notOk('name' in replaced.body);
});

t.test('the longest values of the widest characters are kept and found', async (t) => {
  // Letters of four bytes that do not repeat, so that no index can compress them.
  let state = 1;
  const letters = (length: number) =>
    Array.from({ length }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return String.fromCodePoint(0x20000 + (state % 0xa000));
    }).join('');
  const scim = await tenant();
  const wide = {
    userName: letters(200),
    externalId: letters(250),
    name: { givenName: letters(250), familyName: letters(250) },
    displayName: letters(250),
    nickName: letters(250),
    title: letters(250),
    userType: letters(250),
    emails: [{ value: `${letters(60)}@${letters(30)}.${letters(30)}.example`, type: letters(250) }],
  };
  const { id } = await scim.create(wide);
  const [email] = wide.emails;
  for (const filter of [
    `userName eq "${wide.userName}"`,
    `externalId eq "${wide.externalId}"`,
    `name.familyName ew "${wide.name.familyName.slice(-20)}"`,
    `title sw "${wide.title.slice(0, 20)}"`,
    `emails[type eq "${email?.type}" and value eq "${email?.value}"]`,
  ]) {
    const { body } = await scim.get(`/Users?attributes=id&filter=${encodeURIComponent(filter)}`);
    t.equal(body.Resources?.[0]?.id, id, filter.slice(0, 20));
  }
});

t.test('the password policy is the one of the organization', async (t) => {
  const lax = await tenant({ passwordPolicy: { upper: false, digit: false, symbol: false } });
  const composition = { upper: false, lower: false, digit: false, symbol: false };
  const long = await tenant({ passwordPolicy: { minLength: 15, ...composition } });
  const strict = await tenant({ passwordPolicy: { minLength: 20 } });
  const cases: [string, number, number, number, number][] = [
    ['teapotsa', 201, 400, 400, 400],
    ['Correct-Horse-9', 201, 201, 201, 400],
    ['teapots in there', 201, 400, 201, 400],
    ['Correct-Horse-Battery-9', 201, 201, 201, 201],
    ['teapots', 400, 400, 400, 400],
    ['Password1!', 400, 400, 400, 400],
    ['Passwordpassword-2024', 400, 400, 400, 400],
  ];
  for (const [password, ...expected] of cases) {
    const answers = await Promise.all(
      [lax, scim, long, strict].map((one) => one.post('/Users', newUser({ password }))),
    );
    t.same(
      answers.map(({ status }) => status),
      expected,
      `${password.length} characters`,
    );
    for (const { text } of answers) t.notMatch(text, password, 'the answer does not repeat it');
  }
});

t.test(
  'an organization that once allowed 6 characters requires 8, and its other settings can be changed',
  async (t) => {
    const old = await tenant();
    await container.mongo.db
      .collection<{ _id: string }>('organizations')
      .updateOne({ _id: old.orgId }, { $set: { 'passwordPolicy.minLength': 6 } });
    await container.caches.organizations.invalidate(old.orgId);
    t.equal((await old.post('/Users', newUser({ password: 'Te4pot!' }))).status, 400);
    t.equal((await old.post('/Users', newUser({ password: 'Te4pots!' }))).status, 201);
    const change = { name: 'Renamed' };
    const changed = await changeOrganization(container, { orgId: old.orgId, change, editor: testEditor });
    t.match(changed, { name: 'Renamed', passwordPolicy: { minLength: 8 } });
  },
);

t.test('a common password is refused in words that say why, at a creation and at a change', async (t) => {
  const { id } = await scim.create({ password: 'Correct-Horse-9' });
  const hash = (await passwordOf(id))?.hash;
  const path = `/Users/${id}`;
  const answers = [
    await scim.post('/Users', newUser({ password: 'P@ssword123' })),
    await scim.patch(path, patchOp({ op: 'replace', path: 'password', value: 'P@ssword123' })),
    await scim.put(path, newUser({ password: 'P@ssword123' })),
  ];
  for (const { status, body, text } of answers) {
    t.equal(status, 400);
    t.match(body, { scimType: 'invalidValue', detail: /one of those that attackers try first/ });
    t.notMatch(text, 'P@ssword123');
  }
  t.equal((await passwordOf(id))?.hash, hash);
});

t.test('a service user may have the passwords of new users ignored', async (t) => {
  const okta = await tenant({ ignorePasswordOnCreate: true });
  const { id } = await okta.create({ password: 'weak' });
  t.equal(await passwordOf(id), undefined);
  const set = (value: string) =>
    okta.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'password', value }));
  t.equal((await set('weak')).status, 400, 'a later password is checked');
  t.equal((await set('Correct-Horse-9')).status, 204);
  t.match((await passwordOf(id))?.hash, /^\$argon2id\$/);
});

t.test('a service user may have every password ignored', async (t) => {
  const okta = await tenant({ ignorePasswords: true });
  const other = await okta.create({ password: 'Correct-Horse-8' });
  t.equal(await passwordOf(other.id), undefined);
  const { id, userName } = await (await client({ orgId: okta.orgId })).create({
    password: 'Correct-Horse-8',
  });
  const kept = await passwordOf(id);
  t.match(kept?.hash, /^\$argon2id\$/);
  const path = `/Users/${id}`;
  const answers = [
    await okta.patch(path, patchOp({ op: 'replace', path: 'password', value: 'weak' })),
    await okta.patch(path, patchOp({ op: 'replace', value: { password: 'Correct-Horse-9', title: 'Boss' } })),
    await okta.patch(path, patchOp({ op: 'remove', path: 'password' })),
    await okta.put(path, newUser({ userName, password: 'weak', title: 'Boss' })),
  ];
  t.same(
    answers.map(({ status }) => status),
    [204, 204, 204, 200],
  );
  t.same(await passwordOf(id), kept, 'what another client set stays');
  t.equal((await okta.get(path)).body.title, 'Boss');
});

t.test('a password is never returned, and nowhere readable', async (t) => {
  const scim = await tenant();
  const secrets = ['Never-Return-1', 'Never-Return-2', 'Never-Return-3'];
  const [first, second, third] = secrets;
  const created = await scim.post('/Users', newUser({ password: first }));
  const path = `/Users/${created.body.id}`;
  const answers = [
    created,
    await scim.put(`${path}?attributes=password,title`, newUser({ password: second })),
    await scim.patch(
      `${path}?attributes=password`,
      patchOp({ op: 'replace', path: 'password', value: third }),
    ),
    await scim.patch(`${path}?excludedAttributes=name`, patchOp({ op: 'add', value: { password: third } })),
    await scim.get(path),
    await scim.get(`${path}?attributes=password`),
    await scim.get('/Users?attributes=password'),
    await scim.post('/Users/.search', { schemas: [urn.searchRequest], attributes: ['password'] }),
    await scim.post('/Users', newUser({ password: first, emails: [{ value: 'bad' }] })),
  ];
  t.same(
    answers.map(({ status }) => status),
    [201, 200, 200, 200, 200, 200, 200, 200, 400],
  );
  for (const { text } of answers) {
    t.notMatch(text, /Never-Return|argon2|"password"/);
  }
  for (const name of ['events', 'users', 'jobs', 'jobBodies']) {
    const documents = await container.mongo.db.collection(name).find().toArray();
    t.notMatch(JSON.stringify(documents), /Never-Return/, name);
    if (name === 'events') t.notMatch(JSON.stringify(documents), /argon2/, 'no hash in events');
  }
});

t.test('service users are invisible', async (t) => {
  const scim = await tenant();
  await scim.create({ userName: 'human' });
  t.equal((await scim.get(`/Users/${scim.userId}`)).status, 404);
  t.equal((await scim.delete(`/Users/${scim.userId}`)).status, 404);
  const list = await scim.get('/Users');
  t.equal(list.body.totalResults, 1);
  t.same(
    list.body.Resources.map((user: Json) => user.userName),
    ['human'],
  );
  t.equal(await scim.found('userName sw "service"'), '');
});

t.test('a user of another organization does not exist', async (t) => {
  const [mine, theirs] = [await tenant(), await tenant()];
  const user = await theirs.create({ userName: 'theirs', externalId: 'theirs' });
  const path = `/Users/${user.id}`;
  const answers = {
    GET: await mine.get(path),
    PUT: await mine.put(path, newUser({ userName: 'stolen' })),
    PATCH: await mine.patch(path, patchOp({ op: 'replace', path: 'title', value: 'stolen' })),
    'PATCH that changes nothing': await mine.patch(path, patchOp({ op: 'remove', path: 'title' })),
    DELETE: await mine.delete(path),
  };
  for (const [method, answer] of Object.entries(answers)) {
    t.equal(answer.status, 404, method);
    t.equal(answer.body[urn.errorDetail].id, 'directory.userNotFound', method);
  }
  for (const filter of [
    `id eq "${user.id}"`,
    'userName pr',
    'not (userName eq "x")',
    'externalId eq "theirs"',
    'active eq true',
  ]) {
    t.equal(await mine.found(filter), '', filter);
  }
  t.equal((await mine.get('/Users')).body.totalResults, 0);
  t.same((await theirs.get(path)).body, user, 'it is untouched');
  t.equal((await mine.post('/Users', newUser({ userName: 'theirs' }))).status, 201, 'names are free in each');
});

t.test('each role may do what it says, in its own organization only', async (t) => {
  const home = await tenant();
  const away = await tenant();
  const allowed = {
    IAM_OWNER: { home: [200, 200, 201, 200, 204, 204], away: [200, 200, 201, 200, 204, 204] },
    ORG_OWNER: { home: [200, 200, 201, 200, 204, 204], away: Array(6).fill(404) },
    ORG_USER_MANAGER: { home: [200, 200, 201, 200, 204, 204], away: Array(6).fill(404) },
    ORG_USER_VIEWER: { home: [200, 200, 403, 403, 403, 403], away: Array(6).fill(404) },
    none: { home: Array(6).fill(404), away: Array(6).fill(404) },
  } as const;
  for (const [role, expected] of Object.entries(allowed)) {
    const caller = await client({ orgId: home.orgId, role: role as keyof typeof allowed });
    for (const [place, owner] of [['home', home] as const, ['away', away] as const]) {
      const { id } = await owner.create();
      const at = caller.at(owner.orgId);
      const answers = [
        await at.get(`/Users/${id}`),
        await at.get('/Users'),
        await at.post('/Users', newUser()),
        await at.put(`/Users/${id}`, newUser()),
        await at.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'title', value: 'x' })),
        await at.delete(`/Users/${id}`),
      ];
      t.same(
        answers.map(({ status }) => status),
        expected[place],
        `${role} ${place}`,
      );
    }
  }
});

async function passwordOf(id: string): Promise<{ hash: string } | undefined> {
  const users = container.mongo.db.collection<{ _id: string; password?: { hash: string } }>('users');
  return (await users.findOne({ _id: id }))?.password;
}

t.test('a caller cannot set the password or the mail address of a more powerful person', async (t) => {
  const owner = await tenant();
  const manager = await client({ orgId: owner.orgId, role: 'ORG_USER_MANAGER' });
  const { id, userName } = await manager.create({ password: 'Correct-Horse-9' });
  const path = `/Users/${id}`;
  const password = 'Another-Horse-8';
  const put = newUser({ userName, password });
  const set = patchOp({ op: 'replace', path: 'password', value: password });
  t.equal((await manager.patch(path, set)).status, 204, 'of somebody without roles');
  await addMembership(container, {
    userId: id,
    role: 'ORG_OWNER',
    orgId: owner.orgId,
    editor: testEditor,
  });
  const hash = (await passwordOf(id))?.hash;
  for (const answer of [
    await manager.put(path, put),
    await manager.patch(path, set),
    await manager.patch(path, patchOp({ op: 'remove', path: 'password' })),
    await manager.patch(
      path,
      patchOp({ op: 'replace', path: 'emails', value: [{ value: 'mine@example.com', primary: true }] }),
    ),
  ]) {
    t.equal(answer.status, 403);
    t.match(answer.text, /directory.userOutranksCaller/);
  }
  t.equal((await passwordOf(id))?.hash, hash);
  const title = patchOp({ op: 'replace', path: 'title', value: 'Owner' });
  t.equal((await manager.patch(path, title)).status, 403, 'nor anything else');
  t.equal((await owner.put(path, put)).status, 200);
});

t.test('a new password voids the one-time links of the person', async (t) => {
  const { id } = await scim.create();
  const links = container.mongo.collection('one_time_links');
  await makeOneTimeLink(container, { orgId: scim.orgId, userId: id, editor: testEditor });
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'title', value: 'Other' }));
  t.equal(await links.countDocuments({ userId: id }), 1);
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'password', value: 'Another-Horse-8' }));
  t.equal(await links.countDocuments({ userId: id }), 0);
});

t.test('a name that a client sends back is remembered, although nothing changes', async (t) => {
  const { id } = await scim.create({ userName: 'remembered' });
  const before = (await scim.send('GET', `/Users/${id}`)).body;
  t.equal(before.displayName, 'Barbara Jensen', 'made of the names');
  const replaced = await scim.send('PUT', `/Users/${id}`, { body: before });
  t.equal(replaced.status, 200, replaced.text);
  t.strictSame(replaced.body, before, 'neither the version nor lastModified');
  const renamed = await scim.patch(
    `/Users/${id}`,
    patchOp({ op: 'replace', path: 'name.familyName', value: 'Smith' }),
  );
  t.equal(renamed.status, 204, renamed.text);
  const { displayName, name } = (await scim.send('GET', `/Users/${id}`)).body;
  t.equal(displayName, 'Barbara Jensen');
  t.strictSame(name, { formatted: 'Barbara Jensen', familyName: 'Smith', givenName: 'Barbara' });
});

t.test('a display name that a client gives while another changes the names stays', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await scim.create({ userName: `raced-${round}` });
    await Promise.all([
      scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'displayName', value: 'Barbara Jensen' })),
      scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'name.familyName', value: 'Smith' })),
    ]);
    const { displayName, name } = (await scim.send('GET', `/Users/${id}`)).body;
    t.equal(displayName, 'Barbara Jensen');
    t.equal(name.familyName, 'Smith');
  }
});

t.test('a new password leaves a display name that was made of the names as it is', async (t) => {
  const { id } = await scim.create({ userName: 'new-password' });
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'password', value: 'Correct-Horse-9' }));
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'name.familyName', value: 'Smith' }));
  t.equal((await scim.send('GET', `/Users/${id}`)).body.displayName, 'Barbara Smith');
});

t.test('the attributes of the extension are changed, projected and found like others', async (t) => {
  const values = { website: 'https://anna.example', birthdate: '1990-12-31' };
  const { id } = await scim.create({ [extension]: values });
  const patch = async (...operations: Json[]) => {
    const answer = await scim.patch(`/Users/${id}`, patchOp(...operations));
    t.ok(answer.status < 300, answer.text);
    return (await scim.get(`/Users/${id}`)).body[extension];
  };
  const gender = { path: `${extension}:gender`, value: 'female' };
  t.same(await patch({ op: 'add', ...gender }), { ...values, gender: 'female' });
  t.same(await patch({ op: 'replace', value: { [extension]: { gender: 'male' } } }), {
    ...values,
    gender: 'male',
  });
  t.same(await patch({ op: 'replace', value: { [`${extension}:birthdate`]: '1991' } }), {
    ...{ website: values.website, birthdate: '1991', gender: 'male' },
  });
  t.same(await patch({ op: 'add', path: `${extension}:shoeSize`, value: 42 }), {
    ...{ website: values.website, birthdate: '1991', gender: 'male' },
  });
  t.same(await patch({ op: 'remove', path: `${extension}:website` }), { birthdate: '1991', gender: 'male' });
  const found = await scim.get(
    `/Users?filter=${encodeURIComponent(`id eq "${id}" and ${extension}:gender eq "MALE"`)}`,
  );
  t.equal(found.body.totalResults, 1, found.text);
  const present = await scim.get(
    `/Users?filter=${encodeURIComponent(`id eq "${id}" and ${extension}:website pr`)}`,
  );
  t.equal(present.body.totalResults, 0, present.text);
  const part = await scim.get(`/Users/${id}?attributes=${extension}:gender`);
  t.same(part.body[extension], { gender: 'male' });
  t.notOk('userName' in part.body);
  const rest = await scim.get(`/Users/${id}?excludedAttributes=${extension}`);
  t.notOk(extension in rest.body);
  t.equal(await patch({ op: 'remove', path: extension }), undefined);
  for (const [name, value] of [
    ['website', 'javascript:alert(1)'],
    ['birthdate', '31.12.1990'],
    ['gender', 'x'.repeat(501)],
  ] as const) {
    const refused = await scim.patch(
      `/Users/${id}`,
      patchOp({ op: 'add', path: `${extension}:${name}`, value }),
    );
    t.match(refused, { status: 400, body: { scimType: 'invalidValue' } }, name);
  }
});
