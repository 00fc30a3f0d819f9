import type { AggregateType, Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { type Happening, newEvents, type Versioned } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { compareAndSwap } from './compare-and-swap.js';
import type { LineKind } from './lines.js';

/** An object of an organization, and the editor that changes it. */
export interface Target {
  readonly orgId: string;
  readonly id: string;
  readonly editor: Editor;
}

/** The next state of an object, and the events of the change. */
export interface Step<T> {
  readonly next: T;
  /** Each event increments the version. Without events, nothing is written. */
  readonly happened: readonly Happening[];
  /** Makes further writes in the same transaction, after the object. The transaction may run it more than once. */
  readonly alongside?: (transaction: Transaction) => Promise<void>;
}

/** How to read and write the objects of one kind. */
export interface AggregateAccess<T> {
  readonly aggregate: AggregateType & LineKind;
  /** The line of the changes, if it is not that of the aggregate. */
  readonly line?: LineKind;
  readonly notFound: ErrorDefinition;
  find(orgId: string, id: string): Promise<T | undefined>;
  /** Writes the object if its version is `expectedVersion`. Returns whether it wrote the object. */
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
 * @param request its `step` is pure. If another caller changes the object meanwhile, `step` runs again with the newer
 * state.
 * @returns the object after the step
 * @throws AppError `directory.changing`, and the errors of `access`
 */
export function writeStep<T extends Versioned>(
  { mongo, events, clock }: WriteStepDeps,
  access: AggregateAccess<T>,
  { orgId, id, editor, step }: Target & { readonly step: (current: T) => Step<T> },
): Promise<T> {
  return compareAndSwap([access.line ?? access.aggregate, id, editor.userId], async () => {
    const current = await access.find(orgId, id);
    if (current === undefined) throw new AppError(access.notFound);
    const { next, happened, alongside } = step(current);
    if (happened.length === 0) return current;
    const changed = { ...next, version: current.version + happened.length, lastModified: clock.now() };
    return mongo
      .transactionOf(orgId, async (transaction) => {
        if (!(await access.replace(changed, current.version, transaction))) return undefined;
        await alongside?.(transaction);
        await events.append(newEvents(access.aggregate, changed, { happened, editor }), transaction);
        return changed;
      })
      .catch(access.failed);
  });
}
