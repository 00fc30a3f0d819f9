import { StartError } from '#src/platform/start-error.js';
import type { HumanUserRecord } from '../format/human-user.record.js';
import { checkPerson } from './check-item.js';
import type { ConversionReport } from './conversion-report.js';
import { eachRecord } from './each-record.js';
import { type BodyOptions, openImportBody } from './import-body.js';
import { createLosses } from './losses.js';
import { createProblems, type Problems } from './problems.js';
import { ConversionError, parseFields } from './read-fields.js';
import { SourceRecord } from './source-record.js';

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
  const body = openImportBody(output, files);
  const report = { users: 0, withPassword: 0, groups: 0, memberships: 0, problems, written: false };

  function convert(text: string, place: { file: string; line: number }): void {
    const source = new SourceRecord(parseFields(text));
    const person = read(source);
    checkPerson(person.record);
    for (const message of person.notes) problems.add({ severity: 'note', ...place, message });
    losses.add(source.lost(), place);
    body.add(JSON.stringify(person.record));
    report.users++;
    const { hashedPassword, password } = person.record.user;
    if (hashedPassword !== undefined || password !== undefined) report.withPassword++;
  }

  try {
    for (const file of files) {
      let records = 0;
      await eachRecord({ path: file, members: format.members, problems, signal }, (text, line) => {
        records++;
        try {
          convert(text, { file, line });
        } catch (error) {
          if (!(error instanceof ConversionError)) throw error;
          problems.add({ severity: 'error', file, line, message: error.message });
        }
      });
      if (records === 0) throw noPeople(file, format);
    }
    const lost = losses.list();
    const complete = { ...report, losses: lost };
    if (problems.count('error') > 0 && !skipInvalid) return complete;
    if (strict && lost.length > 0) return complete;
    if (report.users === 0) throw noPeople(files.join(', '), format);
    body.publish();
    return { ...complete, written: true };
  } finally {
    body.close();
  }
}

function noPeople(files: string, { system, members }: PeopleFormat): StartError {
  return new StartError(
    `${files} has no users of ${system}. An export of ${system} is an array of users, or has them in ${members.join(' or ')}`,
  );
}
