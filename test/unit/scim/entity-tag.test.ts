import t from 'tap';
import { entityTag, hasVersion, readEntityTags, requireVersion } from '#src/scim/protocol/entity-tag.js';
import { renderGroup } from '#src/scim/resources/render-group.js';
import { renderUser } from '#src/scim/resources/render-user.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { outcome } from './support/outcome.js';
import { userOf } from './support/users.js';

const created = new Date('2026-01-02T03:04:05.678Z');
const user = { ...userOf(), version: 12, created };
const version = `12-${created.getTime().toString(36)}`;

t.test('the entity tag is weak, and is meta.version of users and groups', async (t) => {
  t.equal(entityTag(user), `W/"${version}"`);
  t.match(renderUser(user, { baseUrl: '', userSchema }), { meta: { version: `W/"${version}"` } });
  const group = { id: 'g', orgId: 'o', displayName: 'G', version: 12, created, lastModified: created };
  t.match(renderGroup(group, ''), { meta: { version: `W/"${version}"` } });
});

t.test('tags are compared as clients write them', async (t) => {
  const rows: [text: string, matches: boolean][] = [
    [`W/"${version}"`, true],
    [`"${version}"`, true],
    [version, true],
    ['*', true],
    [`W/"11", "${version}"`, true],
    [` "10" ,\tW/"${version}" `, true],
    ['W/"12"', false],
    ['12', false],
    [`"1${version}"`, false],
    [`W/"${version}`, false],
    ['""', false],
    ['"*"', false],
    [`${'"1",'.repeat(60)}"${version}"`, false],
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
    outcome(() => requireVersion(readEntityTags(version), 'user')?.(user)),
    undefined,
  );
  t.throws(() => requireVersion(readEntityTags('W/"11"'), 'user')?.(user), {
    definition: { id: 'scim.versionChanged', kind: 'preconditionFailed' },
    message: `The user has the version W/"${version}"`,
  });
});

t.test('a resource that was removed and is there again has other versions', async (t) => {
  const again = { ...user, created: new Date(created.getTime() + 1) };
  t.equal(hasVersion(again, readEntityTags(entityTag(user)) ?? 'any'), false);
});
