import t from 'tap';
import { describePath, describeQuery, describeUserAgent } from '#src/provisioning-log/describe-request.js';

const known = new Set(['username', 'externalid', 'emails', 'type', 'value']);
const isAttribute = (name: string) => known.has(name);
const filter = (text: string) => describeQuery({ filter: text }, isAttribute);

t.test('a path keeps identifiers and resource types, and nothing that could be a name', async (t) => {
  t.equal(describePath('/Users'), '/Users');
  t.equal(describePath('/Users/019a-Bc.d_e~f'), '/Users/019a-Bc.d_e~f');
  t.equal(describePath('/Users/ann@example.com'), '/Users/…');
  t.equal(describePath('/Users/ann%40example.com'), '/Users/…');
  t.equal(describePath(`/Users/${'x'.repeat(101)}`), '/Users/…');
  t.equal(describePath('/'), '/');
  t.ok(describePath('/a'.repeat(1_000)).length < 20);
});

t.test('a query keeps the names of its parameters', async (t) => {
  t.equal(
    describeQuery({ startIndex: '1', count: 'ann@example.com', attributes: 'userName' }, isAttribute),
    'startIndex&count&attributes',
  );
  t.equal(describeQuery({ 'ann@example.com': '' }, isAttribute), '…');
  t.equal(describeQuery({}, isAttribute), '');
  t.ok(
    describeQuery(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, ''])), isAttribute)
      .length <= 300,
  );
});

t.test('a filter keeps the names of its attributes, and no value', async (t) => {
  t.equal(filter('userName eq "ann@example.com"'), 'filter(userName)');
  t.equal(
    filter('emails[type eq "work" and value co "ann"] or externalId pr'),
    'filter(emails, type, value, externalId)',
  );
  t.equal(filter('userName eq "a \\" externalId eq b"'), 'filter(userName)');
  t.equal(filter('userName eq "ann externalId eq b'), 'filter(userName)', 'a text without an end');
  t.equal(filter('userName eq ann'), 'filter(userName)');
  t.equal(filter('ann eq userName'), 'filter(…)', 'a word that is no attribute may be a value');
  t.equal(filter('"ann" eq userName'), 'filter()');
  t.notMatch(filter("userName eq 'ann' or 'ann' eq x"), 'ann');
});

t.test('a hostile filter costs little', async (t) => {
  const started = process.hrtime.bigint();
  for (const text of ['a'.repeat(100_000), 'a '.repeat(50_000), '"\\'.repeat(50_000), 'a[a['.repeat(30_000)])
    filter(text);
  t.ok(process.hrtime.bigint() - started < 200_000_000n);
});

t.test('a user agent is printable and short', async (t) => {
  t.equal(describeUserAgent('Azure\u0007 SCIM/1.0 é'), 'Azure SCIM/1.0 ');
  t.equal(describeUserAgent('x'.repeat(500))?.length, 200);
  t.equal(describeUserAgent(undefined), undefined);
});
