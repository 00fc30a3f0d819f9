import { pipeline } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { type InputSource, withInputText } from '../../text/input-text.js';
import { InputError } from '../reading/conversion-problems.js';
import { type Problems, refusal } from '../reading/problems.js';
import { Utf8Check } from '../reading/utf8-check.js';
import { cellText, isNoValue } from './cell-text.js';
import { lineEnds, type TableForm, tableForm } from './table-form.js';

export interface RowSource extends TableForm, InputSource {
  readonly problems: Problems;
  readonly signal?: AbortSignal | undefined;
}

/** A row as the parser gives it. */
interface ParsedRow {
  readonly record: readonly string[];
  readonly info: Info;
}

const maxColumns = 1_000;

/**
 * Visits the rows of a table in CSV (RFC 4180), with the line on which each ends, counted from 1. Cells are texts, whatever they look
 * like: nothing runs the formula of a cell. A row with other cells than the header is a problem of this row, and
 * one with empty cells alone is nothing. Holds one row.
 * @throws StartError when the file cannot be read or is not UTF-8. Also when quotation marks are out of place, or two columns have
 * one name.
 * @throws the reason of the signal when it aborts
 */
export async function eachRow(
  source: RowSource,
  visit: (row: JsonObject, line: number) => void,
): Promise<void> {
  const { path, problems, signal } = source;
  let names = source.columns;
  let makeRow = names && rowMaker(names);
  const noValues = { count: 0, line: 0 };
  const take = ({ record, info }: ParsedRow) => {
    if (names === undefined || makeRow === undefined) {
      names = requireHeader(record, source);
      makeRow = rowMaker(names);
      return;
    }
    // Excel writes empty rows and cells where it once had others.
    if (record.every((cell) => cell === '')) return;
    const width = names.length;
    const isTooWide = record.length > width && record.slice(width).some((cell) => cell !== '');
    if (source.columns === undefined && (record.length < width || isTooWide)) {
      const known = { id: 'cells', params: { count: record.length, expected: width } } as const;
      problems.add(refusal({ file: path, line: info.lines }, known));
      return;
    }
    if (record.some(isNoValue)) {
      if (noValues.count === 0) noValues.line = info.lines;
      noValues.count += record.filter(isNoValue).length;
    }
    visit(makeRow(record), info.lines);
  };
  try {
    await withInputText(source, async (text) => {
      const blocks = inUtf8(text.blocks(signal), path);
      const first = await blocks.next();
      const head = first.done ? Buffer.alloc(0) : first.value;
      const { delimiter, ownLine } = tableForm(head, source);
      const parser = parse({
        delimiter,
        from_line: ownLine ? 2 : 1,
        info: true,
        max_record_size: maxRecordBytes,
        // The lines of one file may end in different ways.
        record_delimiter: lineEnds,
        relax_column_count: true,
        // A table without a header comes from a program that does not double its quotation marks.
        relax_quotes: source.columns !== undefined,
        skip_empty_lines: true,
      });
      // The callback is required. The loop gets the same error.
      const rows: AsyncIterable<ParsedRow> = pipeline(following(head, blocks), parser, () => undefined);
      for await (const row of rows) take(row);
    });
    if (noValues.count > 0) {
      const message = `${noValues.count} cells say NULL or \\N, as databases write it. They count as empty`;
      problems.add({ severity: 'note', file: path, line: noValues.line, message });
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw readableError(error, path);
  }
}

/** The blocks of a text whose first one was read. Each comes when the next one is there, so that a fault of the file is told before one of a cell. */
async function* following(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let current = head;
  for await (const next of rest) {
    yield current;
    current = next;
  }
  yield current;
}

/** Returns the function that gives the cells of a row their names. A name such as `__proto__` is a name like any other. */
function rowMaker(names: readonly string[]): (cells: readonly string[]) => JsonObject {
  if (names.includes('__proto__'))
    return (cells) => Object.fromEntries(names.map((name, place) => [name, cellText(cells[place] ?? '')]));
  return (cells) => {
    const row: JsonObject = {};
    for (let place = 0; place < names.length; place++)
      row[names[place] as string] = cellText(cells[place] ?? '');
    return row;
  };
}

/** @throws StartError when the blocks are not UTF-8 */
async function* inUtf8(blocks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const encoding = new Utf8Check();
  for await (const block of blocks) {
    if (!encoding.push(block)) throw notUtf8(path);
    yield block;
  }
  if (!encoding.end()) throw notUtf8(path);
}

function requireHeader(cells: readonly string[], { path }: RowSource): string[] {
  const all = cells.map((cell) => cellText(cell.trim()));
  const names = all.slice(0, all.findLastIndex((name) => name !== '') + 1);
  if (names.length > maxColumns)
    throw new InputError('tooManyColumns', `${path} has more than ${maxColumns} columns`, {
      most: maxColumns,
    });
  const nameless = names.length === 0 ? 0 : names.indexOf('');
  if (nameless >= 0)
    throw new InputError('columnUnnamed', `${path}: column ${nameless + 1} has no name`, {
      place: nameless + 1,
    });
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice === undefined) return names;
  const name = twice.slice(0, 100);
  throw new InputError('columnTwice', `${path}: the header has the column ${JSON.stringify(name)} twice`, {
    name,
  });
}

function notUtf8(path: string): StartError {
  return new StartError(`${path} is not UTF-8. Convert it, such as with iconv -f windows-1252 -t utf-8`);
}

/** Without the message of the parser, which quotes cells: they may have hashes. */
function readableError(error: unknown, path: string): unknown {
  if (!(error instanceof CsvError)) return error;
  const line: unknown = error['lines'];
  const place = typeof line === 'number' ? `${path}:${line}` : path;
  const at = { line: typeof line === 'number' ? line : 1 };
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new InputError('longRow', `${place}: a row is longer than ${maxRecordBytes} characters`, at);
  }
  return new InputError('brokenTable', `${place}: a quotation mark is out of place, or is not closed`, at);
}
