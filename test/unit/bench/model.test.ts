import { readFileSync } from 'node:fs';
import t from 'tap';
import { operationNames, readCosts, spenders } from '../../../bench/model/costs.js';
import { type Model, simulate } from '../../../bench/model/simulate.js';
import {
  largest,
  modelOf,
  peopleWeights,
  sizingOf,
  sizingTable,
  withSizing,
} from '../../../bench/model/sizing.js';

const one = { machine: 'm', servers: 1 };

/** A model of one place. */
const single = (changes: Partial<Model>): Model => ({
  machines: { m: 1 },
  places: { p: one },
  operations: [{ name: 'o', weight: 1, steps: [{ place: 'p', ms: 10 }] }],
  arrivals: { clients: 3 },
  seconds: 60,
  ...changes,
});

const near = (value: number, expected: number, part = 0.03) => Math.abs(value / expected - 1) < part;

t.test('clients keep the scarcest place busy, and get what it can do', async (t) => {
  const alone = simulate(single({}));
  t.ok(near(alone.perSecond, 100), `${alone.perSecond}`);
  t.ok(near(alone.busy['p'] ?? 0, 1));
  t.ok(near(alone.p95, 30), 'each waits for the two before it');
  const steps = [
    { place: 'p', ms: 10 },
    { place: 'q', ms: 2 },
  ];
  const places = { p: one, q: { machine: 'n', servers: 1 } };
  const two = simulate(
    single({ machines: { m: 1, n: 1 }, places, operations: [{ name: 'o', weight: 1, steps }] }),
  );
  t.ok(near(two.perSecond, 100), 'the other place works at the same time');
  t.ok(near(two.busy['q'] ?? 0, 0.2));
});

t.test('places that share cores get them in turn', async (t) => {
  const steps = ['p', 'q', 'r'].map((place) => ({ place, ms: 10 }));
  const places = { p: one, q: one, r: one };
  const operations = [{ name: 'o', weight: 1, steps }];
  const rateOf = (cores: number) =>
    simulate(single({ machines: { m: cores }, places, operations, arrivals: { clients: 8 } })).perSecond;
  t.ok(near(rateOf(1), 100 / 3), 'all of 30 ms by one core');
  t.ok(near(rateOf(2), 200 / 3, 0.05), 'by two');
  t.ok(near(rateOf(4), 100), 'by the places, of which each does one at a time');
});

t.test('operations come by their weights', async (t) => {
  const of = (name: string, weight: number, ms: number) => ({ name, weight, steps: [{ place: 'p', ms }] });
  const { perSecond } = simulate(single({ operations: [of('short', 3, 2), of('long', 1, 10)] }));
  t.ok(near(perSecond, 1_000 / 4, 0.05), 'four take 16 ms');
});

t.test('random arrivals wait as queueing theory says', async (t) => {
  const model = single({ arrivals: { perSecond: 50 }, seconds: 2_000 });
  const { perSecond, busy, p95 } = simulate(model);
  t.ok(near(perSecond, 50));
  t.ok(near(busy['p'] ?? 0, 0.5), 'the law of utilization');
  // M/D/1 at 0.5: the mean wait is half a service, and few wait for more than two.
  t.ok(p95 > 15 && p95 < 35, `${p95}`);
  t.same(simulate(model), { perSecond, busy, p95 }, 'always the same');
  const over = simulate(single({ arrivals: { perSecond: 200 }, seconds: 10 }));
  t.ok(near(over.perSecond, 100) && over.p95 > 1_000, 'a queue that only grows');
});

t.test('a place that the model lacks is an error', async (t) => {
  const operations = [{ name: 'o', weight: 1, steps: [{ place: 'x', ms: 1 }] }];
  t.throws(() => simulate(single({ operations })), /no place x/);
});

/** A millisecond of each, and 40 of hashes. */
const cost = { clients: 1, api: 1, hash: 0, worker: 1, gateway: 1, engine: 1, redis: 1 };
const costs = { 'sign-in': { ...cost, hash: 40 }, token: cost, get: cost, create: cost, bulk: cost };

t.test('the sizing follows from the costs', async (t) => {
  const demand = { people: 1_000_000, signInsPerSecond: 690, bulksPerMinute: 0 };
  const sizing = sizingOf({ costs }, demand, { document: 2_000, keys: 1_000 });
  t.match(sizing, {
    // 27.6 cores of hashes at 0.7, by 4 threads each. The loops need 1.15 more.
    apiProcesses: 10,
    apiCores: 41,
    workers: 2,
    shards: 1,
    redisMasters: 3,
    documentsGb: 2,
    keysGb: 1,
  });
  const large = { ...demand, people: 1_000_000_000, signInsPerSecond: 6_900 };
  t.match(sizingOf({ costs }, large, { document: 2_000, keys: 1_000 }), {
    apiProcesses: 99,
    shards: 21,
    redisMasters: 14,
  });
  const { perSecond, busy } = simulate(modelOf({ costs }, demand, sizing));
  t.ok(near(perSecond, 690, 0.05), 'the instance does what it is made for');
  t.ok(
    Object.values(busy).every((part) => part <= 0.75),
    JSON.stringify(busy),
  );
});

t.test('the guide for operators has the table of the measured costs', async (t) => {
  const measured = readCosts();
  for (const name of operationNames)
    for (const spender of spenders) t.ok(measured.costs[name][spender] >= 0, `${name} ${spender}`);
  const guide = readFileSync('docs/operations.md', 'utf8');
  const table = sizingTable(measured, peopleWeights());
  t.equal(withSizing(guide, table), guide);
  t.match(table.at(-1), ['100,000,000', '10,000', '1,000']);
  t.equal(largest.people, 100_000_000);
  t.throws(() => withSizing('# Nothing', []), /no heading/);
  const { simulated, byClock } = measured;
  t.ok(
    guide.includes(`${(simulated / byClock).toFixed(2)} times as many`),
    'it says how far the simulation is off',
  );
});
