import { mock } from 'node:test';
import { fastify } from 'fastify';
import t from 'tap';
import { holdResponses } from '#src/http/responses/hold-responses.js';

/** Moves the time of timers and of `performance.now()`. */
const past = { ms: 0 };
performance.now = () => past.ms;
mock.timers.enable({ apis: ['setInterval'] });
t.teardown(() => mock.timers.reset());
const pass = (seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    past.ms += 1_000;
    mock.timers.tick(1_000);
  }
};

t.test('closed connections are counted each, and logged once a minute', async (t) => {
  const logged: object[] = [];
  let counted = 0;
  const app = fastify();
  t.teardown(() => app.close());
  holdResponses(app, {
    // An address may hold a quarter of a quarter: 64 KiB.
    config: { responseMemoryMib: 1, bodyTimeoutSeconds: 60 },
    logger: { warn: (numbers: object) => logged.push(numbers) } as never,
    measures: {
      responseCutOff() {
        counted += 1;
      },
    },
  });
  app.get('/', async (_request, reply) => reply.type('text/plain').send('x'.repeat(200_000)));
  const refuse = async (times: number) => {
    for (let time = 0; time < times; time += 1) await app.inject('/').catch(() => undefined);
  };

  await refuse(3);
  pass(1);
  t.strictSame(logged, [{ full: 3, stalled: 0 }]);
  await refuse(2);
  pass(30);
  await refuse(4);
  pass(29);
  t.equal(logged.length, 1, 'a flood fills no log');
  pass(1);
  t.strictSame(logged[1], { full: 6, stalled: 0 }, 'and the next line has all of them');
  pass(120);
  t.equal(logged.length, 2, 'nothing is logged where nothing was closed');
  t.equal(counted, 9);
});
