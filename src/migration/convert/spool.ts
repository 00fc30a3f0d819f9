import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Records on disk in numbered parts, each small enough to be held. A field of a record has no tab and no line feed. */
export interface Spool {
  add(part: number, fields: readonly (string | number)[]): void;
  /** The records of a part in the order in which they were added. They are gone afterwards. */
  take(part: number): string[][];
}

/** Characters of a part that wait to be written together. */
const blockLength = 32 * 1024;

/** @param folder where its files go, one for each part that has grown beyond a block */
export function createSpool(folder: string, name: string): Spool {
  const waiting: string[] = [];
  const onDisk = new Set<number>();
  const pathOf = (part: number) => join(folder, `${name}-${part}`);

  return {
    add(part, fields) {
      const block = `${waiting[part] ?? ''}${fields.join('\t')}\n`;
      if (block.length < blockLength) {
        waiting[part] = block;
        return;
      }
      appendFileSync(pathOf(part), block, { mode: 0o600 });
      onDisk.add(part);
      waiting[part] = '';
    },
    take(part) {
      let text = waiting[part] ?? '';
      waiting[part] = '';
      if (onDisk.delete(part)) {
        text = readFileSync(pathOf(part), 'utf8') + text;
        rmSync(pathOf(part));
      }
      return text
        .split('\n')
        .slice(0, -1)
        .map((record) => record.split('\t'));
    },
  };
}

/** The part of a key: equal keys are in the same one (FNV-1a, 32 bits). */
export function partOf(key: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % parts;
}
