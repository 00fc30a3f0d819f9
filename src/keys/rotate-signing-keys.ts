import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { keyErrors } from './errors.js';
import { publicationsOf, publishedFrom } from './known-algorithms.js';
import { missingKeys } from './missing-keys.js';
import { readStored } from './read-signing-keys.js';
import type { Sealer } from './sealer.js';
import type { SigningAlgorithmsStore } from './signing-algorithms.store.js';
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
import type { SpareKeyPairs } from './spare-key-pairs.js';
import type { ThreadPool } from './thread-pool.js';

export interface RotateSigningKeysDeps {
  readonly mongo: Mongo;
  readonly store: SigningKeysStore;
  readonly algorithms: SigningAlgorithmsStore;
  readonly signingKeys: SigningKeys;
  readonly events: EventsStore;
  readonly sealer: Sealer;
  readonly threads: ThreadPool;
  readonly pairs: SpareKeyPairs;
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
  const { mongo, store, signingKeys, events, sealer, threads, pairs, clock } = deps;
  const now = clock.now();
  const { turning, publications } = await readTurning(deps, algorithms);
  // What is withheld signs nothing, so nobody has to know it.
  const published = turning.map(({ next }) => publishedFrom(next, publications)?.getTime() ?? 0);
  const waitMs = Math.max(...published) + spreadMs - now.getTime();
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
      next: await newSigningKey({ sealer, threads, pairs, algorithm: next.alg }, 'next', now),
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
    if (!(await store.turn(turns, transaction))) throw new AppError(keyErrors.rotating);
    await events.append(rotated, transaction);
  });
  await signingKeys.changed();
}

/** Reads what turns. If keys are missing, they are made first. @throws AppError `keys.rotating` */
async function readTurning(deps: RotateSigningKeysDeps, algorithms: readonly SigningAlgorithm[]) {
  let stored = await readStored(deps);
  if (missingKeys(stored.keys).length > 0) {
    await deps.signingKeys.complete();
    stored = await readStored(deps);
  }
  return {
    turning: turnsIn(stored.keys, algorithms),
    publications: publicationsOf(stored.records, stored.keys),
  };
}

/** The active and the next key of each algorithm. @throws AppError `keys.rotating` */
function turnsIn(keys: readonly StoredSigningKey[], algorithms: readonly SigningAlgorithm[]) {
  return algorithms.map((alg) => {
    const find = (wanted: SigningKeyState) => keys.find((key) => key.alg === alg && key.state === wanted);
    const [active, next] = [find('active'), find('next')];
    // Another process is adding or rotating them.
    if (active === undefined || next === undefined) throw new AppError(keyErrors.rotating);
    return { active, next };
  });
}
