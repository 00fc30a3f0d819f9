import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { MongoClient } from 'mongodb';
import t from 'tap';
import { endable } from '../../dev/end-server.js';
import { withLock } from '../../dev/services/lock.js';
import { startMongod } from '../../dev/services/mongod.js';
import { pingMongodb } from '../../dev/services/ping.js';
import { portFor } from '../../dev/services/ports.js';
import { isAlive, startDetached, stopProcess } from '../../dev/services/processes.js';
import { putRecord, readRecords, stopRecorded } from '../../dev/services/record.js';
import { findService, type Source } from '../../dev/services/search.js';
import { sources } from '../../dev/services/sources.js';

const dataDir = await mkdtemp(join(tmpdir(), 'muster-services-'));
t.teardown(() => rm(dataDir, { recursive: true, force: true }));

const started = (url: string) => ({ url, processes: [] });
const quiet = () => {};

function source(via: string, start: Source['start'], binding = false): Source {
  return { kind: 'redis', via, choice: `use ${via}`, binding, start };
}

t.test('the first source that serves is taken and later ones are not tried', async (t) => {
  const tried: string[] = [];
  const probe = (via: string, url: string | null) =>
    source(via, async () => {
      tried.push(via);
      return url === null ? null : started(url);
    });
  const found = await findService(
    'redis',
    [probe('a', null), probe('b', 'redis://b'), probe('c', 'x')],
    quiet,
  );
  t.match(found, { url: 'redis://b', via: 'b' });
  t.same(tried, ['a', 'b']);
});

t.test('a source that fails is told and the next one is tried, unless the caller asked for it', async (t) => {
  const lines: string[] = [];
  const broken = async () => {
    throw new Error('no engine');
  };
  const next = source('b', async () => started('redis://b'));
  const found = await findService('redis', [source('a', broken), next], (line) => lines.push(line));
  t.equal(found.via, 'b');
  t.same(lines, ['Redis by a did not work: no engine']);
  await t.rejects(findService('redis', [source('a', broken, true), next], quiet), { message: 'no engine' });
});

t.test('where nothing serves, one sentence lists the choices', async (t) => {
  const none = sources({ dataDir, log: quiet, remember: async () => {} }).map((each) => ({
    ...each,
    start: async () => null,
  }));
  await t.rejects(findService('mongodb', none, quiet), {
    message:
      'No MongoDB is to be had here: give MONGODB_URL, or run a Docker engine, or put mongod on the PATH, ' +
      'or allow its download from fastdl.mongodb.org, or be root on Debian, for DocumentDB.',
  });
  await t.rejects(findService('redis', none, quiet), { message: /^No Redis .*, or be root on Debian/ });
});

t.test('a port stays with its name in the data folder', async (t) => {
  const port = await portFor(dataDir, 'x');
  t.equal(await portFor(dataDir, 'x'), port);
  t.not(await portFor(dataDir, 'y'), port);
});

t.test('a lock lets one in at a time', async (t) => {
  const steps: string[] = [];
  const work = (name: string) =>
    withLock(join(dataDir, 'some.lock'), async () => {
      steps.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} out`);
    });
  await Promise.all([work('a'), work('b')]);
  t.same([steps[0]?.at(0), steps[2]?.at(0)].sort(), ['a', 'b']);
  t.equal(steps[0]?.at(0), steps[1]?.at(0));
});

t.test('a lock whose holder died is taken over, also one without its holder', async (t) => {
  const path = join(dataDir, 'left.lock');
  for (const left of ['', '4194305']) {
    await writeFile(path, left);
    t.equal(await withLock(path, async () => 'in'), 'in');
  }
  t.same(
    (await readdir(dataDir)).filter((name) => name.includes('.lock')),
    [],
  );
});

t.test('recorded processes are stopped and forgotten', async (t) => {
  const logFile = join(dataDir, 'logs', 'sleep.log');
  const sleeper = startDetached({ name: 'sleep', command: 'sleep', args: ['60'], logFile });
  t.ok(isAlive(sleeper));
  t.notOk(isAlive({ ...sleeper, startedAt: 'Thu Jan 1 00:00:00 1970' }));
  await putRecord(dataDir, 'redis', { url: 'redis://x', via: 'test', processes: [sleeper] });
  t.same(await stopRecorded(dataDir, 'redis'), ['sleep']);
  t.notOk(isAlive(sleeper));
  t.same(await readRecords(dataDir), {});
  await stopProcess(sleeper);
});

t.test('a mongod whose port is taken at its next start becomes ready at another one', async (t) => {
  const own = await mkdtemp(join(tmpdir(), 'muster-mongod-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const name = `../support/processes/mongod-stand-in${extname(import.meta.filename)}`;
  const standIn = new URL(name, import.meta.url).pathname;
  const program = join(own, 'program');
  const words = [process.execPath, ...process.execArgv, standIn].map((word) => `'${word}'`).join(' ');
  await writeFile(program, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const start = async () => {
    const { url, processes } = await startMongod(program, {
      dataDir: own,
      log: quiet,
      remember: async (process) => t.teardown(() => stopProcess(process)),
    });
    return { url, stop: () => Promise.all(processes.map(stopProcess)) };
  };
  const configuration = async (url: string) => {
    const client = new MongoClient(url);
    const { config } = await client.db('admin').command({ replSetGetConfig: 1 });
    await client.close();
    return { version: config.version, hosts: config.members.map(({ host }: { host: string }) => host) };
  };

  const first = await start();
  const { host: before, port } = new URL(first.url);
  t.same(await configuration(first.url), { version: 1, hosts: [before] });
  await first.stop();
  const again = await start();
  t.equal(again.url, first.url);
  t.same(await configuration(again.url), { version: 1, hosts: [before] }, 'the same port changes nothing');
  await again.stop();

  const taken = createServer();
  t.teardown(endable(taken));
  await new Promise<void>((resolve) => taken.listen(Number(port), '127.0.0.1', resolve));
  const moved = await start();
  const { host: after } = new URL(moved.url);
  t.not(after, before);
  t.same(await configuration(moved.url), { version: 2, hosts: [after] });
  t.ok(await pingMongodb(moved.url), 'it can be written to');
});
