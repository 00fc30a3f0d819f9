import type { Test } from 'tap';
import type { HttpAnswer } from '../../../dev/stage/http-client.js';
import type { Api, Stage } from '../../../dev/stage/stage.js';
import { until } from '../../../dev/until.js';
import { expectAppliedOnce, namesByStatus, sendBulk } from '../scim/bulk.js';

/** The longest time for a response or a recovery, in milliseconds. On a machine with free cores, both take seconds. */
export const soonMs = 60_000;

/** Asserts that each response is 503 with Retry-After, and came soon. */
export function expectUnavailableSoon(t: Test, answers: readonly HttpAnswer[]): void {
  for (const answer of answers) t.match(answer, { status: 503, headers: { 'retry-after': /^\d+$/ } });
  expectAnsweredSoon(t, answers);
}

/** Asserts that no response was slow, and reports the slowest. */
export function expectAnsweredSoon(t: Test, answers: readonly HttpAnswer[]): void {
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  t.ok(slowest < soonMs, `answered after at most ${Math.round(slowest)} ms`);
}

/**
 * Asserts that a process recovers soon: it is ready, and it answers a request as before the fault.
 * @param since the end of the fault, in `performance.now()`
 * @param isWell whether the request is answered as before
 */
export async function expectWellSoon(
  t: Test,
  { api, since, isWell }: { api: Api; since: number; isWell: () => Promise<boolean> },
): Promise<void> {
  await until(async () => (await api.call('GET /readyz')).status === 200 && (await isWell()), {
    within: soonMs,
  });
  const ms = performance.now() - since;
  t.ok(ms < soonMs, `well ${Math.round(ms)} ms after`);
}

interface Bulk {
  readonly Operations: readonly { readonly bulkId: string }[];
}

/**
 * Asserts that a Bulk of new users survived a fault in its middle. The response reports each operation once, as applied
 * or prevented, and that is true. After the client has sent the prevented operations again, all of them are applied
 * exactly once.
 * @param before the number of operations that were applied when the fault came
 */
export async function expectBulkOutlived(
  t: Test,
  { stage, api }: { stage: Stage; api: Api },
  { word, bulk, answer, before }: { word: string; bulk: Bulk; answer: HttpAnswer; before: number },
): Promise<void> {
  const all = bulk.Operations.map(({ bulkId }) => bulkId);
  const { 201: applied = [], 503: prevented = [], ...others } = namesByStatus(answer);
  t.comment(`answered after ${Math.round(answer.ms)} ms`);
  t.same(others, {});
  t.ok(before > 0 && before < all.length, `${before} of ${all.length} were applied when it came`);
  t.ok(applied.length >= before, `${applied.length} were applied in the end, ${prevented.length} prevented`);
  t.same([...applied, ...prevented].sort(), [...all].sort(), 'each operation is told once');
  await expectAppliedOnce(t, { stage, api, word, names: applied });

  // One applied operation is sent with the rest, because a client need not know which ones were applied.
  const again = [...prevented, ...applied.slice(0, 1)];
  const rest = bulk.Operations.filter(({ bulkId }) => again.includes(bulkId));
  const {
    201: late = [],
    409: known = [],
    ...neither
  } = namesByStatus(await sendBulk(stage, api, { ...bulk, Operations: rest }));
  t.same(neither, {});
  t.same(late.sort(), [...prevented].sort(), 'what was prevented is applied when it is sent again');
  t.same(known, applied.slice(0, 1), 'what was applied is not applied again');
  await expectAppliedOnce(t, { stage, api, word, names: all });
}
