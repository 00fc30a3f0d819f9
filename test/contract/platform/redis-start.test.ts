import { createServer } from 'node:net';
import t from 'tap';
import { connectRedis, whenReady } from '#src/platform/redis/redis.js';
import { StartError } from '#src/platform/start-failure.js';
import { freePort } from '../../../dev/free-port.js';

/** The output of a process that starts with an unusable Redis. */

/** A server that answers each command with an error. */
async function refusing(answer: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const _command of data.toString().matchAll(/^\*\d+\r$/gm)) socket.write(`-${answer}\r\n`);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The reason, given ever more time until there is another one than silence. */
async function whyNot(url: string, limitMs = 300): Promise<string> {
  const redis = connectRedis(url, 'failFast');
  redis.on('error', () => undefined);
  const error: unknown = await whenReady(redis, limitMs).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  redis.disconnect();
  if (!(error instanceof StartError)) throw new Error('It did not fail as a start does', { cause: error });
  const silent = error.message.includes('it does not answer') && limitMs < 60_000;
  return silent ? whyNot(url, limitMs * 4) : error.message;
}

t.test('nothing listens', async (t) => {
  const port = await freePort();
  for (const scheme of ['redis', 'rediss', 'redis-cluster']) {
    const why = await whyNot(`${scheme}://127.0.0.1:${port}`);
    t.match(why, /^Redis \(REDIS_URL\) cannot be used: .*(ECONNREFUSED|closed|refresh)/, scheme);
  }
  t.match(await whyNot(`redis-sentinel://127.0.0.1:${port}/mymaster`), /All sentinels are unreachable/);
});

t.test('the password is wrong, and is not told', async (t) => {
  const port = await refusing('WRONGPASS invalid username-password pair or user is disabled.');
  const why = await whyNot(`redis://somebody:Hidden-Horse-7@127.0.0.1:${port}`);
  t.match(why, /WRONGPASS/);
  t.notMatch(why, /Hidden/);
});
