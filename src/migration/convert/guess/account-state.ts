import type { MappingEntry } from '../mapping/mapping-schema.js';
import type { GivenPath } from '../mapping/source-path.js';
import { isMoment } from '../values/dates.js';
import { wordsOfFlag } from './value-shapes.js';

/**
 * What a column says about an account. `active` and `inactive`: whether it may be used, or since when it may not. `inactiveUntil`: the end of
 * a ban. `inactiveFrom`: the end of the account.
 */
const stateTargets = ['active', 'inactive', 'inactiveUntil', 'inactiveFrom'] as const;
type StateTarget = (typeof stateTargets)[number];

/** A column that says something about an account. */
interface StateColumn {
  readonly target: StateTarget;
  readonly from: GivenPath;
  readonly values: readonly string[];
}

/** The words of `active` that a mapping understands without `values`. */
const yes = ['true', 'yes', '1', 't', 'y'];
/** A moment that a database has where there is none. */
const noMoment = '0';

export function isOfState(target: string): target is StateTarget {
  return stateTargets.some((one) => one === target);
}

/** Whether the values of a column say what its name promises. @param name without letter case and separators */
export function saysState(target: StateTarget, values: readonly string[], name: string): boolean {
  if (target === 'inactiveUntil' || target === 'inactiveFrom')
    return values.length === 0 || areMoments(values);
  if (target === 'inactive') return wordsOfFlag(values, true) !== undefined || areMoments(values);
  // WordPress has 0 as the status of everybody.
  const isNumber = /stat(us|e)$/.test(name) && values.length > 0 && values.every((value) => value === '0');
  return !isNumber && wordsOfFlag(values) !== undefined;
}

/**
 * Makes one target of all columns that say something about an account: nobody becomes active whom one of them stops. The words of the best
 * column decide, and each other column stops the people for whom it holds.
 * @param columns the best first
 */
export function stateEntries(columns: readonly StateColumn[]): MappingEntry[] {
  const deciding = columns.find(({ target, values }) => isWord(target, values));
  const others = columns.filter((one) => one !== deciding);
  const stopping = others.map(
    (one): MappingEntry => ({ value: 'no', to: 'active', when: { from: one.from, ...stops(one) } }),
  );
  if (columns.length === 0) return [];
  if (deciding === undefined) return [...stopping, { value: 'yes', to: 'active' }];
  const words = wordsOfFlag(deciding.values, deciding.target === 'inactive') ?? {};
  const isSaid = Object.keys(words).length > 0 || deciding.target === 'inactive';
  return [...stopping, { from: deciding.from, to: 'active', ...(isSaid && { values: words }) }];
}

/** Whether a column has words for the state. Otherwise it has moments. */
function isWord(target: StateTarget, values: readonly string[]): boolean {
  return target === 'active' || (target === 'inactive' && values.length > 0 && !areMoments(values));
}

/** When a column says that the account may not be used. */
function stops({ target, values }: StateColumn): { lasts?: boolean; isNot?: string[] } {
  if (target === 'inactiveUntil') return { lasts: true };
  if (target === 'inactiveFrom') return { lasts: false };
  const words = isWord(target, values) ? wordsOfFlag(values, target === 'inactive') : undefined;
  const good = Object.entries(words ?? {}).flatMap(([word, meaning]) => (meaning === 'yes' ? [word] : []));
  if (target === 'active') return { isNot: ['', ...(good.length > 0 ? good : yes)] };
  const isPlain = good.every((word) => ['false', 'no', noMoment].includes(word.toLowerCase()));
  return words === undefined || isPlain ? {} : { isNot: ['', ...good] };
}

function areMoments(values: readonly string[]): boolean {
  const moments = values.filter((value) => value !== noMoment && !value.startsWith('0000-'));
  return moments.length > 0 && moments.every(isMoment);
}
