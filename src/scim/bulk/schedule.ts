import type { BulkOperation } from './bulk-operation.js';
import { referencesOf } from './references.js';

/** In which order operations run, and which cannot run because they wait for each other. */
export interface Schedule {
  /** Indexes; an operation comes after those it refers to, otherwise the order of the request stands. */
  readonly order: readonly number[];
  /** Indexes of operations whose references lead back to themselves. */
  readonly circular: ReadonlySet<number>;
}

/** Orders the operations so that forward references can be resolved (RFC 7644 section 3.7.2). */
export function scheduleOperations(operations: readonly BulkOperation[]): Schedule {
  const indexOf = new Map<string, number>();
  for (const [index, { bulkId }] of operations.entries()) {
    if (bulkId !== undefined) indexOf.set(bulkId, index);
  }
  const needs = operations.map((operation) =>
    [...referencesOf(operation)].map((bulkId) => indexOf.get(bulkId)).filter((index) => index !== undefined),
  );
  const order: number[] = [];
  const done = new Set<number>();
  const circular = new Set<number>();
  const visiting: number[] = [];

  const visit = (index: number): void => {
    if (done.has(index)) return;
    const loopStart = visiting.indexOf(index);
    if (loopStart >= 0) {
      for (const member of visiting.slice(loopStart)) circular.add(member);
      return;
    }
    visiting.push(index);
    for (const needed of needs[index] ?? []) visit(needed);
    visiting.pop();
    done.add(index);
    order.push(index);
  };
  for (const index of operations.keys()) visit(index);
  return { order, circular };
}
