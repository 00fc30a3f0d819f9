import t from 'tap';
import { madeNames } from '#src/migration/convert/values/person-names.js';
import { conversion } from '../../support/migration/convert-file.js';

/** Names are those of the source, or made by a rule that the report names. People are invented. */

/** The form of an identity in the documentation of Ory Kratos: its quickstart has traits without a name. */
const bare = JSON.stringify([
  {
    id: 'k1',
    traits: { email: 'bazbar@ory.example' },
    verifiable_addresses: [{ value: 'bazbar@ory.example', verified: true }],
  },
]);

t.test('an address makes no name', async (t) => {
  const { org, madeNames: made } = await conversion(t, bare, { system: 'kratos' });
  t.same(org.humanUsers[0].user.profile, {});
  t.equal(made, undefined);
  const others: Record<string, string> = {
    firebase: JSON.stringify({ users: [{ localId: '1', email: 'bazbar@f.example', emailVerified: true }] }),
    fusionauth: JSON.stringify({ users: [{ id: '1', email: 'bazbar@f.example', verified: true }] }),
    ldif: 'dn: uid=bazbar,dc=x\nobjectClass: account\nobjectClass: posixAccount\nuid: bazbar\nmail: bazbar@l.example\n',
    csv: 'userName,email,emailVerified\nbazbar,bazbar@c.example,yes\n',
    okta: JSON.stringify([{ id: '1', profile: { login: 'bazbar@o.example', email: 'bazbar@o.example' } }]),
  };
  for (const [system, text] of Object.entries(others)) {
    const { org: own } = await conversion(t, text, { system, emailVerified: true });
    const { profile = {} } = own.humanUsers[0].user;
    t.notMatch(JSON.stringify(profile), /bazbar|firstName|lastName/, system);
  }
});

t.test('a full name is split, and the report says so', async (t) => {
  const text = JSON.stringify({
    users: [
      { localId: '1', email: 'a@f.example', displayName: 'Ada Maria Lind' },
      { localId: '2', email: 'b@f.example', displayName: 'Prince' },
      { localId: '3', email: 'c@f.example' },
    ],
  });
  const options = { system: 'firebase', emailVerified: true };
  const { org, madeNames: made } = await conversion(t, text, options);
  t.same(
    org.humanUsers.map(({ user }: { user: { profile: object } }) => user.profile),
    [
      { displayName: 'Ada Maria Lind', firstName: 'Ada', lastName: 'Maria Lind' },
      { displayName: 'Prince', firstName: 'Prince' },
      {},
    ],
  );
  t.same(made, { people: 2, rule: 'split' });
  const map = (names: string) => JSON.stringify({ attributes: [], rules: { names } });
  const given = await conversion(t, text, { ...options, map: map('given') });
  t.same(given.org.humanUsers[0].user.profile, { displayName: 'Ada Maria Lind' });
  t.equal(given.madeNames, undefined);
  const address = await conversion(t, text, { ...options, map: map('address') });
  t.same(address.org.humanUsers[2].user.profile, { firstName: 'c' });
  t.same(address.madeNames, { people: 3, rule: 'address' });
});

t.test('what a mapping brings is no invention, and a rule can split it', async (t) => {
  const map = (rules: object) =>
    JSON.stringify({
      attributes: ['userName', 'displayName', 'email'].map((name) => ({ from: name, to: name })),
      rules: { unverifiedEmail: 'trust', ...rules },
    });
  const table = 'userName,displayName,email\nada,Ada Lind,ada.lind@c.example\n';
  const { org } = await conversion(t, table, { map: map({}) });
  t.same(org.humanUsers[0].user.profile, { displayName: 'Ada Lind' });
  const split = await conversion(t, table, { map: map({ names: 'split' }) });
  t.same(split.org.humanUsers[0].user.profile, {
    displayName: 'Ada Lind',
    firstName: 'Ada',
    lastName: 'Lind',
  });
  const refused = await conversion(t, table, { map: map({ missingName: 'refuse' }) });
  t.match(refused.told.join(), /no first or no last name/);
});

t.test('the parts of a full name', (t) => {
  const made = (profile: object, full?: string, rule: 'given' | 'split' | 'address' = 'split') =>
    madeNames(profile, { full, address: 'ada.lind@x.example' }, rule);
  t.same(made({ firstName: 'Ada' }, 'Ada Lind'), { lastName: 'Lind' });
  t.same(made({ lastName: 'Lind' }, 'Ada Maria Lind'), { firstName: 'Ada Maria' });
  t.same(made({ firstName: 'Ada' }, 'Dr. Ada Lind'), {}, 'no guess where the parts do not fit');
  t.same(made({ firstName: 'Ada' }, 'Ada'), {});
  t.same(made({}, 'ada.lind@x.example'), {}, 'an address in the place of the name');
  t.same(made({}, 'Ada Lind', 'given'), {});
  t.same(made({ nickName: 'Addy' }, undefined, 'address'), { firstName: 'Addy' });
  t.same(made({}, undefined, 'address'), { firstName: 'ada', lastName: 'lind' });
  t.same(made({ firstName: 'Ada' }, undefined, 'address'), {}, 'a known name is not mixed with an address');
  t.end();
});
