import { acceptedPathPattern } from './mapping-schema.js';

/** The losses that a mapping accepts. */
export interface AcceptedLosses {
  accepts(path: string): boolean;
  /** The paths of the mapping that have accepted nothing. */
  unused(): string[];
}

interface AcceptedPath {
  readonly given: string;
  readonly steps: readonly string[];
}

const anyText = '*';

/**
 * A path of the list accepts the loss with the same path. A `*` in it stands for any text within one step: steps end at dots.
 * @param options `foldsNames` if the letter case of a path means nothing
 */
export function acceptLosses(
  paths: readonly string[],
  { foldsNames = false }: { foldsNames?: boolean } = {},
): AcceptedLosses {
  const folded = (path: string) => (foldsNames ? path.toLowerCase() : path);
  const exact = new Map(paths.map((given) => [folded(given), given]));
  const patterns: AcceptedPath[] = paths
    .filter((given) => given.includes(anyText))
    .map((given) => ({ given, steps: folded(given).split('.') }));
  const used = new Set<string>();

  return {
    accepts(path) {
      const name = folded(path);
      const steps = name.split('.');
      const given = exact.get(name) ?? patterns.find((pattern) => isAlike(pattern.steps, steps))?.given;
      if (given === undefined) return false;
      used.add(given);
      return true;
    },
    unused: () => paths.filter((path) => !used.has(path)),
  };
}

const acceptable = new RegExp(acceptedPathPattern, 'u');

/** Whether a mapping can accept the loss of this path and of no other. */
export function isAcceptable(path: string): boolean {
  return acceptable.test(path) && !path.includes(anyText);
}

function isAlike(pattern: readonly string[], steps: readonly string[]): boolean {
  return pattern.length === steps.length && pattern.every((step, place) => covers(step, steps[place] ?? ''));
}

/** Whether a step of a pattern, with at most one `*`, stands for a step of a path. */
function covers(pattern: string, step: string): boolean {
  const at = pattern.indexOf(anyText);
  if (at < 0) return pattern === step;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + anyText.length)];
  return step.length >= before.length + after.length && step.startsWith(before) && step.endsWith(after);
}
