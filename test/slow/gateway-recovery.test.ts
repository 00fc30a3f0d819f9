import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Document, MongoClient } from 'mongodb';
import t from 'tap';
import { EngineGone, PgConnection } from '../../dev/documentdb/pg-connection.js';
import { clearIfLeft } from '../../dev/leftovers.js';
import { notRun } from '../../dev/not-run.js';
import { pingMongodb } from '../../dev/services/ping.js';
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
const onlyGiven = 'only given services are to be had, and they are not ours to kill';

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

const services = await startServices(options).catch((error: unknown) => {
  if (error instanceof NothingServes) return undefined;
  throw error;
});
t.teardown(async () => {
  await services?.stop();
  await rm(dataDir, { recursive: true, force: true });
  cleared();
});

t.test('committed data survives kill -9', { timeout: 120_000 }, async (t) => {
  if (services === undefined) return notRun(t, onlyGiven);
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

t.test('sessions that outlive a killed server do not keep the next one from its start', async (t) => {
  if (services === undefined) return notRun(t, onlyGiven);
  if (!(await processes()).some(({ name }) => name === 'postgres'))
    return notRun(t, 'MongoDB is not the local engine');
  const socket = join(dataDir, 'documentdb', 'run', '.s.PGSQL.5432');
  const open = () => PgConnection.open(socket, 'postgres', 'postgres');
  const [session, watch] = await Promise.all([open(), open()]);
  // A loop looks at no socket, so the session does not see the end of its server.
  const loop = "WHILE clock_timestamp() < now() + interval '1 minute' LOOP END LOOP;";
  const looping = session.query(`DO $$ BEGIN ${loop} END $$`).catch((error: unknown) => error);
  const active = "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'";
  await until(async () => (await watch.query(active)).length === 1);
  for (const { pid } of await processes()) process.kill(-pid, 'SIGKILL');
  const restarted = await startServices(options);
  t.equal(restarted.mongodbUrl, services.mongodbUrl);
  t.ok(await pingMongodb(restarted.mongodbUrl));
  t.type(await looping, EngineGone, 'the session is ended');
});
