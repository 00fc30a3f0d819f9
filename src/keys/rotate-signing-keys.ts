import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { keyErrors } from './errors.js';
import type { Sealer } from './sealer.js';
import {
  newSigningKey,
  type SigningAlgorithm,
  type SigningKeyState,
  type StoredSigningKey,
  signingAlgorithms,
  spreadMs,
} from './signing-key.js';
import type { SigningKeys } from './signing-keys.js';
import type { SigningKeysStore } from './signing-keys.store.js';
import type { ThreadPool } from './thread-pool.js';

export interface RotateSigningKeysDeps {
  readonly mongo: Mongo;
  readonly store: SigningKeysStore;
  readonly signingKeys: SigningKeys;
  readonly events: EventsStore;
  readonly sealer: Sealer;
  readonly threads: ThreadPool;
  readonly clock: Clock;
  /** The longest life of a signed token, in seconds. */
  readonly tokenSeconds: number;
}

/**
 * Makes the next key of each of these algorithms active, and publishes a new next key of each. The retired keys verify until their
 * last token has expired. All turn, or none. Recorded as one event `signing.key.rotated` for each algorithm.
 * @param algorithms by default, every algorithm
 * @param force rotates even if clients may not know the next key yet, for a key that leaked
 * @throws AppError `keys.nextKeyTooFresh`, `keys.rotating`
 */
export async function rotateSigningKeys(
  deps: RotateSigningKeysDeps,
  {
    editor,
    force = false,
    algorithms = signingAlgorithms,
  }: { editor: Editor; force?: boolean; algorithms?: readonly SigningAlgorithm[] },
): Promise<void> {
  const { mongo, store, signingKeys, events, sealer, threads, clock } = deps;
  await signingKeys.complete();
  const now = clock.now();
  const turning = readTurns(await store.all(), algorithms);
  const waitMs = Math.max(...turning.map(({ next }) => next.created.getTime())) + spreadMs - now.getTime();
  if (!force && waitMs > 0) {
    throw new AppError(keyErrors.nextKeyTooFresh, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }
  const expires = new Date(now.getTime() + deps.tokenSeconds * 1000 + spreadMs);
  const turns = await Promise.all(
    turning.map(async ({ active, next }) => ({
      retire: active.kid,
      expires,
      activate: next.kid,
      at: now,
      next: await newSigningKey({ sealer, threads, algorithm: next.alg }, 'next', now),
    })),
  );
  const rotated = turns.map(({ retire, activate, next }) =>
    newEvent('signing.key.rotated', {
      aggregate: 'instance',
      id: activate,
      editor,
      sequence: 1,
      date: now,
      payload: { alg: next.alg, retired: retire, next: next.kid },
    }),
  );
  await mongo.transaction(async (transaction) => {
    for (const turn of turns) {
      if (!(await store.turn(turn, transaction))) throw new AppError(keyErrors.rotating);
    }
    await events.append(rotated, transaction);
  });
  await signingKeys.changed();
}

/** The active and the next key of each algorithm. @throws AppError `keys.rotating` */
function readTurns(keys: readonly StoredSigningKey[], algorithms: readonly SigningAlgorithm[]) {
  return algorithms.map((alg) => {
    const find = (wanted: SigningKeyState) => keys.find((key) => key.alg === alg && key.state === wanted);
    const [active, next] = [find('active'), find('next')];
    // Another process is adding or rotating them.
    if (active === undefined || next === undefined) throw new AppError(keyErrors.rotating);
    return { active, next };
  });
}
