import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { compareAndSwap, orTryAgain } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type Features, featuresKey } from './features.js';
import type { FeaturesStore } from './features.store.js';

interface ChangeFeaturesDeps {
  readonly mongo: Mongo;
  readonly features: FeaturesStore;
  readonly events: EventsStore;
  readonly caches: { readonly features: Cache<unknown> };
  readonly clock: Clock;
}

/**
 * Turns features of the instance on or off and records `features.changed`. An absent feature stays as it is.
 * @throws AppError `directory.changing`
 */
export async function changeFeatures(
  deps: ChangeFeaturesDeps,
  change: Partial<Features>,
  editor: Editor,
): Promise<Features> {
  const changed = await compareAndSwap(['instance', featuresKey, editor.userId], () =>
    replaceFeatures(deps, change, editor),
  );
  await deps.caches.features.invalidate(featuresKey);
  return changed;
}

async function replaceFeatures(
  { mongo, features, events, clock }: ChangeFeaturesDeps,
  change: Partial<Features>,
  editor: Editor,
): Promise<Features | undefined> {
  const { version, ...current } = await features.get();
  const next = { ...current, ...change };
  if (next.tokenExchange === current.tokenExchange) return current;
  return mongo
    .transaction(async (transaction) => {
      if (!(await features.replace(next, version, transaction))) return undefined;
      const event = newEvent('features.changed', {
        aggregate: 'instance',
        id: featuresKey,
        editor,
        sequence: version + 1,
        date: clock.now(),
        payload: change,
      });
      await events.append([event], transaction);
      return next;
    })
    .catch(orTryAgain);
}
