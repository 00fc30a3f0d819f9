import Fastify, { type FastifyBaseLogger } from 'fastify';
import { MongoServerError } from 'mongodb';
import t from 'tap';
import { answerWithProblems } from '#src/http/base/problem.js';
import { logRequests } from '#src/http/log-requests.js';
import { AppError, type ErrorKind } from '#src/platform/errors.js';
import { createLogger } from '#src/platform/logger.js';

/** The output of a logger. */
function written(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  log(createLogger({ level: 'trace', processName: 'test' }, { write: (line: string) => lines.push(line) }));
  return lines.join('');
}

t.test('what drivers hang on their errors is not written', async (t) => {
  const redis = Object.assign(new Error('OOM command not allowed'), {
    command: { name: 'set', args: ['session', 'secret-one'] },
  });
  const mongo = new MongoServerError({
    message: 'failed',
    code: 121,
    op: { password: { hash: 'secret-two' } },
  });
  const outer = new Error('it did not work', { cause: redis });
  for (const err of [redis, mongo, outer]) {
    const line = written((logger) => logger.error({ err }, 'failed'));
    t.notMatch(line, /secret/);
    t.match(JSON.parse(line), { msg: 'failed', err: { type: String, message: err.message, stack: String } });
  }
  t.match(JSON.parse(written((logger) => logger.error({ err: outer }))).err.cause.message, 'OOM');
  t.equal(JSON.parse(written((logger) => logger.error({ err: mongo }))).err.code, 121);
});

t.test('fields that hold secrets are removed, also below others', async (t) => {
  const line = written((logger) =>
    logger.info({ password: 'secret', body: { client_secret: 'secret', more: { token: 'secret' } } }),
  );
  t.notMatch(line, /"secret"/);
});

t.test('of a request the query is not written', async (t) => {
  const line = written((logger) => logger.info({ req: { method: 'GET', url: '/login?code=secret' } }));
  t.match(JSON.parse(line).req, { method: 'GET', path: '/login' });
  t.notMatch(line, /secret/);
});

t.test(
  'an answer is an error of the log when the service is at fault, not when the time of a client is over',
  async (t) => {
    const lines: { level: number; msg: string; err?: unknown }[] = [];
    const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
    const loggerInstance: FastifyBaseLogger = createLogger({ level: 'info', processName: 'test' }, stream);
    const app = Fastify({ loggerInstance });
    answerWithProblems(app);
    const kinds: ErrorKind[] = ['timedOut', 'unavailable', 'internal'];
    for (const kind of kinds) {
      app.get(`/${kind}`, async () => {
        throw new AppError({ id: `test.${kind}`, kind, message: `It failed: ${kind}` });
      });
    }
    for (const kind of kinds) await app.inject(`/${kind}`);
    const told = lines.filter(({ msg }) => msg.startsWith('It failed'));
    t.match(told, [{ level: 30 }, { level: 40, err: Object }, { level: 50, err: Object }]);
    t.notOk(told[0]?.err, 'without a stack');
  },
);

t.test('a probe that succeeds is no line at info, and one that fails is', async (t) => {
  for (const [level, expected] of [
    ['info', ['GET /fails', 'GET /page']],
    ['debug', ['GET /fails', 'GET /page', 'GET /works']],
  ] as const) {
    const routes: string[] = [];
    const stream = { write: (line: string) => routes.push(JSON.parse(line).route) };
    const app = Fastify();
    logRequests(app, createLogger({ level, processName: 'test' }, stream));
    app.get('/works', { config: { probe: true } }, () => ({}));
    app.get('/fails', { config: { probe: true } }, (_request, reply) => reply.code(503).send({}));
    app.get('/page', () => ({}));
    for (const url of ['/works', '/fails', '/page']) await app.inject(url);
    t.same(routes.sort(), expected, level);
    await app.close();
  }
});
