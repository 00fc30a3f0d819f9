import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Records on disk in numbered parts, each small enough to be held. A field of a record has no tab and no line feed. */
export interface Spool {
  add(part: number, fields: readonly (string | number)[]): void;
  /** The records of a part in the order in which they were added. They are gone afterwards. */
  take(part: number): string[][];
}

/** Characters of a part that wait to be written together. */
const blockLength = 16 * 1024;

interface Waiting {
  records: string[];
  length: number;
  isOnDisk: boolean;
}

/** @param folder where its files go, one for each part that has grown beyond a block */
export function createSpool(folder: string, name: string): Spool {
  const parts = new Map<number, Waiting>();
  const pathOf = (part: number) => join(folder, `${name}-${part}`);

  return {
    add(part, fields) {
      let waiting = parts.get(part);
      if (waiting === undefined) {
        waiting = { records: [], length: 0, isOnDisk: false };
        parts.set(part, waiting);
      }
      const record = fields.join('\t');
      waiting.length += record.length;
      waiting.records.push(record);
      if (waiting.length < blockLength) return;
      appendFileSync(pathOf(part), `${waiting.records.join('\n')}\n`, { mode: 0o600 });
      parts.set(part, { records: [], length: 0, isOnDisk: true });
    },
    take(part) {
      const { records = [], isOnDisk = false } = parts.get(part) ?? {};
      parts.delete(part);
      if (!isOnDisk) return records.map(fieldsOf);
      const written = readFileSync(pathOf(part), 'utf8');
      rmSync(pathOf(part));
      return [...written.split('\n').slice(0, -1), ...records].map(fieldsOf);
    },
  };
}

function fieldsOf(record: string): string[] {
  return record.split('\t');
}

/** The part of a key: equal keys are in the same one (FNV-1a, 32 bits). */
export function partOf(key: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % parts;
}
