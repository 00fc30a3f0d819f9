import { appendFileSync, closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packingOf } from '../text/unpacked.js';

/** Records on disk, in numbered partitions that fit into memory. A field of a record has no tab and no line feed. */
export interface Spool {
  add(partition: number, fields: readonly (string | number)[]): void;
  /** Removes and returns the records of a partition, in the order in which they were added. */
  take(partition: number): string[][];
}

/** The characters of a partition that are written at once. */
const blockLength = 16 * 1024;

interface Waiting {
  records: string[];
  length: number;
  isOnDisk: boolean;
}

/** @param folder gets one file for each partition that is longer than a block */
export function createSpool(folder: string, name: string): Spool {
  const partitions = new Map<number, Waiting>();
  const pathOf = (partition: number) => join(folder, `${name}-${partition}`);

  return {
    add(partition, fields) {
      let waiting = partitions.get(partition);
      if (waiting === undefined) {
        waiting = { records: [], length: 0, isOnDisk: false };
        partitions.set(partition, waiting);
      }
      const record = fields.join('\t');
      waiting.length += record.length;
      waiting.records.push(record);
      if (waiting.length < blockLength) return;
      appendFileSync(pathOf(partition), `${waiting.records.join('\n')}\n`, { mode: 0o600 });
      partitions.set(partition, { records: [], length: 0, isOnDisk: true });
    },
    take(partition) {
      const { records = [], isOnDisk = false } = partitions.get(partition) ?? {};
      partitions.delete(partition);
      if (!isOnDisk) return records.map(fieldsOf);
      const written = readFileSync(pathOf(partition), 'utf8');
      rmSync(pathOf(partition));
      return [...written.split('\n').slice(0, -1), ...records].map(fieldsOf);
    },
  };
}

function fieldsOf(record: string): string[] {
  return record.split('\t');
}

/** Returns the partition of a key. Equal keys are in the same partition (FNV-1a, 32 bits). */
export function partitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % partitions;
}

const mostPartitions = 1024;

/**
 * Returns the number of partitions for what these files have. The size of a pipe, an address or a compressed text is unknown, so it gets the
 * most.
 * @param partitionBytes bytes of input whose records are in memory at a time
 */
export function partitionsFor(paths: readonly string[], partitionBytes = 8 * 1024 * 1024): number {
  const found = paths.map((path) => statSync(path, { throwIfNoEntry: false }));
  if (found.some((stats) => !stats?.isFile()) || paths.some(isPacked)) return mostPartitions;
  const bytes = found.reduce((sum, stats) => sum + (stats?.size ?? 0), 0);
  return Math.min(mostPartitions, 1 + Math.floor(bytes / partitionBytes));
}

/** Whether a file is compressed. Who reads it reports that it cannot be read. */
function isPacked(path: string): boolean {
  const head = Buffer.alloc(4);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return packingOf(head) !== undefined;
}
