import t from 'tap';
import { createStoreProbe } from '#src/http/limits/store-probe.js';

/** A database whose answers take the time that the test says, in milliseconds. */
function open() {
  const state = { now: 0, idle: 0, tookMs: 0.8, busyMs: 0, asked: 0, isAway: false };
  const probe = createStoreProbe(
    async () => {
      state.asked++;
      if (state.isAway) throw new Error('away');
      state.now += state.tookMs + state.busyMs;
      state.idle += state.tookMs;
    },
    { now: () => state.now, idle: () => state.idle },
  );
  return {
    state,
    probe,
    async learn(times: number) {
      for (let time = 0; time < times; time++) {
        probe.learn();
        await new Promise(setImmediate);
        state.now += 1_000;
      }
    },
  };
}

t.test('a database is slow when two of five answers take more than twice as long as usual', async (t) => {
  const { state, probe, learn } = open();
  await learn(20);
  t.equal(await probe.isSlow(), false);
  state.tookMs = 2.4;
  t.equal(await probe.isSlow(), false, 'a millisecond more than twice is needed');
  state.busyMs = 900;
  t.equal(await probe.isSlow(), false, 'time in which the process was busy does not count');
  state.tookMs = 4;
  const before = state.asked;
  t.equal(await probe.isSlow(), true);
  t.equal(state.asked, before + 2, 'no more is asked than is needed');
  state.tookMs = 0.8;
  t.equal(await probe.isSlow(), false);
});

t.test('nothing is slow before what is usual is known', async (t) => {
  const { state, probe, learn } = open();
  await learn(5);
  state.tookMs = 500;
  const before = state.asked;
  t.equal(await probe.isSlow(), false);
  t.equal(state.asked, before);
});

t.test('it learns once in a second, and judges once at a time', async (t) => {
  const { state, probe, learn } = open();
  for (let time = 0; time < 50; time++) probe.learn();
  await new Promise(setImmediate);
  t.equal(state.asked, 1);
  await learn(20);
  const before = state.asked;
  await Promise.all([probe.isSlow(), probe.isSlow(), probe.isSlow()]);
  t.equal(state.asked, before + 5);
});

t.test('a database that does not answer is not slow', async (t) => {
  const { state, probe, learn } = open();
  await learn(20);
  state.isAway = true;
  t.equal(await probe.isSlow(), false);
  probe.learn();
  await new Promise(setImmediate);
  state.isAway = false;
  state.tookMs = 9;
  t.equal(await probe.isSlow(), true, 'it asks again afterwards');
});
