import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { HumanUserRecord } from '../format/human-user.record.js';
import { checkPerson } from './check-item.js';
import type { ConversionReport } from './conversion-report.js';
import { eachRow, type RowSource, type TableForm } from './csv/each-row.js';
import { isTable } from './csv/is-table.js';
import { eachRecord } from './each-record.js';
import { type Explained, explain } from './explain.js';
import { type BodyOptions, openImportBody } from './import-body.js';
import { createLosses } from './losses.js';
import { applyMapping, pathOf, withIdentifier } from './mapping/apply-mapping.js';
import { type Mapping, mappingOfColumns, noMapping, readMapping } from './mapping/read-mapping.js';
import { createPeopleLists } from './people-lists.js';
import { createProblems, type Problems } from './problems.js';
import { ConversionError, parseFields } from './read-fields.js';
import { SourceRecord } from './source-record.js';

/** The records that a report explains. */
const mostExplained = 3;

interface Place {
  readonly file: string;
  readonly line: number;
}

/** What the caller of a conversion decides about every person. */
export interface PeopleOptions {
  /** Treats every e-mail address as verified, whatever the export says. */
  readonly emailVerified: boolean;
  /** The parameters of Firebase's password hashes, as its console shows them. */
  readonly hashParameters?: string | undefined;
}

/** A person of another system, and notes on values that could not be taken as they are. */
export interface ConvertedPerson {
  readonly record: HumanUserRecord;
  readonly notes: readonly string[];
}

/** A system whose export has one JSON object for each person. */
export interface PeopleFormat {
  /** The name of the system, as a person writes it. */
  readonly system: string;
  /** The members of an export that hold the people. */
  readonly members: readonly string[];
  /** The form of the export as a table, if there is one. */
  readonly table?: TableForm & {
    /** Whether a line is the first of such a table. */
    isFirstLine(line: string): boolean;
    /** Returns a row in the form of the JSON export. */
    read(row: JsonObject): JsonObject;
  };
  /** Whether columns with the names of targets need no mapping. */
  readonly mapsColumns?: boolean;
  /**
   * Returns the function that reads a record. It throws a ConversionError for what is no person.
   * @throws StartError when an option is missing or cannot be read
   */
  reader(options: PeopleOptions): (record: SourceRecord) => ConvertedPerson;
}

export interface PeopleInput extends PeopleOptions {
  /** The files of the export. An export by pages has several. */
  readonly users: readonly string[];
  /** Writes the output although some people cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  /** Writes nothing if a value of the input reaches nothing. */
  readonly strict: boolean;
  /** The text of a mapping. */
  readonly map?: string | undefined;
  /** Writes nothing. The caller shows what the report explains. */
  readonly isDryRun?: boolean | undefined;
  /** The character between two cells of a table. */
  readonly delimiter?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where the problems of the input go. */
  readonly problems?: Problems;
}

/**
 * Writes an import body from the people of another system. Memory does not grow with the files.
 * @throws StartError when a file cannot be read or written, or holds no people of this system; the reason of the signal when
 * it aborts
 */
export async function convertPeople(
  format: PeopleFormat,
  input: PeopleInput,
  output: BodyOptions,
): Promise<ConversionReport> {
  const { users: files, skipInvalid, strict, signal } = input;
  const { problems = createProblems() } = input;
  const losses = createLosses();
  const read = format.reader(input);
  const mapping = input.map === undefined ? undefined : readMapping(input.map);
  const trusted = input.emailVerified ? ({ unverifiedEmail: 'trust' } as const) : {};
  const isOfInstance = mapping?.entries.some(({ to }) => to.startsWith('metadata:')) === true;
  const body = openImportBody({ ...output, isOfInstance }, files);
  const lists = createPeopleLists(body);
  const counts = { users: 0, withPassword: 0 };
  const used = new Set<Mapping['entries'][number]>();
  const explained: Explained[] = [];

  function convert(fields: JsonObject, place: Place): void {
    const source = new SourceRecord(fields);
    const found = read(source);
    const { entries, rules } = mapping ?? defaultMapping(format, fields);
    const mapped = applyMapping({ entries, rules: { ...rules, ...trusted } }, source, found.record);
    for (const entry of entries) if (source.look(...pathOf(entry, source)) !== undefined) used.add(entry);
    const { groups, metadata } = mapped;
    const record =
      format.mapsColumns && mapped.record.userId === undefined
        ? withIdentifier(mapped.record)
        : mapped.record;
    checkPerson(record);
    if (explained.length < mostExplained) explained.push(explain(fields, record, place));
    lists.add({ record, groups, metadata });
    for (const message of found.notes) problems.add({ severity: 'note', ...place, message });
    losses.add(source.lost(), place);
    body.add(JSON.stringify(record));
    counts.users++;
    const { hashedPassword, password } = record.user;
    if (hashedPassword !== undefined || password !== undefined) counts.withPassword++;
  }

  try {
    for (const file of files) {
      let records = 0;
      await eachSource(
        format,
        { path: file, problems, signal, delimiter: input.delimiter },
        (fields, line) => {
          records++;
          try {
            convert(fields(), { file, line });
          } catch (error) {
            if (!(error instanceof ConversionError)) throw error;
            problems.add({ severity: 'error', file, line, message: error.message });
          }
        },
      );
      if (records === 0) throw noPeople(file, format);
    }
    for (const entry of mapping?.entries.filter((one) => !used.has(one)) ?? []) {
      const message = `the mapping names ${JSON.stringify(entry.from)}, which no record has`;
      problems.add({ severity: 'note', file: files.join(', '), line: 1, message });
    }
    const lost = losses.list();
    const report = { ...counts, ...lists.counts, problems, losses: lost, explained, written: false };
    if (problems.count('error') > 0 && !skipInvalid) return report;
    if (strict && lost.length > 0) return report;
    if (counts.users === 0) throw noPeople(files.join(', '), format);
    if (input.isDryRun === true) return report;
    await lists.finish(signal);
    body.publish();
    return { ...report, ...lists.counts, written: true };
  } finally {
    lists.close();
    body.close();
  }
}

/** The mapping of a conversion without one. */
function defaultMapping({ mapsColumns = false }: PeopleFormat, fields: JsonObject): Mapping {
  return mapsColumns ? mappingOfColumns(Object.keys(fields)) : noMapping;
}

/** Visits the records of a file in the form of the JSON export. The function throws a ConversionError for what is no JSON object. */
async function eachSource(
  { members, table }: PeopleFormat,
  source: Omit<RowSource, 'columns'>,
  visit: (fields: () => JsonObject, line: number) => void,
): Promise<void> {
  if (table !== undefined && (members.length === 0 || (await isTable(source.path, table.isFirstLine)))) {
    await eachRow({ ...table, ...source }, (row, line) => visit(() => table.read(row), line));
  } else {
    await eachRecord({ ...source, members }, (text, line) => visit(() => parseFields(text), line));
  }
}

function noPeople(files: string, { system, members }: PeopleFormat): StartError {
  if (members.length === 0) return new StartError(`${files} has no users: it needs a header and rows`);
  return new StartError(
    `${files} has no users of ${system}. An export of ${system} is an array of users, or has them in ${members.join(' or ')}`,
  );
}
