import { spawn } from 'node:child_process';
import t from 'tap';
import { killIfLeft } from '../../dev/leftovers.js';
import { openStage } from '../../dev/stage/stage.js';
import { musterMain, openMuster } from '../support/processes/muster-command.js';

const link = /http:\/\/\S+\/login\/password\?token=(\S+)/;

t.test('muster recover beside running processes', { timeout: 120_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const api = await stage.startApi();
  const settings = {
    MONGODB_URL: stage.mongodb.url,
    MONGODB_DATABASE: stage.mongodb.database,
    REDIS_URL: stage.redisUrl,
    REDIS_PREFIX: stage.redis.prefix,
    MUSTER_MASTER_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64url')}`,
    MUSTER_BASE_URL: stage.baseUrl,
  };
  const events = async () =>
    (await api.call('POST /admin/v1/events/_search', { json: { eventTypes: ['user.human.recovered'] } }))
      .body;

  /** Runs the command at a terminal of its own (util-linux), and types these lines. */
  const atTerminal = async (words: string[], typed: string[], env: Record<string, string> = {}) => {
    const command = [process.execPath, musterMain, 'recover', ...words].join(' ');
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { PATH: process.env['PATH'], ...settings, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    killIfLeft(child);
    let seen = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      seen += chunk;
      if (/to confirm: $/.test(seen)) child.stdin.write(`${typed.shift() ?? ''}\n`);
    });
    const code = await new Promise<number | null>((done) => child.once('close', done));
    return { code, seen };
  };
  // The first request makes the signing keys.
  await api.call('GET /oauth/v2/keys');

  t.test('away from a terminal it does nothing', async (t) => {
    const muster = openMuster(t, settings);
    for (const words of [
      [],
      ['--owner', 'admin'],
      ['--new-owner', 'other'],
      ['--owner', 'admin', '--json'],
    ]) {
      const { code, out, err } = await muster.run('recover', ...words);
      t.equal(code, 1, words.join(' '));
      t.match(`${out}${err}`, /Run this command at a terminal.*Nothing was changed/);
    }
    for (const words of [
      ['--owner', 'a', '--new-owner', 'b'],
      ['--owner', 'a', '--org', 'b'],
      ['--email', 'a@b.example'],
      ['--remove-second-factor'],
    ]) {
      t.match(await muster.run('recover', ...words), { code: 2, err: /muster recover: --/ }, words.join(' '));
    }
    t.same((await events()).events, []);
  });

  t.test('with a wrong master key it names nobody', async (t) => {
    const wrong = { MUSTER_MASTER_KEYS: `k1:${Buffer.alloc(32, 8).toString('base64url')}` };
    for (const words of [[], ['--owner', 'admin']]) {
      const { code, seen } = await atTerminal(words, ['admin'], wrong);
      t.equal(code, 1);
      t.match(seen, 'None of MUSTER_MASTER_KEYS opens the signing key');
      t.notMatch(seen, 'admin-service');
    }
    t.same((await events()).events, []);
  });

  t.test('at a terminal it lists the owners, asks, and shows the link once', async (t) => {
    const listed = await atTerminal([], []);
    t.equal(listed.code, 0, listed.seen);
    t.match(listed.seen, /admin +Instance Administrator +person +active/);
    t.match(listed.seen, /admin-service/);

    const refused = await atTerminal(['--owner', 'admin'], ['yes']);
    t.equal(refused.code, 1);
    t.match(refused.seen, 'That is not the login name. Nothing was changed.');
    t.notMatch(refused.seen, link);
    t.same((await events()).events, []);

    const made = await atTerminal(['--owner', 'admin'], ['admin']);
    t.equal(made.code, 0, made.seen);
    const [address = '', secret = ''] = link.exec(made.seen) ?? [];
    stage.keepSecret(secret);
    t.match((await events()).events, [{ editor: { service: 'recover' } }]);
    const path = address.replace(stage.baseUrl, '').trim();
    t.match(
      await (await fetch(`${api.address}${path}`)).text(),
      'admin',
      'the running process knows the link',
    );
  });
});
