import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { checkClock } from '#src/cli/doctor/check-clock.js';
import { checkSettings } from '#src/cli/doctor/check-settings.js';
import { findTrial } from '#src/cli/doctor/find-trial.js';

const env = {
  MONGODB_URL: 'mongodb://user:secret@127.0.0.1/',
  REDIS_URL: 'redis://127.0.0.1',
  MUSTER_MASTER_KEYS: `k1:${'B'.repeat(43)}`,
};

t.test('settings that are valid', async (t) => {
  const { config, findings } = checkSettings(env);
  t.equal(config?.port, 8080);
  t.match(findings, [{ check: 'settings', state: 'ok' }]);
  t.equal(findings.length, 1);
});

t.test('each setting that is wrong or missing has a line and a remedy, without its secret', async (t) => {
  const { config, findings } = checkSettings({ ...env, MONGODB_URL: 'secret', REDIS_URL: '', PORT: 'x' });
  t.equal(config, undefined);
  t.equal(findings.length, 3);
  t.ok(findings.every(({ state, remedy }) => state === 'failed' && remedy));
  t.match(
    findings.map(({ text }) => text).join('\n'),
    /PORT: "x" does not fit.*MONGODB_URL.*REDIS_URL is missing/s,
  );
  t.notMatch(JSON.stringify(findings), /secret/);
});

t.test('a setting with a typing error is told with the nearest', async (t) => {
  const { findings } = checkSettings({
    ...env,
    MUSTER_LOGIN_MAX_FAILURE: '3',
    MUSTER_SERVICE_HOST: '10.0.0.1',
    MUSTER_PORT: 'tcp://10.0.0.1:80',
    MUSTER_PORT_80_TCP_ADDR: '10.0.0.1',
    MUSTER_TOKEN: 'x',
  });
  t.match(findings.slice(1), [
    {
      state: 'warning',
      text: 'MUSTER_LOGIN_MAX_FAILURE is no setting',
      remedy: 'Did you mean MUSTER_LOGIN_MAX_FAILURES?',
    },
  ]);
  t.equal(findings.length, 2);
});

t.test('settings that are valid but seldom meant', async (t) => {
  const texts = (more: Record<string, string>) =>
    checkSettings({ ...env, ...more })
      .findings.filter(({ state }) => state === 'warning')
      .map(({ text }) => text);
  t.match(texts({ MUSTER_BASE_URL: 'http://id.example' }), [/without TLS/]);
  t.match(texts({ HOST: '0.0.0.0' }), [/MUSTER_BASE_URL is not set/]);
  t.match(texts({ MUSTER_TRY_OUT: '1' }), [/everybody knows/]);
  t.match(texts({ MUSTER_SMTP_URL: 'smtp://mail' }), [/receivers refuse/]);
  for (const url of ['http://localhost:8080', 'http://127.0.0.1:1', 'https://id.example'])
    t.same(texts({ MUSTER_BASE_URL: url }), [], url);
});

t.test('clocks', async (t) => {
  const began = Date.parse('2026-01-01T00:00:00Z');
  const reading = (offsetMs: number) => ({ of: 'Redis', began, ended: began + 40, time: began + offsetMs });
  t.match(
    checkClock([reading(20)]),
    [{ state: 'ok', text: /less than 10 ms/ }],
    'the way counts for neither',
  );
  t.match(checkClock([reading(-1_500)]), [{ state: 'ok', text: /1500 ms/ }]);
  t.match(checkClock([reading(5_040)]), [{ state: 'warning', text: 'This machine is 5 s behind Redis' }]);
  t.match(checkClock([reading(-31_000)]), [
    { state: 'failed', text: 'This machine is 31 s ahead of Redis', remedy: /NTP/ },
  ]);
  t.match(checkClock([]), [{ state: 'skipped' }]);
});

t.test('the trial of make run is found by itself, while it runs', async (t) => {
  const dataDir = t.testdir();
  const file = join(dataDir, 'run.json');
  const run = { pid: process.pid, settings: { ...env, PORT: '9000', MUSTER_TRY_OUT: '1' } };
  const find = () => findTrial({ MUSTER_DATA_DIR: dataDir });
  t.equal(await find(), undefined, 'nothing ran here');
  await writeFile(file, JSON.stringify(run), { mode: 0o600 });
  const found = await find();
  t.equal(found?.file, file);
  t.equal(checkSettings(found?.settings ?? {}).config?.port, 9000);
  t.equal(await findTrial({ MUSTER_DATA_DIR: dataDir, MONGODB_URL: 'mongodb://x' }), undefined, 'a server');
  await chmod(file, 0o644);
  t.equal(await find(), undefined, 'a file for everybody');
  await chmod(file, 0o600);
  for (const content of [
    '{',
    '[]',
    'null',
    '{"pid":1.5,"settings":{}}',
    JSON.stringify({ ...run, pid: 2 ** 30 }),
  ]) {
    await writeFile(file, content);
    t.equal(await find(), undefined, content.slice(0, 30));
  }
});
