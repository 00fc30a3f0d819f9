import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import t from 'tap';
import { readRecords } from '../../dev/services/record.js';
import { NothingServes } from '../../dev/services/search.js';
import { startServices } from '../../dev/services.js';

// This file kills what it talks to, so it wants services of its own instead of those that are given.
delete process.env['MONGODB_URL'];
delete process.env['REDIS_URL'];

const dataDir = await mkdtemp(join(tmpdir(), 'muster-recovery-'));
const log = (message: string) => t.comment(message);

t.test(
  'what was committed outlives kill -9, and the same client goes on',
  { timeout: 120_000 },
  async (t) => {
    const services = await startServices({ dataDir, log });
    t.teardown(async () => {
      await (await startServices({ dataDir, log })).stop();
      await services.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const again = await startServices({ dataDir, log });
    t.equal(again.mongodbUrl, services.mongodbUrl, 'running services are used again');
    await again.stop();

    const processes = (await readRecords(dataDir)).mongodb?.processes ?? [];
    if (processes.length === 0) {
      t.comment('MongoDB runs in a container here');
      return;
    }
    const client = await new MongoClient(services.mongodbUrl).connect();
    t.teardown(() => client.close());
    const items = client.db('recovery').collection<Document>('items');
    for (const [round, name] of names.entries()) {
      const acknowledged: number[] = [];
      const stopped = false;
      const writing = (async () => {
        for (let n = 0; !stopped; n += 1) {
          await items.insertOne({ round, n });
          acknowledged.push(n);
        }
      })().catch(() => {});
      while (acknowledged.length < 200) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      process.kill(process_.pid, 'SIGKILL');
      running = false;
      const restarted = await startServices({ dataDir, log });
      await writing;
      t.equal(restarted.mongodbUrl, services.mongodbUrl);
      const kept = new Set(await items.distinct('n', { round }));
      t.same(
        acknowledged.filter((n) => !kept.has(n)),
        [],
        `every acknowledged insert is there after ${name} was killed`,
      );
    }
  },
);
