import { type BulkOperation, userIdOf } from './bulk-operation.js';
import { referencesOf } from './references.js';

/** In which order operations run, and which cannot run because they wait for each other. */
export interface Schedule {
  /**
   * Indexes; an operation comes after those it refers to and after earlier ones on the same resource, otherwise the
   * order of the request stands. Where the two contradict each other, references win.
   */
  readonly order: readonly number[];
  /** Indexes of operations whose references lead back to themselves. */
  readonly circular: ReadonlySet<number>;
}

/** For each operation others, by index. */
type Edges = readonly Set<number>[];

/** Orders the operations so that forward references can be resolved (RFC 7644 section 3.7.2). */
export function scheduleOperations(operations: readonly BulkOperation[]): Schedule {
  const references = referenceEdges(operations);
  const circular = new Set([...operations.keys()].filter((index) => reached(references, index).has(index)));
  // Circular operations fail whatever comes before them; without them nothing leads back to itself.
  const needs = references.map((needed, index) => (circular.has(index) ? new Set<number>() : needed));
  keepOrderOfResources(operations, needs);

  const order = new Set<number>();
  const visit = (index: number): void => {
    if (order.has(index)) return;
    for (const needed of needs[index] ?? []) visit(needed);
    order.add(index);
  };
  for (const index of operations.keys()) visit(index);
  return { order: [...order], circular };
}

/** From each operation to those whose bulkId it names. */
function referenceEdges(operations: readonly BulkOperation[]): Edges {
  const indexOf = new Map<string, number>();
  for (const [index, { bulkId }] of operations.entries()) {
    if (bulkId !== undefined) indexOf.set(bulkId, index);
  }
  return operations.map(
    (operation) =>
      new Set(
        [...referencesOf(operation)]
          .map((bulkId) => indexOf.get(bulkId))
          .filter((index) => index !== undefined),
      ),
  );
}

/** Adds edges from each operation to the earlier ones on the same resource, but none that would close a loop. */
function keepOrderOfResources(operations: readonly BulkOperation[], needs: Edges): void {
  const neededBy = operations.map(() => new Set<number>());
  const add = (index: number, needed: number) => {
    needs[index]?.add(needed);
    neededBy[needed]?.add(index);
  };
  for (const [index, needed] of needs.entries()) for (const one of needed) add(index, one);

  const earlierOn = new Map<string, number[]>();
  for (const [index, { path }] of operations.entries()) {
    const id = userIdOf(path);
    if (id === undefined) continue;
    const earlier = earlierOn.get(id) ?? [];
    const waiting = reached(neededBy, index);
    for (const one of earlier) if (!waiting.has(one)) add(index, one);
    earlierOn.set(id, [...earlier, index]);
  }
}

/** All that the edges lead to from there; the start itself only when they lead back. */
function reached(edges: Edges, start: number): Set<number> {
  const found = new Set<number>();
  const left = [start];
  for (let index = left.pop(); index !== undefined; index = left.pop()) {
    for (const next of edges[index] ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      left.push(next);
    }
  }
  return found;
}
