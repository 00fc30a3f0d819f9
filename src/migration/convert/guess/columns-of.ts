import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { cellText } from '../csv/cell-text.js';

/** A column of a table, or a value of JSON records that has a path. */
export interface Column {
  /** The steps to the value. A column of a table has one. A step into the items of a list is `[]`. */
  readonly path: readonly string[];
  /** The first values that say something, as texts. */
  readonly values: readonly string[];
  /** Whether a record has several texts there, as a list. */
  readonly isList: boolean;
}

const mostColumns = 1_000;
const mostRecords = 100;
const longestValue = 2_000;
const deepest = 4;
const mostItems = 10;

/**
 * Returns the columns of the first 100 records, in the order in which they come. At most 1,000 columns are told apart.
 */
export function columnsOf(records: readonly JsonObject[]): Column[] {
  const columns = new Map<string, { path: readonly string[]; values: string[]; isList: boolean }>();
  for (const record of records.slice(0, mostRecords)) collect(record, [], columns);
  return [...columns.values()];
}

function collect(
  value: unknown,
  path: readonly string[],
  columns: Map<string, Column & { values: string[] }>,
): void {
  if (isJsonObject(value)) {
    if (path.length === deepest) return;
    for (const name of Object.keys(value).slice(0, mostColumns))
      collect(value[name], [...path, name], columns);
    return;
  }
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    for (const item of value.slice(0, mostItems))
      if (isJsonObject(item)) collect(item, [...path, '[]'], columns);
    return;
  }
  const key = path.join('\0');
  const known = columns.get(key) ?? { path, values: [], isList: false };
  if (columns.size >= mostColumns && !columns.has(key)) return;
  const texts = (Array.isArray(value) ? value.slice(0, mostRecords) : [value])
    .filter((item) => item !== null && item !== undefined)
    .map((item) => cellText(String(item).trim().slice(0, longestValue)))
    .filter((text) => text !== '');
  columns.set(key, {
    path,
    values: [...known.values, ...texts].slice(0, mostRecords),
    isList: known.isList || Array.isArray(value),
  });
}

/** The name of a column in a table, or the path of a value in JSON records. */
export function columnName({ path }: Pick<Column, 'path'>): string {
  return path.join('.').replaceAll('.[]', '[]');
}

/** The path as a mapping has it: as parts if a name has a dot. A name of one column stands for itself. */
export function mappedPath(path: readonly string[]): string | string[] {
  const [name = ''] = path;
  if (path.length === 1) return name;
  const isClear = path.every((step) => step === '[]' || !/[.[\]]/.test(step));
  return isClear || path.includes('[]') ? columnName({ path }) : [...path];
}
