import type { MappingCondition, MappingEntry } from '../mapping/mapping-schema.js';
import type { GivenPath } from '../mapping/source-path.js';
import { isMoment } from '../values/dates.js';
import { partlyKnownWords, wordsOfFlag } from './value-shapes.js';

/**
 * What a column says about an account. `active` and `inactive`: whether it may be used, or since when it may not. `inactiveUntil`: the end of
 * a ban. `inactiveFrom`: the end of the account.
 */
const stateTargets = ['active', 'inactive', 'inactiveUntil', 'inactiveFrom'] as const;
type StateTarget = (typeof stateTargets)[number];

/** A column that says something about an account. */
interface StateColumn {
  readonly target: StateTarget;
  /** The name, without letter case and separators. */
  readonly word: string;
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
  if (name === ofDirectory) return values.length > 0 && values.every((value) => /^\d{1,10}$/.test(value));
  if (target === 'inactiveUntil' || target === 'inactiveFrom')
    return values.length === 0 || areMoments(values);
  if (target === 'inactive') return wordsOfFlag(values, true) !== undefined || areMoments(values);
  // WordPress has 0 as the status of everybody.
  const isNumber = /stat(us|e)$/.test(name) && values.length > 0 && values.every((value) => value === '0');
  return !isNumber && wordsOf(target, values, name) !== undefined;
}

/** The flags of Active Directory, of which the second lowest bit is set for an account that is disabled. */
const ofDirectory = 'useraccountcontrol';
const disabledBit = 2;
/** Those of people whose accounts work, as administrators set them. */
const usualControls = ['512', '544', '66048', '66080', '262656', '328192', '590336', '4194816', '4260352'];

/** What the words of a column mean. Undefined if none is known. */
function wordsOf(
  target: StateTarget,
  values: readonly string[],
  name: string,
): { readonly values: Readonly<Record<string, string>>; readonly otherwise?: 'yes' | 'no' } | undefined {
  if (name === ofDirectory) {
    const isWorking = (value: string) => (Number(value) & disabledBit) === 0;
    const working = new Set([...usualControls, ...values.filter(isWorking)]);
    return { values: Object.fromEntries([...working].map((value) => [value, 'yes'])), otherwise: 'no' };
  }
  const known = wordsOfFlag(values, target === 'inactive');
  if (known !== undefined) return { values: known };
  return target === 'active' ? partlyKnownWords(values) : undefined;
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
    (one): MappingEntry => ({
      value: 'no',
      to: 'active',
      when: withEnd({ from: one.from, ...stops(one) }, endOf(one, columns)),
    }),
  );
  if (columns.length === 0) return [];
  if (deciding === undefined) return [...stopping, { value: 'yes', to: 'active' }];
  const { values = {}, otherwise } = wordsOf(deciding.target, deciding.values, deciding.word) ?? {};
  const isSaid = Object.keys(values).length > 0 || deciding.target === 'inactive';
  return [
    ...stopping,
    { from: deciding.from, to: 'active', ...(isSaid && { values }), ...(otherwise && { otherwise }) },
  ];
}

/** The column that says when something ends which this column says: `suspended_till` of `suspended_at`. */
function endOf({ target, word }: StateColumn, columns: readonly StateColumn[]): StateColumn | undefined {
  const [, stem] = (target === 'inactive' && /^(.+)(?:at|on|date|time)$/.exec(word)) || [];
  return stem === undefined
    ? undefined
    : columns.find((one) => one.target === 'inactiveUntil' && one.word.startsWith(stem));
}

/** A moment without an end lasts. With an end, the column of the end decides. */
function withEnd(
  condition: MappingCondition,
  end: StateColumn | undefined,
): MappingCondition | MappingCondition[] {
  return end === undefined ? condition : [condition, { from: end.from, is: [''] }];
}

/** Whether a column has words for the state. Otherwise it has moments. */
function isWord(target: StateTarget, values: readonly string[]): boolean {
  return target === 'active' || (target === 'inactive' && values.length > 0 && !areMoments(values));
}

/** When a column says that the account may not be used. */
function stops({ target, values, word: name }: StateColumn): Omit<MappingCondition, 'from'> {
  if (target === 'inactiveUntil') return { lasts: true };
  if (target === 'inactiveFrom') return { lasts: false };
  const known = isWord(target, values) ? wordsOf(target, values, name) : undefined;
  const words = known?.values;
  const meaning = (wanted: string) =>
    Object.entries(words ?? {}).flatMap(([word, said]) => (said === wanted ? [word] : []));
  const good = meaning('yes');
  if (known?.otherwise === 'yes') return { is: meaning('no') };
  if (target === 'active') return { isNot: ['', ...(good.length > 0 ? good : yes)] };
  const isPlain = good.every((word) => ['false', 'no', noMoment].includes(word.toLowerCase()));
  return words === undefined || isPlain ? {} : { isNot: ['', ...good] };
}

function areMoments(values: readonly string[]): boolean {
  const moments = values.filter((value) => value !== noMoment && !value.startsWith('0000-'));
  return moments.length > 0 && moments.every(isMoment);
}
