import { isJsonObject } from '#src/platform/json/json-object.js';
import { createShares, type Shares } from '#src/platform/shares.js';
import { RefusedByServer } from '#src/platform/unavailable.js';
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
  return isJsonObject(data) && Object.keys(data).some((key) => key.toLowerCase() === 'password');
}

/**
 * Lets a worker write two groups of an organization at a time. More at once make no Bulk faster: they wait for each other in
 * MongoDB, and so does everybody else (bench/profiles.md). A group that waits for a minute fails as if MongoDB were away.
 */
export function createGroupShares(): Shares {
  const refuse = () => new RefusedByServer(new Error('The groups before it take too long'));
  return createShares({ atOnce: 2, waiting: Number.POSITIVE_INFINITY, longestWaitMs: 60_000, refuse });
}
