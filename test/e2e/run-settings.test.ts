import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeCheckout } from '../support/processes/checkout.js';

t.test('settings of make run', { timeout: 100_000 }, async (t) => {
  const checkout = await makeCheckout(t, { compiled: true });

  await t.test('wrong configuration is listed and nothing is started', async (t) => {
    const settings = {
      MUSTER_DATA_DIR: join(checkout.root, 'wrong'),
      MUSTER_SHUTDOWN_SECONDS: 'soon',
      MUSTER_MASTER_KEYS: 'not-a-key',
      LOG_LEVEL: 'loud',
    };
    const { code, output } = await checkout.start(settings).ended;
    t.not(code, 0);
    t.match(output, /The configuration is wrong:/);
    for (const name of ['MUSTER_SHUTDOWN_SECONDS', 'MUSTER_MASTER_KEYS', 'LOG_LEVEL']) t.match(output, name);
    t.notMatch(output, /not-a-key|^\s+at /m);
    t.notOk(existsSync(join(checkout.root, 'wrong', 'services.json')));
  });

  await t.test('an empty data folder setting is none', async (t) => {
    // The folder has its keys before the start reports an error.
    const { code } = await checkout.start({ MUSTER_DATA_DIR: '', LOG_LEVEL: 'loud' }).ended;
    t.not(code, 0);
    t.ok(existsSync(join(checkout.folder, '.muster', 'master-keys')));
    t.notOk(existsSync(join(checkout.folder, 'master-keys')));
  });
});
