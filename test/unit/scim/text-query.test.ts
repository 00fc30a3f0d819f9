import t from 'tap';
import { foldCase, reverse, searchKeys } from '#src/directory/search-keys.js';
import { upperBound } from '#src/platform/mongo/prefix-range.js';
import { commonAttributes } from '#src/scim/schema/common-attributes.js';
import { userAttributes } from '#src/scim/schema/user-attributes.js';
import { conditionFor } from './support/compiled.js';
import { matchesQuery } from './support/matches-query.js';
import { documentOf, userOf } from './support/users.js';

const last = '\u{10ffff}';

t.test('the bound after a prefix is the next text in code point order', async (t) => {
  const bounds: [prefix: string, bound: string | undefined][] = [
    ['a', 'b'],
    ['az', 'a{'],
    ['a\uffff', 'a\u{10000}'],
    ['\ud7ff', '\ue000'],
    ['😀', '😁'],
    [`a${last}`, 'b'],
    [`a${last}${last}`, 'b'],
    [last, undefined],
    ['', undefined],
  ];
  for (const [prefix, bound] of bounds) t.equal(upperBound(prefix), bound, JSON.stringify(prefix));
});

t.test('a prefix selects what begins with it, whatever follows', async (t) => {
  for (const prefix of ['a', '\ud7ff', '\uffff', '😀', last, `z${last}`]) {
    const query = conditionFor(`userName sw ${JSON.stringify(prefix)}`);
    for (const rest of ['', 'a', '\u{1}', '\ue000', last]) {
      t.ok(matchesQuery({ search: { userName: prefix + rest } }, query), JSON.stringify(prefix + rest));
    }
    t.notOk(matchesQuery({ search: { userName: '' } }, query));
    t.notOk(matchesQuery({ search: { userName: `y${prefix}` } }, query), 'the prefix in the middle');
  }
});

t.test('folding', async (t) => {
  t.equal(foldCase('ÉLODIE'), foldCase('e\u0301lodie'), 'composed and decomposed');
  t.ok(foldCase('ΣΑΣΑ').startsWith(foldCase('ΣΑΣ')), 'a final sigma does not hide a prefix');
  t.equal(foldCase(foldCase('İstanbul')), foldCase('İstanbul'), 'folding twice is folding once');
  t.equal(reverse('ab😀'), '😀ba', 'surrogate pairs stay whole');
});

t.test('every stored field that filters name is written', async (t) => {
  const full = userOf({
    externalId: 'e',
    nickName: 'n',
    title: 't',
    userType: 'u',
    phoneNumbers: [{ value: '+15555558377' }],
  });
  const document = documentOf(full);
  const attributes = [...commonAttributes, ...userAttributes].flatMap((a) => [a, ...(a.subAttributes ?? [])]);
  const fields = attributes.flatMap(({ search }) =>
    search && search.relation === undefined ? [search.field, search.sortField] : [],
  );
  for (const field of fields) {
    if (field !== undefined) t.ok(matchesQuery(document, { [field]: { $exists: true } }), field);
  }
});

t.test('search keys of absent attributes are absent', async (t) => {
  const keys = searchKeys(
    userOf({ emails: [{ value: 'A@example.com' }, { value: 'B@example.com', primary: true }] }),
  );
  t.strictSame(keys, {
    version: 2,
    loginNames: ['bjensen@example.com', 'b@example.com'],
    primaryEmail: 'b@example.com',
    userName: 'bjensen@example.com',
    familyName: 'jensen',
    givenName: 'barbara',
    displayName: 'barbara jensen',
    preferredLanguage: 'en',
    emails: ['a@example.com', 'b@example.com'],
    attributes: [
      'userName.end\u001fmoc.elpmaxe@nesnejb',
      'emails.end\u001fmoc.elpmaxe@a',
      'emails.end\u001fmoc.elpmaxe@b',
    ],
  });
});
