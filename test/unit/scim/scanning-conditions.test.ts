import t from 'tap';
import { scanningConditions } from './support/compiled.js';

const rows: [filter: string, conditions: string[]][] = [
  ['userName eq "a"', []],
  ['title sw "a" and title ew "b"', ['title sw', 'title ew']],
  ['userName sw "a" and name.familyName sw "b" and userName ew "c"', []],
  ['name.familyName eq "a" and name.givenName ew "b"', ['name.givenName ew']],
  ['id ew "b" or userName co "a"', ['id ew', 'userName co']],
  ['meta.created gt "2026-01-01T00:00:00Z"', []],
  ['emails[type eq "work"]', ['emails[type eq]']],
  ['emails.value eq "a@b.example" and title eq "b"', []],
  ['emails[type eq "work" and value eq "a@b.example"] and title eq "b"', []],
  ['externalId eq "a" and active eq true', []],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber eq "1" and title eq "b"', []],
  [
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "1" and title eq "b"',
    ['title eq'],
  ],
  ['name.familyName eq "a" and title eq "b"', ['title eq']],
  ['userName ne "a" and title eq "b"', ['userName ne', 'title eq']],
  ['emails[type eq "work" and value sw "a"]', []],
  ['title co "a"', ['title co']],
  ['title co "a" or userName eq "b"', ['title co']],
  ['title co "a" and userName eq "b"', []],
  ['id eq "1" and (title co "a" or title co "b")', []],
  ['active eq true and title pr', ['active eq', 'title pr']],
  ['(title co "a" and userName eq "b") or externalId eq "c"', []],
  ['(title co "a" and active eq true) or externalId eq "c"', ['title co', 'active eq']],
  ['title ne "a"', ['title ne']],
  ['not (userName sw "a" or title eq "b")', ['not userName sw', 'not title eq']],
  ['emails[type eq "work" and value co "a"]', ['emails[type eq]', 'emails[value co]']],
  ['emails[type eq "work" and value sw "a" and primary eq true]', []],
  ['emails.type eq "work"', ['emails.type eq']],
  ['emails.type sw "w"', ['emails.type sw']],
  ['roles.value eq "a" and addresses.country pr', ['roles.value eq', 'addresses.country pr']],
  ['ims[type eq "xmpp"]', ['ims[type eq]']],
  ['schemas eq "urn:x" or meta.resourceType pr', []],
  ['name pr', ['name pr']],
  ['not (name pr)', ['not name pr']],
  ['name.formatted eq "a" or name.formatted pr', ['name.formatted eq', 'name.formatted pr']],
  ['userName gt "a" and id le "b" and externalId ge "c"', []],
  ['title gt "a"', ['title gt']],
  ['emails[type eq "work" and value gt "a"]', []],
  ['roles.value gt "a" and emails[type gt "a"]', ['roles.value gt', 'emails[type gt]']],
  ['meta.version pr', []],
  ['groups pr', ['groups pr']],
  ['groups[type eq "direct"] and title pr', ['groups pr', 'title pr']],
  ['emails[value eq "a" or value eq "b"]', ['emails[value eq]', 'emails[value eq]']],
];

for (const [filter, conditions] of rows) {
  t.test(filter, async (t) => t.same(scanningConditions(filter), conditions));
}

t.test('a few ranges of an index do not count, and many do', async (t) => {
  const ranges = (count: number, one: string) => Array(count).fill(one).join(' or ');
  for (const [one, leaves] of [
    ['userName sw "a"', ['userName sw']],
    ['meta.created ge "2026-01-01T00:00:00Z"', ['meta.created ge']],
    ['emails[type eq "work" and value ew "a"]', ['emails[type eq]', 'emails[value ew]']],
  ] as const) {
    const few = Math.floor(4 / leaves.length);
    t.same(scanningConditions(ranges(few, one)), [], one);
    t.same(
      scanningConditions(ranges(few + 1, one)),
      Array(few + 1)
        .fill(leaves)
        .flat(),
      one,
    );
  }
  const filter = `title co "b" or ${ranges(5, 'userName sw "a"')}`;
  t.equal(scanningConditions(filter).length, 6);
  t.same(scanningConditions(ranges(45, 'emails eq "a"')), []);
});

t.test('a disjunction of many conjunctions counts, because a union of indexes is not so long', async (t) => {
  const of = (count: number) => Array(count).fill('(userName eq "a" and title co "b")').join(' or ');
  t.same(scanningConditions(of(4)), []);
  t.equal(scanningConditions(of(5)).length, 5);
  t.equal(scanningConditions(`(${of(5)}) and (${of(5)})`).length, 10);
});

t.test('a client that has externalIds of its own is served by indexes, too', async (t) => {
  const scanning = (filter: string) => scanningConditions(filter, 'client');
  const either = (count: number) => Array(count).fill('externalId eq "a"').join(' or ');
  t.same(scanning('externalId eq "a"'), []);
  t.same(scanning('externalId eq "a" and userName eq "b"'), []);
  t.same(scanning(either(4)), []);
  t.equal(scanning(either(5)).length, 5);
  for (const test of ['ne "a"', 'co "a"', 'sw "a"', 'gt "a"', 'pr'])
    t.equal(scanning(`externalId ${test}`).length, 1, test);
  t.throws(() => scanning('externalId eq 5'), /quoted string/);
});

t.test('each clause counts', async (t) => {
  const filter = Array.from({ length: 45 }, (_, n) => `title co "${n}"`).join(' or ');
  t.equal(scanningConditions(filter).length, 45);
});
