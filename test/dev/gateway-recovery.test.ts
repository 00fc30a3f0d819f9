import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Document, MongoClient } from 'mongodb';
import t from 'tap';
import { clearIfLeft } from '../../dev/leftovers.js';
import { notRun } from '../../dev/not-run.js';
import { isAlive } from '../../dev/services/processes.js';
import { readRecords } from '../../dev/services/record.js';
import { NothingServes } from '../../dev/services/search.js';
import { startServices } from '../../dev/services.js';
import { until } from '../../dev/until.js';

// This file kills services, so it starts its own instead of using the given ones.
delete process.env['MONGODB_URL'];
delete process.env['REDIS_URL'];

const dataDir = await mkdtemp(join(tmpdir(), 'muster-recovery-'));
const cleared = clearIfLeft(dataDir);
const options = { dataDir, log: (message: string) => t.comment(message) };

async function processes() {
  return (await readRecords(dataDir)).mongodb?.processes ?? [];
}

/** Inserts documents one after the other until it is stopped, and counts the acknowledged ones. */
function writer(items: Collection<Document>, round: number) {
  const acknowledged: number[] = [];
  let stopped = false;
  const writing = (async () => {
    for (let n = 0; !stopped; n += 1) {
      await items.insertOne({ round, n });
      acknowledged.push(n);
    }
  })().catch(() => {});
  return {
    acknowledged,
    stop: () => {
      stopped = true;
      return writing;
    },
  };
}

t.test('committed data survives kill -9', { timeout: 120_000 }, async (t) => {
  const services = await startServices(options).catch((error: unknown) => {
    if (error instanceof NothingServes) {
      return null;
    }
    throw error;
  });
  if (services === null) {
    notRun(t, 'only given services are to be had, and they are not ours to kill');
    return;
  }
  t.teardown(async () => {
    await services.stop();
    await rm(dataDir, { recursive: true, force: true });
    cleared();
  });
  const again = await startServices(options);
  t.equal(again.mongodbUrl, services.mongodbUrl, 'running services are used again');
  await again.stop();

  const client = await new MongoClient(services.mongodbUrl).connect();
  t.teardown(() => client.close());
  const items = client.db('recovery').collection<Document>('items');
  const names = (await processes()).map((each) => each.name);
  for (const [round, name] of names.entries()) {
    const writes = writer(items, round);
    await until(() => writes.acknowledged.length >= 200);
    const victim = (await processes()).find((each) => each.name === name);
    if (victim === undefined) throw new Error(`${name} does not run`);
    process.kill(victim.pid, 'SIGKILL');
    // On a busy machine a killed process goes on for a moment.
    await until(() => !isAlive(victim));
    const restarted = await startServices(options);
    await writes.stop();
    t.equal(restarted.mongodbUrl, services.mongodbUrl);
    const kept = new Set(await items.distinct('n', { round }));
    const lost = writes.acknowledged.filter((n) => !kept.has(n));
    t.same(lost, [], `the same client finds every acknowledged insert after ${name} was killed`);
  }
});
