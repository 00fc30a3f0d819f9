import { pino } from 'pino';
import t from 'tap';
import type { Child } from '#src/cli/server/launch-process.js';
import { type Slot, supervise } from '#src/cli/server/supervise.js';
import { until } from '../../../dev/until.js';

/** A fake process that the test controls. */
interface Puppet extends Child {
  serve(): void;
  end(how: number | string): void;
  readonly told: string[];
}

/** Slots whose processes are puppets; `launched` has all of them in the order of their start. */
function stage(names: string[], { atOnce = true } = {}) {
  const launched: (Puppet & { readonly slot: string })[] = [];
  const state = { atOnce };
  const slots = names.map(
    (name): Slot => ({
      name,
      launch() {
        const puppet = { slot: name, ...makePuppet(launched.length + 1) };
        launched.push(puppet);
        if (state.atOnce) puppet.serve();
        return puppet;
      },
    }),
  );
  return { slots, launched, state };
}

function makePuppet(pid: number): Puppet {
  const told: string[] = [];
  let serve = () => {};
  let end: (how: number | string) => void = () => {};
  const ended = new Promise<number | string>((done) => {
    end = done;
  });
  const ready = new Promise<void>((done, failed) => {
    serve = done;
    void ended.then((how) => failed(new Error(`ended with ${how}`)));
  });
  ready.catch(() => undefined);
  return {
    pid,
    told,
    ready,
    ended,
    serve: () => serve(),
    end: (how) => end(how),
    close() {
      told.push('close');
      end(0);
    },
    kill() {
      told.push('kill');
      end('SIGKILL');
    },
  };
}

const logger = pino({ level: 'silent' });
const backoff = { firstMs: 1, greatestMs: 4, longLifeMs: 60_000 };
const options = { logger, backoff, readyMs: 60_000, closeMs: 60_000 };

t.test('each slot is filled, and filled again as often as its process ends', async (t) => {
  const { slots, launched } = stage(['api', 'worker']);
  const supervisor = await supervise(slots, options);
  t.same(
    launched.map(({ slot }) => slot),
    ['api', 'worker'],
  );
  for (let round = 1; round <= 12; round++) {
    launched.at(-1)?.end('SIGSEGV');
    await until(async () => launched.length === 2 + round);
  }
  t.same(new Set(launched.slice(1).map(({ slot }) => slot)), new Set(['worker']));
  t.equal(await supervisor.close(), true);
  t.same(launched[0]?.told, ['close']);
  t.same(launched.at(-1)?.told, ['close']);
});

t.test('a first process that ends before it serves ends the start, and the others', async (t) => {
  const { slots, launched } = stage(['api', 'worker'], { atOnce: false });
  const starting = supervise(slots, options);
  launched[0]?.serve();
  launched[1]?.end(1);
  await t.rejects(starting, { message: 'ended with 1' });
  t.same(launched[0]?.told, ['close']);
  t.equal(launched.length, 2);
});

t.test('a restart closes each process when its successor serves, one after another', async (t) => {
  const { slots, launched, state } = stage(['api 0', 'api 1']);
  const supervisor = await supervise(slots, options);
  state.atOnce = false;
  const restarted = supervisor.restart();
  t.equal(launched.length, 3);
  t.same(launched[0]?.told, [], 'the predecessor serves until then');
  launched[2]?.serve();
  await until(async () => launched.length === 4);
  t.same(launched[0]?.told, ['close']);
  t.same(launched[1]?.told, []);
  launched[3]?.serve();
  await restarted;
  t.same(
    launched.map(({ told }) => told.length),
    [1, 1, 0, 0],
  );
  t.equal(await supervisor.close(), true);
});

t.test('a successor that fails leaves all in place', async (t) => {
  const { slots, launched, state } = stage(['api 0', 'api 1']);
  const supervisor = await supervise(slots, options);
  state.atOnce = false;
  const restarted = supervisor.restart();
  launched[2]?.end(1);
  await restarted;
  t.equal(launched.length, 3);
  t.same(
    launched.map(({ told }) => told),
    [[], [], []],
  );

  state.atOnce = true;
  await supervisor.restart();
  t.same(
    launched.slice(0, 2).map(({ told }) => told),
    [['close'], ['close']],
    'the next restart does it',
  );
  await supervisor.close();
});

t.test('a process that crashes during a restart is replaced once', async (t) => {
  const { slots, launched, state } = stage(['api']);
  const supervisor = await supervise(slots, {
    ...options,
    backoff: { ...backoff, firstMs: 60_000, greatestMs: 60_000 },
  });
  state.atOnce = false;
  const restarted = supervisor.restart();
  launched[0]?.end('SIGKILL');
  launched[1]?.serve();
  await restarted;
  t.same(
    launched.map(({ told }) => told),
    [[], []],
  );
  await supervisor.close();
  t.same(launched[1]?.told, ['close']);
});

t.test('two calls for a restart at once are one after the other', async (t) => {
  const { slots, launched } = stage(['api']);
  const supervisor = await supervise(slots, options);
  await Promise.all([supervisor.restart(), supervisor.restart()]);
  t.equal(launched.length, 3);
  t.same(
    launched.map(({ told }) => told.length),
    [1, 1, 0],
  );
  await supervisor.close();
});

t.test('one that neither serves nor closes is killed', async (t) => {
  const { slots, launched, state } = stage(['api']);
  const supervisor = await supervise(slots, { ...options, readyMs: 5, closeMs: 5 });
  state.atOnce = false;
  await supervisor.restart();
  t.same(launched[1]?.told, ['kill'], 'never served');
  const deaf = launched[0] as Puppet;
  deaf.close = () => void deaf.told.push('close');
  t.equal(await supervisor.close(), false);
  t.same(deaf.told, ['close', 'kill']);
});

t.test('a closing supervisor starts no process', async (t) => {
  const { slots, launched } = stage(['api']);
  const supervisor = await supervise(slots, options);
  launched[0]?.end(1);
  await supervisor.close();
  await supervisor.restart();
  t.equal(launched.length, 1);
});
