import t from 'tap';
import type { Assignment, Project, ProjectRole } from '#src/access/projects/project.js';
import type { UserMetadata } from '#src/people/metadata/user-metadata.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const { mongo, projects, projectRoles, userGrants, groupGrants, projectMembers, userMetadata, applications } =
  container;
const at = new Date('2026-01-02T03:04:05.678Z');
const later = new Date('2026-02-03T04:05:06.789Z');
const within = <T>(work: (transaction: Transaction) => Promise<T>) => mongo.transaction(work);

/** Whether the write was refused because something is taken. */
async function taken(write: Promise<unknown>): Promise<boolean> {
  return isDuplicateKey(await write.catch((error: unknown) => error));
}

const projectOf = (orgId: string, id: string, more: Partial<Project> = {}): Project => ({
  id,
  orgId,
  name: `Name of ${id}`,
  audienceOrgIds: [],
  version: 1,
  created: at,
  lastModified: at,
  ...more,
});

t.test('projects', async (t) => {
  const insert = (project: Project) => within((tx) => projects.insert(project.orgId, project, tx));
  for (const id of ['a', 'c', 'b']) await insert(projectOf('acme', id));
  await insert(projectOf('other', 'd'));
  t.same(await projects.find('acme', 'a'), projectOf('acme', 'a'));
  t.equal(await projects.find('other', 'a'), undefined);
  const idsOf = (found: Iterable<Project>) => [...found].map(({ id }) => id);
  t.same(idsOf(await projects.page('acme', { limit: 2 })), ['a', 'b']);
  t.same(idsOf(await projects.page('acme', { after: 'b', limit: 2 })), ['c']);
  t.same(idsOf((await projects.findMany('acme', ['c', 'd', 'x'])).values()), ['c']);
  t.same(
    await projects.claimsOf(['d', 'x']),
    new Map([['d', { orgId: 'other', audienceOrgIds: [], removed: false, version: 1 }]]),
  );
  t.ok(await taken(insert(projectOf('acme', 'a'))));
  t.ok(await taken(insert(projectOf('acme', 'd'))), 'whosever it is');

  const changed = projectOf('acme', 'a', { name: 'New', version: 2 });
  const replace = (project: Project, expectedVersion: number) =>
    within((tx) => projects.replace('acme', { project, expectedVersion }, tx));
  t.equal(await replace(changed, 5), false);
  t.equal(await replace(changed, 1), true);
  t.equal(await replace(projectOf('acme', 'd'), 1), false, 'not another organization’s');
  t.same(await projects.find('acme', 'a'), changed);

  t.equal(await within((tx) => projects.lock('acme', 'a', tx)), true);
  t.equal(await within((tx) => projects.lock('acme', 'd', tx)), false);
  t.same(await projects.find('acme', 'a'), changed, 'a lock is no change');
  const advanced = await within((tx) => projects.advance('acme', { id: 'a', by: 3, date: later }, tx));
  t.same(advanced, { ...changed, version: 5, lastModified: later });
  t.equal(await within((tx) => projects.advance('acme', { id: 'd', by: 1, date: later }, tx)), undefined);

  const remove = (orgId: string, expectedVersion: number) =>
    within((tx) => projects.remove(orgId, { id: 'a', expectedVersion, date: later }, tx));
  t.equal(await remove('other', 5), false);
  t.equal(await remove('acme', 1), false);
  t.equal(await remove('acme', 5), true);
  t.equal(await remove('acme', 6), false);
  t.equal(await projects.find('acme', 'a'), undefined);
  t.same(idsOf(await projects.page('acme', { limit: 9 })), ['b', 'c']);
  t.equal(await within((tx) => projects.lock('acme', 'a', tx)), false);
  t.same(await projects.claimOf('a'), { orgId: 'acme', audienceOrgIds: [], removed: true, version: 6 });
  t.ok(await taken(insert(projectOf('other', 'a'))), 'it stays its organization’s');
  await insert(projectOf('acme', 'a', { version: 7 }));
  t.same(await projects.find('acme', 'a'), projectOf('acme', 'a', { version: 7 }));
});

t.test('a project that was written as an identifier alone can be used', async (t) => {
  await mongo
    .collection<{ _id: string; orgId: string }>('projects')
    .insertOne({ _id: 'bare', orgId: 'acme' });
  const found = await projects.find('acme', 'bare');
  t.match(found, { id: 'bare', name: 'bare', version: 0 });
  const project = projectOf('acme', 'bare');
  t.equal(await within((tx) => projects.replace('acme', { project, expectedVersion: 0 }, tx)), true);
  t.equal(await within((tx) => projects.replace('acme', { project, expectedVersion: 0 }, tx)), false);
  t.same(await projects.find('acme', 'bare'), project);
});

t.test('roles', async (t) => {
  const roleOf = (orgId: string, projectId: string, key: string): ProjectRole => ({
    orgId,
    projectId,
    key,
    displayName: key.toUpperCase(),
    created: at,
    lastModified: at,
  });
  const insert = (orgId: string, roles: ProjectRole[]) =>
    within((tx) => projectRoles.insert(orgId, roles, tx));
  await insert(
    'acme',
    ['y', 'x', 'z'].map((key) => roleOf('acme', 'a', key)),
  );
  await insert('acme', [roleOf('acme', 'b', 'x')]);
  await insert('acme', []);
  t.same(await projectRoles.find('acme', { projectId: 'a', key: 'x' }), roleOf('acme', 'a', 'x'));
  t.equal(await projectRoles.find('other', { projectId: 'a', key: 'x' }), undefined);
  t.ok(await taken(insert('acme', [roleOf('acme', 'a', 'new'), roleOf('acme', 'a', 'x')])));
  t.equal(await projectRoles.find('acme', { projectId: 'a', key: 'new' }), undefined);
  const keysOf = (roles: ProjectRole[]) => roles.map(({ key }) => key);
  t.same(keysOf(await projectRoles.page('acme', { projectId: 'a', limit: 2 })), ['x', 'y']);
  t.same(keysOf(await projectRoles.page('acme', { projectId: 'a', after: 'y', limit: 2 })), ['z']);
  t.same(await projectRoles.page('other', { projectId: 'a', limit: 2 }), []);
  const names = ['x', 'nope', 'z'].map((key) => ({ projectId: 'a', key }));
  t.same(keysOf(await projectRoles.findMany('acme', names)).sort(), ['x', 'z']);

  const changed = { ...roleOf('acme', 'a', 'x'), group: 'g', lastModified: later };
  await within((tx) => projectRoles.replace('other', changed, tx));
  t.same(await projectRoles.find('acme', changed), roleOf('acme', 'a', 'x'), 'not another organization’s');
  await within((tx) => projectRoles.replace('acme', changed, tx));
  t.same(await projectRoles.find('acme', changed), changed);
  await within((tx) => projectRoles.remove('other', changed, tx));
  t.same(await projectRoles.find('acme', changed), changed);
  await within((tx) => projectRoles.remove('acme', changed, tx));
  await within((tx) => projectRoles.removeAll('other', 'a', tx));
  t.same(keysOf(await projectRoles.page('acme', { projectId: 'a', limit: 9 })), ['y', 'z']);
  await within((tx) => projectRoles.removeAll('acme', 'a', tx));
  t.same(await projectRoles.page('acme', { projectId: 'a', limit: 9 }), []);
  t.same(keysOf(await projectRoles.page('acme', { projectId: 'b', limit: 9 })), ['x']);
});

for (const [name, store] of Object.entries({ userGrants, groupGrants, projectMembers })) {
  t.test(name, async (t) => {
    const assignmentOf = (orgId: string, projectId: string, holderId: string): Assignment => ({
      id: `${name}-${projectId}-${holderId}`,
      orgId,
      projectId,
      holderId,
      roles: ['r1', 'r2'],
      version: 1,
      created: at,
      lastModified: at,
    });
    const insert = (orgId: string, added: Assignment[]) => within((tx) => store.insert(orgId, added, tx));
    await insert(
      'acme',
      ['u2', 'u1', 'u3'].map((holderId) => assignmentOf('acme', 'a', holderId)),
    );
    await insert('acme', [assignmentOf('acme', 'b', 'u1')]);
    await insert('acme', []);
    const one = { projectId: 'a', holderId: 'u1' };
    t.same(await store.find('acme', one), assignmentOf('acme', 'a', 'u1'));
    t.equal(await store.find('other', one), undefined);
    t.ok(await taken(insert('acme', [assignmentOf('acme', 'a', 'u1')])));
    const holdersOf = (found: Assignment[]) => found.map(({ holderId }) => holderId);
    t.same(holdersOf(await store.page('acme', { projectId: 'a', limit: 2 })), ['u1', 'u2']);
    t.same(holdersOf(await store.page('acme', { projectId: 'a', after: 'u2', limit: 2 })), ['u3']);
    t.same(holdersOf(await store.findMany('acme', [one, { projectId: 'x', holderId: 'u1' }])), ['u1']);
    t.same(await store.findMany('other', [one]), []);
    const anyOf = (orgId: string, wanted: { projectId: string; role?: string }) =>
      within((tx) => store.anyOf(orgId, wanted, tx));
    t.equal(await anyOf('acme', { projectId: 'a' }), true);
    t.equal(await anyOf('acme', { projectId: 'a', role: 'r2' }), true);
    t.equal(await anyOf('acme', { projectId: 'a', role: 'r3' }), false);
    t.equal(await anyOf('acme', { projectId: 'c' }), false);
    t.equal(await anyOf('other', { projectId: 'a' }), false);

    const next = { ...assignmentOf('acme', 'a', 'u1'), roles: ['r3'], version: 2 };
    const replace = (orgId: string, expectedVersion: number) =>
      within((tx) => store.replace(orgId, { assignment: next, expectedVersion }, tx));
    t.equal(await replace('other', 1), false);
    t.equal(await replace('acme', 2), false);
    t.equal(await replace('acme', 1), true);
    t.same(await store.find('acme', one), next);

    const remove = (orgId: string, expectedVersion: number) =>
      within((tx) => store.remove(orgId, { ...one, expectedVersion }, tx));
    t.equal(await remove('other', 2), false);
    t.equal(await remove('acme', 1), false);
    t.equal(await remove('acme', 2), true);
    t.equal(await store.find('acme', one), undefined);
    t.same(await within((tx) => store.removeAll('other', { projectId: 'a' }, tx)), []);
    t.same(holdersOf(await within((tx) => store.removeAll('acme', { holderIds: ['u1'] }, tx))), ['u1']);
    t.same(holdersOf(await within((tx) => store.removeAll('acme', { projectId: 'a' }, tx))).sort(), [
      'u2',
      'u3',
    ]);
    t.same(await store.page('acme', { projectId: 'a', limit: 9 }), []);
  });
}

t.test('user metadata', async (t) => {
  const metadataOf = (userId: string, key: string): UserMetadata => ({
    id: `${userId}-${key}`,
    orgId: 'acme',
    userId,
    key,
    value: 'YQ==',
    version: 1,
    created: at,
    lastModified: at,
  });
  const insert = (added: UserMetadata[]) => within((tx) => userMetadata.insert('acme', added, tx));
  await insert([metadataOf('u1', 'b'), metadataOf('u1', 'a'), metadataOf('u10', 'a')]);
  await insert([]);
  const one = { userId: 'u1', key: 'a' };
  t.same(await userMetadata.find('acme', one), metadataOf('u1', 'a'));
  t.equal(await userMetadata.find('other', one), undefined);
  t.ok(await taken(insert([metadataOf('u1', 'a')])));
  const keysOf = (found: UserMetadata[]) => found.map(({ userId, key }) => `${userId} ${key}`);
  const page = async (orgId: string, query: { userId: string; after?: string; limit: number }) => {
    const found: UserMetadata[] = [];
    for await (const portion of userMetadata.portions(orgId, query)) found.push(...portion);
    return found;
  };
  t.same(keysOf(await page('acme', { userId: 'u1', limit: 9 })), ['u1 a', 'u1 b']);
  t.same(keysOf(await page('acme', { userId: 'u1', after: 'a', limit: 9 })), ['u1 b']);
  t.same(keysOf(await userMetadata.findMany('acme', [one, { userId: 'u2', key: 'a' }])), ['u1 a']);

  const next = { ...metadataOf('u1', 'a'), value: '', version: 2 };
  const replace = (orgId: string, expectedVersion: number) =>
    within((tx) => userMetadata.replace(orgId, { metadata: next, expectedVersion }, tx));
  t.equal(await replace('other', 1), false);
  t.equal(await replace('acme', 5), false);
  t.equal(await replace('acme', 1), true);
  t.same(await userMetadata.find('acme', one), next);
  const remove = (orgId: string, expectedVersion: number) =>
    within((tx) => userMetadata.remove(orgId, { ...one, expectedVersion }, tx));
  t.equal(await remove('other', 2), false);
  t.equal(await remove('acme', 1), false);
  t.equal(await remove('acme', 2), true);
  await within((tx) => userMetadata.removeAll('other', ['u1'], tx));
  t.equal((await page('acme', { userId: 'u1', limit: 9 })).length, 1);
  await within((tx) => userMetadata.removeAll('acme', ['u1'], tx));
  t.same(await page('acme', { userId: 'u1', limit: 9 }), []);
  t.same(keysOf(await page('acme', { userId: 'u10', limit: 9 })), ['u10 a']);
});

t.test('a project that no application belongs to is not in use', async (t) => {
  t.equal(await within((tx) => applications.anyOfProject('acme', 'b', tx)), false);
});
