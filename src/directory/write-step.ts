import type { AggregateType, Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { type Happening, newEvents, type Versioned } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { compareAndSwap } from './compare-and-swap.js';

/** An object of an organization, and who changes it. */
export interface Target {
  readonly orgId: string;
  readonly id: string;
  readonly editor: Editor;
}

/** What becomes of an object, and what happened to it. */
export interface Step<T> {
  readonly next: T;
  /** Each counts the version up by one. Without any, nothing is written. */
  readonly happened: readonly Happening[];
  /** Writes more in the same transaction, after the object. May run more than once. */
  readonly alongside?: (transaction: Transaction) => Promise<void>;
}

/** How the objects of one kind are kept. */
export interface Kept<T> {
  readonly aggregate: AggregateType;
  readonly notFound: ErrorDefinition;
  find(orgId: string, id: string): Promise<T | undefined>;
  /** Writes the object where its version is still `expectedVersion`; whether it was. */
  replace(changed: T, expectedVersion: number, transaction: Transaction): Promise<boolean>;
  /** Translates an error of the transaction, or returns undefined to compute the step again. */
  failed(error: unknown): undefined;
}

export interface WriteStepDeps {
  readonly mongo: Mongo;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/**
 * Writes one step of an object with its events, as one compare-and-swap on the version.
 * @param request its `step` is pure: it may be called again with a newer state when another caller changed the object
 * in between
 * @returns the object after the step
 * @throws AppError `directory.changing`, and the errors of `kept`
 */
export function writeStep<T extends Versioned>(
  { mongo, events, clock }: WriteStepDeps,
  kept: Kept<T>,
  { orgId, id, editor, step }: Target & { readonly step: (current: T) => Step<T> },
): Promise<T> {
  return compareAndSwap(async () => {
    const current = await kept.find(orgId, id);
    if (current === undefined) throw new AppError(kept.notFound);
    const { next, happened, alongside } = step(current);
    if (happened.length === 0) return current;
    const changed = { ...next, version: current.version + happened.length, lastModified: clock.now() };
    return mongo
      .transaction(async (transaction) => {
        if (!(await kept.replace(changed, current.version, transaction))) return undefined;
        await alongside?.(transaction);
        await events.append(newEvents(kept.aggregate, changed, { happened, editor }), transaction);
        return changed;
      })
      .catch(kept.failed);
  });
}
