import t from 'tap';
import { createSingleFlight } from '#src/platform/work/single-flight.js';

t.test('callers of one key share the work, and those of others do not', async (t) => {
  const run = createSingleFlight<string, number>();
  let begun = 0;
  const work = async () => ++begun;
  t.same(await Promise.all([run('a', work), run('b', work), run('a', work)]), [1, 2, 1]);
  t.equal(await run('a', work), 3, 'after the end the work runs again');
});

t.test('all callers get the error, and the next one begins anew', async (t) => {
  const run = createSingleFlight<string, string>();
  const fails = () => Promise.reject(new Error('away'));
  const other = run('a', fails);
  await t.rejects(
    run('a', async () => 'unused'),
    { message: 'away' },
  );
  await t.rejects(other, { message: 'away' });
  t.equal(await run('a', async () => 'back'), 'back');
});
