import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { stopServices } from '../../dev/services.js';
import { until } from '../../dev/until.js';
import { descendants, makeCheckout, stillRunning } from '../support/processes/checkout.js';

t.test('make run ends as a whole, however it ends', { timeout: 600_000 }, async (t) => {
  const checkout = await makeCheckout(t, { compiled: true });

  await t.test('a process that dies takes the rest with it', async (t) => {
    const broken = checkout.start();
    await broken.ready();
    const worker = descendants(broken.child.pid ?? 0).find((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workers/main.js'),
    );
    process.kill(worker ?? 0, 'SIGKILL');
    const { code, output } = await broken.ended;
    t.not(code, 0);
    t.match(output, /workers\/main\.js ended with/);
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
