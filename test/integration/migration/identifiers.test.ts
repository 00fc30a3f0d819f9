import t from 'tap';
import { PlanOutdated } from '#src/migration/import/lists/section/record-failure.js';
import type { SectionPlan } from '#src/migration/import/lists/section/section.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';

import { removeUser } from '#src/removal/remove-user.js';
import { makeCaller, makeOrganization, testEditor, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';

/** An identifier that a caller chooses names one object, of one kind. */

const { container, call } = await buildTestApp(t, { workers: true });
const home = await makeOrganization(container);
const owner = await makeCaller(container, home.id, ['IAM_OWNER']);
const other = await makeOrganization(container);

const app = { name: 'App', type: 'spa', redirectUris: ['https://app.example/'] };

/** The lists of an import that make an object of each kind, with the record of an identifier. */
const kinds = {
  user: ['humanUsers', (id: string) => humanUser(id, { userId: id })],
  serviceUser: ['machineUsers', (id: string) => ({ userId: id, user: { userName: id } })],
  application: ['oidcApps', (id: string) => ({ appId: id, app })],
  api: ['apiApps', (id: string) => ({ appId: id, app: { name: 'API' } })],
  project: ['projects', (id: string) => ({ projectId: id, project: { name: id } })],
  organization: ['orgs', (id: string) => ({ orgId: id, org: { name: id } })],
} as const;

type Kind = keyof typeof kinds;

const pairs = (Object.keys(kinds) as Kind[]).flatMap((first) =>
  (Object.keys(kinds) as Kind[])
    .filter((second) => second !== first)
    .map((second) => [first, second] as const),
);

/** An import of one object of this kind. */
async function importOne(kind: Kind, id: string, orgId = home.id) {
  const [key, recordOf] = kinds[kind];
  const record = recordOf(id);
  const orgs = kind === 'organization' ? [record] : [{ orgId, [key]: [record] }];
  const { body } = await call('POST /admin/v1/import', {
    as: owner,
    body: { timeout: '5m', dataOrgsv1: { orgs } },
  });
  return body;
}

/** What a worker does with the part of an import that has this record. */
async function plan(kind: Kind, id: string, orgId: string): Promise<SectionPlan> {
  const [key, recordOf] = kinds[kind];
  const section = container.importSections.find(kind === 'organization' ? 'org' : key, 'instance');
  if (section === undefined) throw new Error(`There is no section ${key}`);
  return section.plan([recordOf(id)], {
    orgId,
    form: 'instance',
    editor: testEditor,
    update: false,
    failed: [],
    now: container.clock.now(),
    findReserved: async () => new Set(),
    findReservingRecords: async () => [],
  });
}

const write = (planned: SectionPlan) =>
  container.mongo.transaction(async (transaction) => planned.write?.(transaction));

t.test('an import takes no identifier of an object of another kind', async (t) => {
  for (const [first, second] of pairs) {
    const id = uniqueName('taken');
    t.match(await importOne(first, id), { summary: { created: 1 } }, first);
    const { summary, errors } = await importOne(second, id);
    const code = `${first}, then ${second}`;
    t.equal(summary.created, 0, code);
    // `oidcApps` and `apiApps` are lists of one kind.
    const areBothApplications = [first, second].every((kind) => kind === 'application' || kind === 'api');
    t.match(errors, [{ message: areBothApplications ? /^OTHER-CONTENT: / : /^ID-TAKEN: / }], code);
  }
});

t.test('of two parts that plan at the same time, one gets the identifier', async (t) => {
  for (const [first, second] of pairs) {
    const id = uniqueName('race');
    const plans = [await plan(first, id, home.id), await plan(second, id, other.id)];
    for (const { outcomes } of plans) t.match(outcomes, [{ kind: 'created' }]);
    const written = await Promise.allSettled(plans.map(write));
    const refused = written.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    t.equal(refused.length, 1, `${first} and ${second}`);
    // Both make the import plan the part again, which then finds the identifier taken.
    t.ok(isDuplicateKey(refused[0]) || refused[0] instanceof PlanOutdated, String(refused[0]));
    const loser = written[0]?.status === 'rejected' ? first : second;
    const again = await plan(loser, id, loser === first ? home.id : other.id);
    t.match(again.outcomes, [{ kind: 'failed' }]);
  }
});

t.test('of two imports of one user into two organizations one commits, also on two shards', async (t) => {
  const id = uniqueName('twice');
  const plans = [await plan('user', id, home.id), await plan('user', id, other.id)] as const;
  for (const { outcomes } of plans) t.match(outcomes, [{ kind: 'created' }]);
  await write(plans[0]);
  // On another shard of `users`, nothing knows the first user. Only `identifiers` does, which has one shard.
  const users = container.mongo.db.collection<{ _id: string }>('users');
  t.equal((await users.deleteOne({ _id: id })).deletedCount, 1);
  const refusal = await write(plans[1]).catch((error) => error);
  t.ok(isDuplicateKey(refusal), String(refusal));
  t.match(refusal.message, /identifiers/);
  t.equal(await users.countDocuments({ _id: id }), 0);
});

t.test('two imports at the same time make one object', async (t) => {
  for (const kind of ['application', 'application', 'application', 'user', 'user', 'user'] as const) {
    const id = uniqueName('parallel');
    const answers = await Promise.all([importOne('user', id), importOne(kind, id, other.id)]);
    t.same(answers.map(({ summary }) => summary.created).sort(), [0, 1]);
    t.same(answers.map(({ summary }) => summary.failed).sort(), [0, 1]);
  }
});

t.test('the administration API takes no identifier of another object either', async (t) => {
  const requests = {
    organization: (id: string) => ['POST /admin/v1/orgs', { id, name: id }] as const,
    project: (id: string) => [`POST /admin/v1/orgs/${home.id}/projects`, { id, name: id }] as const,
  };
  for (const [kind, requestOf] of Object.entries(requests)) {
    for (const taker of Object.keys(kinds) as Kind[]) {
      const id = uniqueName('admin');
      t.match(await importOne(taker, id, other.id), { summary: { created: 1 } });
      const [line, body] = requestOf(id);
      const answer = await call(line, { as: owner, body });
      t.equal(answer.status, 409, `${kind} after ${taker}: ${JSON.stringify(answer.body)}`);
    }
    const id = uniqueName('first');
    const [line, body] = requestOf(id);
    t.equal((await call(line, { as: owner, body })).status, 201);
    t.match(await importOne('user', id), { summary: { created: 0 }, errors: [{ message: /^ID-TAKEN: / }] });
  }
});

t.test('an identifier that the service made is taken too', async (t) => {
  const id = (await makeOrganization(container)).id;
  t.match(await importOne('user', id), { errors: [{ message: /^ID-TAKEN: / }] });
  t.match(await importOne('application', owner.id), { errors: [{ message: /^ID-TAKEN: / }] });
});

t.test('the identifier of a removed user can become a user again, and nothing else', async (t) => {
  const id = uniqueName('gone');
  const remove = (orgId: string) => removeUser(container, { orgId, id, editor: testEditor });
  t.match(await importOne('user', id), { summary: { created: 1 } });
  await remove(home.id);
  t.match(await importOne('application', id), { errors: [{ message: /^ID-TAKEN: / }] });
  t.match(await importOne('user', id, other.id), { summary: { created: 1 } }, 'in another organization');
  await remove(other.id);
  t.match(await importOne('project', id), { errors: [{ message: /^ID-TAKEN: / }] });
  t.match(await importOne('user', id, other.id), { summary: { created: 1 } }, 'in the same one');
});
