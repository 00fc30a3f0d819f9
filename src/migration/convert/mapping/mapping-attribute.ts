import { StartError } from '#src/platform/start-error.js';
import { FlagWords, isFlagTarget } from './flag-words.js';
import { type ListTarget, listTargets } from './list-targets.js';
import type { MappingCondition, MappingEntry } from './mapping-schema.js';
import type { ConditionWords, ReadCondition } from './record-reader.js';
import { type GivenPath, readPath, type SourcePath } from './source-path.js';
import { isExactTarget, isOfAddress, type Placement, placementOf, takesSeveral } from './targets.js';

/** An attribute of a mapping whose paths were read. */
export interface MappingAttribute {
  readonly to: string;
  /** A constant. The attribute then has no paths. */
  readonly value: string | undefined;
  /** The first path with a value counts. */
  readonly paths: readonly SourcePath[];
  readonly when: readonly ReadCondition[];
  readonly verified: boolean | ReadCondition | undefined;
  readonly separator: string | undefined;
  /** Finds the word that the mapping has for a value. */
  readonly values: { readonly get: (text: string) => string | undefined } | undefined;
  readonly otherwise: string | undefined;
  readonly type: string | undefined;
  readonly kind: TargetKind;
  /** Whether the target takes one value. */
  readonly isSingle: boolean;
  /** Whether the spaces at the ends of a value belong to it. */
  readonly isExact: boolean;
  readonly isConditional: boolean;
  /** Whether somebody asks later if the target has a value. */
  readonly isNoted: boolean;
}

/** What kind of place a target is. */
type TargetKind =
  | { readonly of: 'group' }
  | { readonly of: 'single'; readonly placement: Placement; readonly verified: Placement }
  | { readonly of: 'metadata'; readonly key: string }
  | { readonly of: 'address'; readonly part: string }
  | { readonly of: 'list'; readonly list: ListTarget };

/** The targets that know whether their value is verified. */
const verifiable = ['email', 'emails', 'phone', 'phoneNumbers'];

/**
 * Reads an attribute of a mapping.
 * @param fold turns a path into the letter case of the source
 * @throws StartError when its parts do not go together
 */
export function readAttribute(entry: MappingEntry, fold: (from: GivenPath) => GivenPath): MappingAttribute {
  const { from, or = [], value, to, separator, values, otherwise, when = [], type, verified } = entry;
  const isMetadata = to.startsWith('metadata:');
  const isSeveral = takesSeveral(to);
  const refuse = (message: string) => {
    throw new StartError(`--map: ${to} ${message}`);
  };
  if ((from === undefined) === (value === undefined)) refuse('needs either from or value');
  if (value !== undefined && (or.length > 0 || values || otherwise !== undefined || separator !== undefined))
    refuse('has a constant, so it has no or, values, otherwise and separator');
  if (separator !== undefined && !isSeveral) refuse('takes one value, so it has no separator');
  if (type !== undefined && (!(isSeveral || isOfAddress(to)) || to === 'group')) refuse('has no type');
  if (verified !== undefined && !verifiable.includes(to)) refuse('has no verified');
  const pathOf = (given: GivenPath) => readPath(fold(given));
  const conditionOf = (
    { from: place, is, isNot, lasts, separator: between }: MappingCondition,
    foldsCase: boolean,
  ): ReadCondition => ({
    path: pathOf(place),
    separator: between,
    is: wordsOf(is, { pathOf, foldsCase }),
    isNot: wordsOf(isNot, { pathOf, foldsCase }),
    lasts,
  });
  const conditions = Array.isArray(when) ? when : [when];
  return {
    to,
    value,
    paths: from === undefined ? [] : [from, ...or].map(pathOf),
    when: conditions.map((condition) => conditionOf(condition, isFlagTarget(to))),
    verified: typeof verified === 'object' ? conditionOf(verified, true) : verified,
    separator,
    values: wordsForValues(to, values),
    otherwise,
    type,
    kind: kindOfTarget(to),
    isSingle: !isSeveral && !isOfAddress(to) && !isMetadata,
    isExact: isExactTarget(to),
    isConditional: conditions.length > 0,
    isNoted: conditions.length > 0 || to === 'email' || to === 'phone',
  };
}

function wordsForValues(to: string, values: MappingEntry['values']): MappingAttribute['values'] {
  if (values === undefined) return undefined;
  return isFlagTarget(to) ? new FlagWords(values) : new Map(Object.entries(values));
}

function kindOfTarget(to: string): TargetKind {
  if (to.startsWith('metadata:')) return { of: 'metadata', key: to.slice('metadata:'.length) };
  if (isOfAddress(to)) return { of: 'address', part: to.slice('addresses.'.length) };
  const list = listTargets.find((one) => one === to);
  if (list !== undefined) return { of: 'list', list };
  if (to === 'group') return { of: 'group' };
  return { of: 'single', placement: placementOf(to), verified: placementOf(`${to}Verified`) };
}

function wordsOf(
  given: string | string[] | undefined,
  { pathOf, foldsCase }: { readonly pathOf: (given: GivenPath) => SourcePath; readonly foldsCase: boolean },
): ConditionWords | undefined {
  if (given === undefined) return undefined;
  const words = [given].flat();
  const isPath = (word: string) => word.length > 1 && word.startsWith('$');
  const plain = words.filter((word) => !isPath(word));
  return {
    words: new Set(foldsCase ? plain.map((word) => word.toLowerCase()) : plain),
    foldsCase,
    paths: words.filter(isPath).map((word) => pathOf(word.slice(1))),
  };
}
