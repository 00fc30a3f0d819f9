import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { keyErrors } from './errors.js';
import type { Sealer } from './sealer.js';
import { keySetSeconds, newSigningKey, type SigningAlgorithm, type StoredSigningKey } from './signing-key.js';
import { keyMemoryMs, type SigningKeys } from './signing-keys.js';
import type { SigningKeysStore } from './signing-keys.store.js';

export interface RotateSigningKeysDeps {
  readonly mongo: Mongo;
  readonly store: SigningKeysStore;
  readonly signingKeys: SigningKeys;
  readonly events: EventsStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly algorithm: SigningAlgorithm;
  /** The longest life of a signed token, in seconds. */
  readonly tokenSeconds: number;
}

/** For this time, clients and processes may not know a new key, or may still sign with the former one. */
export const spreadMs = keySetSeconds * 1000 + keyMemoryMs;

/**
 * Makes the next key active, and publishes a new next key. The retired key verifies until its last token has
 * expired. Recorded as `signing.key.rotated`.
 * @param force rotates even if clients may not know the next key yet, for a key that leaked
 * @throws AppError `keys.nextKeyTooFresh`, `keys.rotating`
 */
export async function rotateSigningKeys(
  deps: RotateSigningKeysDeps,
  { editor, force = false }: { editor: Editor; force?: boolean },
): Promise<void> {
  const { mongo, store, signingKeys, events, clock } = deps;
  await signingKeys.active();
  const now = clock.now();
  const { active, next } = await readTurn(deps);
  const waitMs = next.created.getTime() + spreadMs - now.getTime();
  if (!force && waitMs > 0) {
    throw new AppError(keyErrors.nextKeyTooFresh, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }
  const turn = {
    retire: active.kid,
    expires: new Date(now.getTime() + deps.tokenSeconds * 1000 + spreadMs),
    activate: next.kid,
    at: now,
    next: await newSigningKey(deps, 'next', now),
  };
  const event = newEvent('signing.key.rotated', {
    aggregate: 'instance',
    id: next.kid,
    editor,
    sequence: 1,
    date: now,
    payload: { retired: active.kid, next: turn.next.kid },
  });
  await mongo.transaction(async (transaction) => {
    if (!(await store.turn(turn, transaction))) throw new AppError(keyErrors.rotating);
    await events.append([event], transaction);
  });
  await signingKeys.changed();
}

async function readTurn(
  deps: RotateSigningKeysDeps,
): Promise<{ active: StoredSigningKey; next: StoredSigningKey }> {
  const keys = await deps.store.all();
  const active = keys.find(({ state }) => state === 'active');
  if (active === undefined) throw new AppError(keyErrors.rotating);
  const next = keys.find(({ state }) => state === 'next');
  if (next !== undefined) return { active, next };
  // Another process has just created the first two keys, or a process of a version without next keys created
  // the first.
  const added = await newSigningKey(deps, 'next', deps.clock.now());
  if (!(await deps.store.insert(added))) throw new AppError(keyErrors.rotating);
  return { active, next: added };
}
