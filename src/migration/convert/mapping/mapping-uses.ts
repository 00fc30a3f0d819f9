import type { SourceRecord } from '../reading/source-record.js';
import { pathsOfParts } from './hash-parts.js';
import type { Mapping } from './read-mapping.js';
import { RecordReader } from './record-reader.js';
import { readPath, type SourcePath } from './source-path.js';
import { type StatedAttribute, statedBy } from './stated.js';

/** Paths that stand for each other: one is enough. */
interface Use {
  readonly paths: readonly SourcePath[];
  /** The attribute that a source states which has one of the paths. */
  readonly states?: string | undefined;
  /** Whether the mapping names the paths. */
  readonly isNamed: boolean;
}

/** Finds the paths of a mapping that no record has, and the attributes that the source says of every person. */
export class MappingUses {
  /** Most mappings find every path in the first record, and then there is nothing to look for. */
  #unseen: Use[];
  readonly #stated = new Set<string>();

  /** @param states what the source says without a mapping */
  constructor({ entries, passwordHash }: Mapping, states: readonly StatedAttribute[] = []) {
    const named = (...paths: SourcePath[]): Use => ({ paths, isNamed: true });
    const uses = [
      ...entries.flatMap(({ paths, when, verified, to }) => [
        // A constant is as much of the source as its conditions.
        ...(paths.length > 0 ? [{ ...named(...paths), states: statedBy(to) }] : []),
        ...when.map(({ path }) => ({
          ...named(path),
          states: paths.length > 0 ? undefined : statedBy(to),
        })),
        ...(typeof verified === 'object' ? [named(verified.path)] : []),
      ]),
      ...pathsOfParts(passwordHash).map((path) => named(path)),
    ];
    for (const { path, place } of states) {
      if (place === undefined) this.#stated.add(path);
      else uses.push({ paths: [readPath([...place])], states: path, isNamed: false });
    }
    this.#unseen = uses;
  }

  /** Looks at a record before anything of it can be refused. */
  look(source: SourceRecord): void {
    if (this.#unseen.length === 0) return;
    const reader = new RecordReader(source);
    this.#unseen = this.#unseen.filter(({ paths, states }) => {
      if (!paths.some((path) => reader.has(path))) return true;
      if (states !== undefined) this.#stated.add(states);
      return false;
    });
  }

  /** The attributes that the source says of every person, by their paths in a record, as far as the records so far show. */
  stated(): string[] {
    return [...this.#stated];
  }

  /** The first paths, as the mapping has them. Each is named once. */
  unused(): SourcePath['given'][] {
    const firsts = this.#unseen.flatMap(({ paths: [first], isNamed }) =>
      first && isNamed ? [first.given] : [],
    );
    return [...new Map(firsts.map((given) => [JSON.stringify(given), given] as const)).values()];
  }
}
