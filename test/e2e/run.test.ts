import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makeCheckout, stillRunning } from '../support/processes/checkout.js';

t.test('make run', { timeout: 200_000 }, async (t) => {
  const checkout = await makeCheckout(t, { compiled: false });

  await t.test('reaches ready, and Ctrl-C ends all of it', async (t) => {
    const clock = performance.now();
    const first = checkout.run('make', ['run']);
    await first.ready();
    t.comment(`ready after ${Math.round(performance.now() - clock)} ms`);
    t.equal(statSync(join(checkout.dataDir, 'first-start.json')).mode & 0o777, 0o600);
    const fields = Object.keys(
      JSON.parse(await readFile(join(checkout.dataDir, 'first-start.json'), 'utf8')),
    );
    t.same(fields, ['baseUrl', 'orgId', 'adminUserName', 'adminPassword', 'adminToken']);
    t.equal(await checkout.list(), 200);
    const doctor = spawnSync(process.execPath, ['dist/src/cli/main.js', 'doctor'], {
      cwd: join(checkout.root, 'checkout'),
      env: { MUSTER_DATA_DIR: checkout.dataDir, PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
    t.equal(doctor.status, 0, `${doctor.stdout}${doctor.stderr}`);
    t.match(doctor.stdout, /ok +address +Muster answers at/);
    // A terminal sends it to the whole foreground group.
    process.kill(-(first.child.pid ?? 0), 'SIGINT');
    await first.ended;
    t.same(stillRunning(checkout.started), [], 'no process of it is left');
  });

  await t.test('starts again with the same data', async (t) => {
    const clock = performance.now();
    const again = checkout.start();
    await again.ready();
    const ms = performance.now() - clock;
    t.comment(`ready again after ${Math.round(ms)} ms`);
    t.equal(await checkout.list(), 200, 'the token of the first start is still good');

    const other = checkout.start({ MUSTER_DATA_DIR: join(checkout.root, 'other') });
    const refused = await other.ended;
    t.not(refused.code, 0);
    t.match(refused.output, `Port ${checkout.port} of 127.0.0.1 is taken`);
    t.notMatch(refused.output, /^\s+at /m, 'no stack');
    t.notOk(existsSync(join(checkout.root, 'other', 'services.json')), 'it started nothing');
    t.equal(await checkout.list(), 200, 'who has the port goes on');

    again.child.kill('SIGINT');
    t.equal((await again.ended).code, 0);
    t.same(stillRunning(checkout.started), [], 'no process of it is left');
  });
});
