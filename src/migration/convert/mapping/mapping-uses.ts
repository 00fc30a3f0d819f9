import type { SourceRecord } from '../reading/source-record.js';
import type { MappingAttribute } from './mapping-attribute.js';
import { RecordReader } from './record-reader.js';
import type { SourcePath } from './source-path.js';

/** Finds the paths of a mapping that no record has. Of paths that stand for each other, one is enough. */
export class MappingUses {
  /** Most mappings find every path in the first record, and then there is nothing to look for. */
  #unseen: (readonly SourcePath[])[];

  constructor(entries: readonly MappingAttribute[]) {
    this.#unseen = entries.flatMap(({ paths, when, verified }) => [
      ...(paths.length > 0 ? [paths] : []),
      ...when.map(({ path }) => [path]),
      ...(typeof verified === 'object' ? [[verified.path]] : []),
    ]);
  }

  /** Looks at a record before anything of it can be refused. */
  look(source: SourceRecord): void {
    if (this.#unseen.length === 0) return;
    const reader = new RecordReader(source);
    this.#unseen = this.#unseen.filter((paths) => !paths.some((path) => reader.has(path)));
  }

  /** The first paths, as the mapping has them. Each is named once. */
  unused(): SourcePath['given'][] {
    const byText = new Map(
      this.#unseen.flatMap(([first]) => (first ? [[JSON.stringify(first.given), first.given] as const] : [])),
    );
    return [...byText.values()];
  }
}
