/** A value as an event has it. Lists are cut. */
type KeptValue = string | number | boolean | readonly string[];

/** What a property was and became. Absent: it had no value. */
export interface KeptChange {
  readonly from?: KeptValue;
  readonly to?: KeptValue;
}

/** The longest text of an event about a value, in characters. */
const longestText = 200;

/** The most items of a list in an event. */
const mostItems = 10;

/**
 * The part of a payload that says what properties were and became. Everybody who reads the log sees it, so the caller names the properties:
 * never one with a secret. Each value is bounded. A property that is an object is told by its own properties, such as `login.brandColor`.
 * Values of other forms are left out.
 */
export function keptChanges<T extends object>(
  before: T,
  after: T,
  names: readonly (keyof T & string)[],
): { readonly changes?: Readonly<Record<string, KeptChange>> } {
  const changes = names.flatMap((name) => changesOf(name, before[name], after[name]));
  return changes.length === 0 ? {} : { changes: Object.fromEntries(changes) };
}

function changesOf(name: string, before: unknown, after: unknown): [string, KeptChange][] {
  if (isPlain(before) || isPlain(after)) {
    const [from, to] = [before, after].map((value) => (isPlain(value) ? value : {})) as [Plain, Plain];
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => changeOf(`${name}.${key}`, from[key], to[key]));
  }
  return changeOf(name, before, after);
}

function changeOf(name: string, before: unknown, after: unknown): [string, KeptChange][] {
  const [from, to] = [keptValue(before), keptValue(after)];
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (from === undefined && to === undefined) return [];
  return [[name, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]];
}

type Plain = Readonly<Record<string, unknown>>;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function keptValue(value: unknown): KeptValue | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value);
  if (!Array.isArray(value)) return undefined;
  if (!value.every((item) => typeof item === 'string')) return undefined;
  const texts = value.slice(0, mostItems).map(cut);
  return value.length > mostItems ? [...texts, '…'] : texts;
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
