import { StartError } from '#src/platform/start-error.js';
import { acceptedPathPattern } from './mapping-schema.js';

/** The losses that a mapping accepts. */
export interface AcceptedLosses {
  accepts(path: string): boolean;
  /** The paths of the mapping that have accepted nothing. */
  unused(): string[];
}

/** A step of a path with at most one `*`: the texts around it. Without `after`, it has none, and stands for one step alone. */
interface Step {
  readonly before: string;
  readonly after: string | undefined;
}

const anyText = '*';
/** Each new path of an input is compared with all of them. Paths without a `*` are found by one look-up. */
const mostPatterns = 100;

/**
 * A path of the list accepts the loss with the same path. A `*` in it stands for any text within one step: steps end at dots.
 * @param options `foldsNames` if the letter case of a path means nothing
 * @throws StartError when too many paths have a `*`
 */
export function acceptLosses(
  paths: readonly string[],
  { foldsNames = false }: { foldsNames?: boolean } = {},
): AcceptedLosses {
  const folded = (path: string) => (foldsNames ? path.toLowerCase() : path);
  const exact = new Map(paths.map((given) => [folded(given), given]));
  const patterns = paths
    .filter((given) => given.includes(anyText))
    .map((given) => ({ given, steps: folded(given).split('.').map(toStep) }));
  if (patterns.length > mostPatterns) {
    throw new StartError(`--map: at most ${mostPatterns} paths of acceptedLosses may have a *`);
  }
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

function toStep(text: string): Step {
  const [before = '', after] = text.split(anyText);
  return { before, after };
}

function isAlike(pattern: readonly Step[], steps: readonly string[]): boolean {
  return pattern.length === steps.length && pattern.every((step, place) => covers(step, steps[place] ?? ''));
}

function covers({ before, after }: Step, step: string): boolean {
  if (after === undefined) return before === step;
  return step.length >= before.length + after.length && step.startsWith(before) && step.endsWith(after);
}
