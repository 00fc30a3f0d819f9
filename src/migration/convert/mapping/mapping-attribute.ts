import { StartError } from '#src/platform/start-error.js';
import type { MappingCondition, MappingEntry } from './mapping-schema.js';
import type { ReadCondition } from './record-reader.js';
import { type GivenPath, readPath, type SourcePath } from './source-path.js';
import { isOfAddress, takesSeveral } from './targets.js';

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
  readonly values: MappingEntry['values'];
  readonly otherwise: string | undefined;
  readonly type: string | undefined;
  /** Whether the target takes one value. */
  readonly isSingle: boolean;
  readonly isConditional: boolean;
}

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
  const conditionOf = ({ from: place, is, isNot }: MappingCondition): ReadCondition => ({
    path: pathOf(place),
    is: setOf(is),
    isNot: setOf(isNot),
  });
  const conditions = Array.isArray(when) ? when : [when];
  return {
    to,
    value,
    paths: from === undefined ? [] : [from, ...or].map(pathOf),
    when: conditions.map(conditionOf),
    verified: typeof verified === 'object' ? conditionOf(verified) : verified,
    separator,
    values,
    otherwise,
    type,
    isSingle: !isSeveral && !isOfAddress(to) && !isMetadata,
    isConditional: conditions.length > 0,
  };
}

function setOf(words: string | string[] | undefined): ReadonlySet<string> | undefined {
  return words === undefined ? undefined : new Set([words].flat());
}
