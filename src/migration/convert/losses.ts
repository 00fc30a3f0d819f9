import type { AcceptedLosses } from './mapping/accepted-losses.js';

/** Values of one path of the input that reached nothing. */
export interface ConversionLoss {
  /** Such as `profile.badge` or `tags[]`. */
  readonly path: string;
  /** The records that have it. */
  readonly records: number;
  /** Where the first of them is. */
  readonly file: string;
  readonly line: number;
  /** Whether the mapping accepts this loss. */
  readonly accepted: boolean;
}

/** What a conversion leaves out. */
export interface Losses {
  /** Counts the paths of one record. */
  add(paths: Iterable<string>, place: { file: string; line: number }): void;
  /** All losses: those of people first, and of them the most frequent. */
  list(): ConversionLoss[];
}

type CountedLoss = { -readonly [Name in keyof ConversionLoss]: ConversionLoss[Name] };

/** Above this number, further paths are counted together. Some systems use identifiers as names of members. */
const mostPaths = 1_000;
const mostPathCharacters = 200;

/** Stands for paths that are not told one by one. So nobody can accept their loss. */
export const furtherPaths = '(further paths)';
const furtherAcceptedPaths = '(further accepted paths)';

/** @param accepted what the mapping accepts. Absent if it accepts nothing */
export function createLosses(accepted?: AcceptedLosses): Losses {
  const ofKind = () => ({ count: 0, further: undefined as CountedLoss | undefined });
  const kinds = { accepted: ofKind(), others: ofKind() };
  const found = new Map<string, CountedLoss>();

  function lossOf(path: string, { file, line }: { file: string; line: number }): CountedLoss {
    const known = found.get(path);
    if (known !== undefined) return known;
    const isAccepted = accepted?.accepts(path) === true;
    const kind = isAccepted ? kinds.accepted : kinds.others;
    const loss = { path, records: 0, file, line, accepted: isAccepted };
    if (kind.count < mostPaths) {
      kind.count++;
      found.set(path, loss);
      return loss;
    }
    kind.further ??= { ...loss, path: isAccepted ? furtherAcceptedPaths : furtherPaths };
    return kind.further;
  }

  return {
    add(paths, place) {
      // Most records lose nothing.
      let counted: Set<CountedLoss> | undefined;
      for (const path of paths) {
        counted ??= new Set();
        const loss = lossOf(path.slice(0, mostPathCharacters), place);
        if (!counted.has(loss)) loss.records++;
        counted.add(loss);
      }
    },
    list() {
      const further = [kinds.accepted.further, kinds.others.further].filter((loss) => loss !== undefined);
      const losses = [...found.values(), ...further];
      return losses.sort(
        (a, b) =>
          Number(isBeside(a.path)) - Number(isBeside(b.path)) ||
          b.records - a.records ||
          (a.path < b.path ? -1 : 1),
      );
    },
  };
}

/** Whether a path is of what a file has beside its people: `(realm) clients`. */
export function isBeside(path: string): boolean {
  return /^\((realm|document)\) /.test(path);
}

/** The losses that the mapping does not accept. A strict conversion with one of them writes nothing. */
export function refusedLosses(losses: readonly ConversionLoss[]): ConversionLoss[] {
  return losses.filter(({ accepted }) => !accepted);
}
