import t from 'tap';
import { entityTag, hasVersion, readEntityTags, requireVersion } from '#src/scim/protocol/entity-tag.js';
import { outcome } from './support/outcome.js';
import { userOf } from './support/users.js';

const user = { ...userOf(), version: 12 };

t.test('the entity tag is weak and has meta.version', async (t) => {
  t.equal(entityTag(user), 'W/"12"');
});

t.test('tags are compared as clients write them', async (t) => {
  const rows: [text: string, matches: boolean][] = [
    ['W/"12"', true],
    ['"12"', true],
    ['12', true],
    ['*', true],
    ['W/"11", "12"', true],
    [' "10" ,\tW/"12" ', true],
    ['W/"1"', false],
    ['"112"', false],
    ['W/"12', false],
    ['""', false],
    ['"*"', false],
    [`${'"1",'.repeat(60)}"12"`, false],
  ];
  for (const [text, matches] of rows) {
    const named = readEntityTags(text);
    t.equal(named !== undefined && hasVersion(user, named), matches, text.slice(0, 30));
  }
});

t.test('no version is named', async (t) => {
  for (const text of [undefined, '', ' ']) {
    t.equal(readEntityTags(text), undefined);
    t.equal(requireVersion(readEntityTags(text), 'user'), undefined);
  }
});

t.test('a user of another version is refused', async (t) => {
  t.equal(
    outcome(() => requireVersion(readEntityTags('W/"12"'), 'user')?.(user)),
    undefined,
  );
  t.throws(() => requireVersion(readEntityTags('W/"11"'), 'user')?.(user), {
    definition: { id: 'scim.versionChanged', kind: 'preconditionFailed' },
    message: 'The user has the version 12',
  });
});
