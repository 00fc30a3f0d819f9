import { parse } from 'csv-parse/sync';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { lineEnds, tableForm } from '../csv/table-form.js';
import { guessMapping, type MappingGuess } from '../guess/guess-mapping.js';
import { UnreadableUpload } from './recognize-upload.js';

/** A table of unknown columns, and what they probably mean. */
export interface GuessedTable {
  /** The table with a header. */
  readonly text: Buffer;
  readonly delimiter: string;
  /** The text of the mapping. */
  readonly map: string;
  readonly columns: MappingGuess['columns'];
  /** The number of lines that were put before those of the file. */
  readonly addedLines: number;
  /** Whom a line of {@link text} is about: the cells that name a person. '' if it has none. */
  whoAt(line: number): string;
  /** Whether no column gives the people a name to sign in with. */
  readonly lacksUserName: boolean;
}

/** Targets of a mapping by which people know each other. None holds a secret. */
const namesPerson = /^(?:userName|email|displayName|name\.(?:givenName|familyName))$/;
const longestWho = 200;
/** The columns of a table that anybody fills in. */
const mostColumns = 1_000;
/** The expression for an address takes a time that grows with the square of the length. */
const longestAddress = 320;
/** Rows that are looked at. */
const mostRows = 101;

/**
 * Guesses what the columns of a table mean. Cells that were pasted without a header get one: its first row has an address.
 * @throws UnreadableUpload
 */
export function readTable(given: Buffer): GuessedTable {
  const { delimiter, ownLine } = tableForm(given, {});
  // Excel says in a line of its own what stands between the cells.
  const first = ownLine ? given.indexOf('\n') + 1 : 0;
  const rows = rowsOf(given.subarray(first), delimiter);
  const [top = []] = rows;
  if (top.length > mostColumns) throw new UnreadableUpload('unreadable');
  const hasHeader = !top.some(
    (cell) => cell.length <= longestAddress && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim()),
  );
  const names = hasHeader ? top.map((cell) => cell.trim()) : top.map((_, place) => `Column ${place + 1}`);
  const people = hasHeader ? rows.slice(1) : rows;
  const header = hasHeader ? '' : `${names.join(delimiter)}\n`;
  const objects = people.map(
    (row): JsonObject => Object.fromEntries(names.map((name, place) => [name, row[place] ?? ''])),
  );
  const { mapping, columns, lacksUserName } = guessMapping(objects.length > 0 ? objects : [emptyRow(names)]);
  const text = Buffer.concat([given.subarray(0, first), Buffer.from(header), given.subarray(first)]);
  const naming = columns.flatMap(({ to = '' }, place) => (namesPerson.test(to) ? [place] : []));
  let lines: string[] | undefined;
  return {
    text,
    addedLines: hasHeader ? 0 : 1,
    whoAt(line) {
      lines ??= text.toString('utf8').split('\n');
      const [row = []] = rowsOf(Buffer.from(lines[line - 1] ?? ''), delimiter);
      const cells = naming.map((place) => (row[place] ?? '').trim()).filter((cell) => cell !== '');
      return cells.join(' ').slice(0, longestWho);
    },
    delimiter,
    map: JSON.stringify(mapping),
    columns,
    lacksUserName,
  };
}

function emptyRow(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, '']));
}

function rowsOf(text: Buffer, delimiter: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      record_delimiter: lineEnds,
      to: mostRows,
      max_record_size: 1_048_576,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch {
    // The conversion says in which line the fault is.
    return [[]];
  }
}
