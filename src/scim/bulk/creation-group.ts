import { isJsonObject } from '#src/platform/json/json-object.js';
import { RefusedByServer } from '#src/platform/unavailable.js';
import { createKeyedSemaphore, type KeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { resourceMembers } from '../resources/resource-members.js';
import { userSchema } from '../schema/user-attributes.js';
import { type BulkOperation, isUserCreation } from './bulk-operation.js';
import { referencesOf } from './references.js';

/** The number of creations that one transaction writes. It is smaller with passwords, because hashing them takes long. */
const groupSize = 100;
const groupSizeWithPasswords = 20;

/**
 * The length of the first group in `left` that one transaction can hold: neighbouring creations that do not refer to each
 * other. At least 1.
 */
export function creationGroupLength(
  operations: readonly BulkOperation[],
  left: readonly number[],
  circular: ReadonlySet<number>,
): number {
  const inGroup = new Set<string>();
  let withPasswords = 0;
  let length = 0;
  for (const index of left) {
    const operation = operations[index] as BulkOperation;
    if (!isUserCreation(operation) || circular.has(index) || length === groupSize) break;
    if ([...referencesOf(operation)].some((bulkId) => inGroup.has(bulkId))) break;
    if (hasPassword(operation)) withPasswords++;
    if (withPasswords > groupSizeWithPasswords) break;
    if (operation.bulkId !== undefined) inGroup.add(operation.bulkId);
    length++;
  }
  return Math.max(length, 1);
}

function hasPassword({ data }: BulkOperation): boolean {
  return isJsonObject(data) && resourceMembers(data, userSchema).has('password');
}

/** Shorter than a worker has to end, and than a transaction tries: when MongoDB is away, groups that wait fail with those that run. */
const longestWaitMs = 15_000;

/** Lets the writes of jobs give way to requests. */
interface GivesWay {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** How many Bulks of one organization write at a time in a worker. The others wait in the worker. */
export interface BulkWrites {
  /** Groups of new users. */
  readonly groups: Pick<KeyedSemaphore, 'run'>;
  /** Every other operation, one of a Bulk at a time. */
  readonly others: Pick<KeyedSemaphore, 'run'>;
}

/**
 * Makes the shares of a worker. A transaction keeps a processor of the database busy, so that with more of them at once everybody waits
 * longer (docs/decisions/0050-two-groups-at-a-time.md). Two groups of 100 are as fast as eight. Work that waits for 15 seconds fails as if
 * MongoDB were away: the queue offers its Bulk again. While requests are late, all of them give way.
 */
export function createBulkWrites({ giveWay }: { readonly giveWay: GivesWay }): BulkWrites {
  const limits = {
    waiting: Number.POSITIVE_INFINITY,
    longestWaitMs,
    refuse: () => new RefusedByServer(new Error('Other writes of the organization take too long')),
  };
  const permits = () => {
    const { run } = createKeyedSemaphore({ ...limits, atOnce: 2 });
    const giving: KeyedSemaphore['run'] = (holder, work) => run(holder, () => giveWay.run(work));
    return { run: giving };
  };
  return { groups: permits(), others: permits() };
}
