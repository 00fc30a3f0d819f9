import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { readRecords } from '../../dev/services/record.js';
import { stopServices } from '../../dev/services.js';
import { until } from '../../dev/until.js';
import { descendants, makeCheckout, stillRunning } from '../support/processes/checkout.js';

t.test('make run ends as a whole, however it ends', { timeout: 600_000 }, async (t) => {
  const checkout = await makeCheckout(t, { compiled: true });

  await t.test('a store that ends is started again, and a program that ends is named', async (t) => {
    const run = checkout.start();
    await run.ready();
    const { mongodb } = await readRecords(checkout.dataDir);
    const gateway = mongodb?.processes.find(({ name }) => name === 'documentdb-gateway');
    if (gateway === undefined) notRun(t, 'MongoDB is not the local engine');
    else {
      process.kill(gateway.pid, 'SIGKILL');
      await until(async () => {
        const now = (await readRecords(checkout.dataDir)).mongodb;
        return now !== undefined && now.url !== '' && now.processes.every(({ pid }) => pid !== gateway.pid);
      });
      await until(async () => (await checkout.list()) === 200);
    }
    const [worker] = stillRunning(checkout.started).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dist/workers/main.js'),
    );
    process.kill(worker ?? 0, 'SIGKILL');
    const { code, output } = await run.ended;
    t.equal(code, 1);
    t.match(output, 'The worker (dist/workers/main.js) ended by SIGKILL');
    if (gateway !== undefined) t.match(output, 'documentdb-gateway ended. mongodb starts again');
    t.same(stillRunning(checkout.started), [], 'no process of it is left');
  });

  await t.test('a terminal that closes ends all of it', async (t) => {
    const closed = checkout.start();
    await closed.ready();
    closed.child.kill('SIGHUP');
    t.equal((await closed.ended).code, 0);
    t.same(stillRunning(checkout.started), [], 'no process of it is left');
  });

  await t.test('API and worker end when make run is killed', async (t) => {
    const killed = checkout.start();
    await killed.ready();
    const own = descendants(killed.child.pid ?? 0).filter((pid) =>
      /src\/server\.js|workers\/main\.js/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
    );
    t.equal(own.length, 2);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await until(() => stillRunning(own).length === 0);

    const again = checkout.start();
    await again.ready();
    t.equal(await checkout.list(), 200, 'it starts again');
    again.child.kill('SIGINT');
    t.equal((await again.ended).code, 0);
    // The kill left the stores running. A later start keeps services that ran before it, until make down.
    await stopServices(checkout.dataDir);
    t.same(stillRunning(checkout.started), [], 'no process of it is left');
  });

  await t.test('a signal during the start ends the started processes', async (t) => {
    const early = checkout.start();
    await until(
      () =>
        existsSync(join(checkout.dataDir, 'services.json')) && descendants(early.child.pid ?? 0).length > 3,
    );
    const sofar = descendants(early.child.pid ?? 0);
    early.child.kill('SIGINT');
    t.equal((await early.ended).code, 0);
    t.same(stillRunning(sofar), []);
  });
});
