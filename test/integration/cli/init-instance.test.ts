import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { initInstance } from '#src/cli/server/init-instance.js';
import { openFirstStartOutput } from '#src/cli/server/write-first-start.js';
import { buildTestApp } from '../../support/app/test-app.js';

async function setUp(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'muster-init-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const app = await buildTestApp(t);
  const options = (path: string, lockMs = 30_000) => ({
    orgName: 'Muster',
    adminUserName: 'admin',
    adminEmail: 'admin@example.com',
    openOutput: () => openFirstStartOutput(path),
    lockMs,
  });
  const output = join(folder, 'first-start.json');
  const lock = `${app.container.config.redisPrefix}:init`;
  const owners = () => app.container.memberships.page(undefined, { limit: 10 });
  const organizations = () => app.container.mongo.db.collection('organizations').countDocuments();
  const works = async (path: string) => {
    const { orgId, adminToken } = JSON.parse(await readFile(path, 'utf8'));
    const answer = await app.call(`GET /scim/v2/${orgId}/Users`, { as: { token: adminToken } });
    return answer.status === 200;
  };
  return { ...app, folder, output, lock, options, owners, organizations, works };
}

t.test('the first start is made once', async (t) => {
  const { container, folder, output, options, owners, organizations, works } = await setUp(t);
  t.equal(await initInstance(container, options(output)), true);
  t.equal((await stat(output)).mode & 0o777, 0o600);
  t.same(await readdir(folder), ['first-start.json'], 'nothing unfinished is left');
  t.ok(await works(output));
  t.equal((await owners()).length, 2);

  const kept = await readFile(output, 'utf8');
  t.equal(await initInstance(container, options(output)), false);
  t.equal(await initInstance(container, options(join(folder, 'absent', 'file'))), false, 'opens no output');
  t.equal(await readFile(output, 'utf8'), kept);
  t.equal(await organizations(), 1);
});

t.test('what cannot be written is not made, and it can be tried again', async (t) => {
  const { container, folder, output, lock, options, owners, organizations, works } = await setUp(t);
  const absent = join(folder, 'absent', 'first-start.json');
  await t.rejects(initInstance(container, options(absent)), { message: /absent.* cannot be written/ });
  t.equal(await organizations(), 0);
  t.equal(await container.redis.exists(lock), 0);

  // Fails at the very end: a folder has the name.
  await mkdir(output);
  await t.rejects(initInstance(container, options(output)), { message: /cannot be written/ });
  t.same(await owners(), [], 'without the output there is no owner');
  t.same(await readdir(folder), ['first-start.json'], 'nothing unfinished is left');

  await rm(output, { recursive: true });
  t.equal(await initInstance(container, options(output)), true);
  t.ok(await works(output));
  t.equal((await owners()).length, 2);
  t.equal(await organizations(), 2, 'the earlier organization is an orphan');
});

t.test('the output is complete before anybody owns the instance', async (t) => {
  const { container, output, options, owners, works } = await setUp(t);
  const crash = new Error('the process dies here');
  const dying = {
    ...options(output),
    openOutput: async () => {
      const opened = await openFirstStartOutput(output);
      return {
        ...opened,
        write: async (made: Parameters<typeof opened.write>[0]) => {
          await opened.write(made);
          throw crash;
        },
      };
    },
  };
  await t.rejects(initInstance(container, dying), crash);
  t.same(await owners(), []);
  t.notOk(await works(output));
  t.equal(await initInstance(container, options(output)), true);
  t.ok(await works(output), 'the second one is what the file says');
});

t.test('of two at once one makes it and the other waits', async (t) => {
  const { container, openAnother, folder, options, owners, organizations } = await setUp(t);
  const another = await openAnother();
  const made = await Promise.all([
    initInstance(container, options(join(folder, 'a'))),
    initInstance(another, options(join(folder, 'b'))),
  ]);
  t.same(made.toSorted(), [false, true]);
  t.equal((await readdir(folder)).length, 1);
  t.equal(await organizations(), 1);
  t.equal((await owners()).length, 2);
});

t.test("another's lock is waited for and never deleted", async (t) => {
  const { container, output, lock, options, owners, works } = await setUp(t);
  await container.redis.set(lock, 'another');
  await t.rejects(initInstance(container, options(output, 300)), { message: /Another process initializes/ });
  t.equal(await container.redis.get(lock), 'another');

  await container.redis.set(lock, 'one that died', 'PX', 300);
  t.equal(await initInstance(container, options(output, 2_000)), true, 'it goes on when the lock has ended');
  t.ok(await works(output));
  t.equal((await owners()).length, 2);
});

t.test('one that lost its lock makes no owner', async (t) => {
  const { container, output, lock, options, owners } = await setUp(t);
  const slow = {
    ...options(output),
    openOutput: async () => {
      await container.redis.set(lock, 'another');
      return openFirstStartOutput(output);
    },
  };
  await t.rejects(initInstance(container, slow), { message: /took too long/ });
  t.same(await owners(), []);
  t.equal(await container.redis.get(lock), 'another');
});
