/** Values of one path of the input that reached nothing. */
export interface ConversionLoss {
  /** Such as `profile.badge` or `tags[]`. */
  readonly path: string;
  /** The records that have it. */
  readonly records: number;
  /** Where the first of them is. */
  readonly file: string;
  readonly line: number;
}

/** What a conversion leaves out. */
export interface Losses {
  /** Counts the paths of one record. */
  add(paths: Iterable<string>, place: { file: string; line: number }): void;
  /** All losses, the most frequent first. */
  list(): ConversionLoss[];
}

/** Above this number, further paths are counted together. Some systems use identifiers as names of members. */
const mostPaths = 1_000;
const mostPathCharacters = 200;

export function createLosses(): Losses {
  const found = new Map<string, { -readonly [Name in keyof ConversionLoss]: ConversionLoss[Name] }>();
  return {
    add(paths, { file, line }) {
      const counted = new Set<string>();
      for (const given of paths) {
        const short = given.slice(0, mostPathCharacters);
        const path = found.has(short) || found.size < mostPaths ? short : '(further paths)';
        const known = found.get(path);
        if (known === undefined) found.set(path, { path, records: 1, file, line });
        else if (!counted.has(path)) known.records++;
        counted.add(path);
      }
    },
    list: () => [...found.values()].sort((a, b) => b.records - a.records || (a.path < b.path ? -1 : 1)),
  };
}
