import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { createGiveWay } from '#src/jobs/give-way.js';

/** A signal that the test sets. `readings` counts how often it was read. */
function fakeSignal() {
  const signal = { isLate: false, isAway: false, readings: 0 };
  return {
    signal,
    giveWay: createGiveWay({
      async isReported() {
        signal.readings++;
        if (signal.isAway) throw new Error('Redis is away');
        return signal.isLate;
      },
    }),
  };
}

/** Does work until the signal was read so often again. */
async function untilRead({ signal, giveWay }: ReturnType<typeof fakeSignal>, times: number): Promise<void> {
  const goal = signal.readings + times;
  while (signal.readings < goal) await giveWay.run(() => pause(1));
}

t.test('without late requests, all work begins at once', async (t) => {
  const { signal, giveWay } = fakeSignal();
  let begun = 0;
  const ends: (() => void)[] = [];
  const work = Array.from({ length: 5 }, () =>
    giveWay.run(() => new Promise<void>((end) => ends.push(() => end(void begun++)))),
  );
  t.equal(ends.length, 5);
  for (const end of ends) end();
  await Promise.all(work);
  t.equal(begun, 5);
  t.equal(signal.readings, 1);
});

t.test('while requests are late, one piece of work runs at a time, and rests follow', async (t) => {
  const late = fakeSignal();
  late.signal.isLate = true;
  await untilRead(late, 3);
  let running = 0;
  let most = 0;
  const ends: number[] = [];
  await Promise.all(
    Array.from({ length: 3 }, () =>
      late.giveWay.run(async () => {
        most = Math.max(most, ++running);
        await pause(30);
        running--;
        ends.push(performance.now());
      }),
    ),
  );
  t.equal(most, 1);
  // Each needs 30 ms, and its rest at least as long.
  t.ok((ends[2] as number) - (ends[0] as number) >= 110, 'there were rests');

  late.signal.isLate = false;
  await untilRead(late, 12);
  const pieces = [late.giveWay.run(() => pause(50)), late.giveWay.run(() => pause(50))];
  const begun = performance.now();
  await Promise.all(pieces);
  t.ok(performance.now() - begun < 95, 'afterwards, work runs side by side again');
});

t.test('work that fails rejects, and the next one runs', async (t) => {
  const late = fakeSignal();
  late.signal.isLate = true;
  await untilRead(late, 2);
  const failing = late.giveWay.run(async () => {
    throw new Error('it fails');
  });
  await t.rejects(failing, { message: 'it fails' });
  t.equal(await late.giveWay.run(async () => 'done'), 'done');
});

t.test('without Redis nothing rests', async (t) => {
  const late = fakeSignal();
  late.signal.isAway = true;
  await untilRead(late, 2);
  t.equal(await late.giveWay.run(async () => 'done'), 'done');
});
