import { type BulkOperation, bulkTargetOf } from './bulk-operation.js';
import { referencesOf } from './references.js';

/** The order in which operations run, and the operations that cannot run because they wait for each other. */
interface Schedule {
  /**
   * Indexes. An operation comes after the operations that it refers to, and after earlier operations on the same resource.
   * If the two rules contradict each other, references win. Otherwise the order is that of the request.
   */
  readonly order: readonly number[];
  /** Indexes of operations whose references lead back to themselves. */
  readonly circular: ReadonlySet<number>;
}

/** For each operation the indexes of other operations. */
type Edges = readonly Set<number>[];

/** Orders the operations so that references to later operations can be resolved (RFC 7644 section 3.7.2). */
export function scheduleOperations(operations: readonly BulkOperation[]): Schedule {
  const references = referenceEdges(operations);
  const circular = new Set([...operations.keys()].filter((index) => reached(references, index).has(index)));
  // Circular operations fail in any order. Without their edges no edge leads back to its start.
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

/** Edges from each operation to the operations whose bulkId it names. */
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

/** Adds edges from each operation to the earlier ones on the same resource, except edges that would close a loop. */
function keepOrderOfResources(operations: readonly BulkOperation[], needs: Edges): void {
  const neededBy = operations.map(() => new Set<number>());
  const add = (index: number, needed: number) => {
    needs[index]?.add(needed);
    neededBy[needed]?.add(index);
  };
  for (const [index, needed] of needs.entries()) for (const one of needed) add(index, one);

  const earlierOn = new Map<string, number[]>();
  for (const [index, { path }] of operations.entries()) {
    const target = bulkTargetOf(path);
    if (target?.id === undefined) continue;
    const resource = `${target.type} ${target.id}`;
    const earlier = earlierOn.get(resource) ?? [];
    const waiting = reached(neededBy, index);
    for (const one of earlier) if (!waiting.has(one)) add(index, one);
    earlierOn.set(resource, [...earlier, index]);
  }
}

/** The operations that the edges lead to from the start. They include the start only if the edges lead back to it. */
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
