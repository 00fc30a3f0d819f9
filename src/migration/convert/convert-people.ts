import type { JsonObject } from '#src/platform/json/json-object.js';
import type { StartError } from '#src/platform/start-error.js';
import { withInputText } from '../text/input-text.js';
import type { ConversionReport } from './conversion-report.js';
import { eachRow, type RowSource } from './csv/each-row.js';
import { isTable } from './csv/is-table.js';
import { AwaitedGuess } from './guess/awaited-guess.js';
import type { BodyOptions } from './import-body.js';
import { createLosses, refusedLosses } from './losses.js';
import type { PeopleFormat, PeopleOptions, SourceVisitor, VisitOptions } from './mapping/people-format.js';
import type { RuleFlags } from './mapping/people-rules.js';
import { readMapping } from './mapping/read-mapping.js';
import { Memberships } from './memberships.js';
import { createPeopleWriter } from './people-writer.js';
import { InputError } from './reading/conversion-problems.js';
import { eachRecord } from './reading/each-record.js';
import { createProblems, type Problems, refusal, withRefused } from './reading/problems.js';
import { ConversionError, parseFields } from './reading/read-fields.js';
import { SourceRecord } from './reading/source-record.js';
import { whoIn } from './reading/who-in.js';
import { partitionsFor } from './spool.js';

/** Members of a page of Cognito, Google, FusionAuth and Microsoft Graph. They say that another page follows. */
const ofPages = new Set([
  ...['PaginationToken', 'NextToken', 'nextToken', 'nextPageToken', 'nextResults', '@odata.nextLink'],
]);

interface Place {
  readonly file: string;
  readonly line: number;
}

export interface PeopleInput extends PeopleOptions, RuleFlags {
  /** The files of the export. An export by pages has several. */
  readonly users: readonly string[];
  /** Writes the output although some people cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  /** Writes nothing if a value of the input reaches nothing, and the mapping does not accept that. */
  readonly strict: boolean;
  /** The text of a mapping. */
  readonly map?: string | undefined;
  /** Writes nothing. The caller shows what the report explains. */
  readonly isDryRun?: boolean | undefined;
  /** The character between two cells of a table. Guessed by the header if absent. */
  readonly delimiter?: string | undefined;
  /** The path of the list of people in a JSON document. Guessed by its beginning if absent. */
  readonly at?: string | undefined;
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
  const given = readMapping(input, format);
  const losses = createLosses(given?.acceptedLosses);
  const dropHashes = input.dropHashes === true || given?.mapping?.rules.unreadableHashes === 'drop';
  const read = format.reader({ ...input, dropHashes });
  const guess = format.isGuessed && given?.mapping === undefined ? new AwaitedGuess(problems) : undefined;
  const guessed = guess === undefined ? format : { ...format, mapping: () => guess.mapping };
  const writer = createPeopleWriter({ ...input, given, format: guessed, files, problems, losses }, output);
  const { body, lists, counts, explained } = writer;
  const partitions = partitionsFor(files);
  const furtherPages: (Place & { readonly name: string })[] = [];
  const memberships = new Memberships({ folder: body.folder, partitions, problems, losses, signal });

  function convert(fields: JsonObject, place: Place, keys: readonly string[]): void {
    const source = new SourceRecord(fields);
    const { userId } = writer.add(source, read(source), place);
    if (userId !== undefined) memberships.addPerson(keys, userId);
  }

  try {
    for (const [index, file] of files.entries()) {
      // Each file counts its groups from the beginning.
      const numberOf = (group: number) => index * 2 ** 32 + group;
      let records = 0;
      const attempt = (line: number, take: (place: Place) => void, who?: () => string) => {
        records++;
        tryOr(problems, { file, line }, { take, who });
      };
      await eachSource(
        format,
        { path: file, problems, signal, delimiter: input.delimiter, at: input.at },
        {
          person: (read, line, keys = []) => {
            let fields: JsonObject = {};
            const take = (place: Place) => {
              const record = read();
              fields = record;
              if (guess === undefined) convert(record, place, keys);
              else guess.take(record, place, () => convert(record, place, keys));
            };
            attempt(line, take, () => whoIn(fields));
          },
          group: (read, line) =>
            attempt(line, (place) => {
              const group = read();
              memberships.addGroup({ ...group, number: numberOf(group.number) }, place);
            }),
          member: (member) => memberships.addMember({ ...member, group: numberOf(member.group) }),
          claim: (keys, path, line) => memberships.claim(keys, path, { file, line }),
          lost: (paths, line) => losses.add(paths, { file, line }),
        },
        (name, line) => {
          if (ofPages.has(name)) furtherPages.push({ file, line, name });
          else if (!name.startsWith('@odata.')) losses.add([`(document) ${name}`], { file, line });
        },
      );
      if (records === 0 && format.mayBeEmpty?.(file) !== true) throw noPeople(file, format, problems);
    }
    guess?.settle();
    await memberships.settle(lists);
    writer.tellUnused();
    tellMissingPage(furtherPages, files, problems);
    const lost = losses.list();
    const made = {
      explained,
      madeNames: writer.madeNames(),
      lostFactors: writer.lostFactors(),
      ...(guess && { guess: guess.made }),
    };
    const report = { ...counts, ...lists.counts, problems, losses: lost, ...made, written: false };
    if (guess?.made.lacksUserName) return report;
    if (problems.count('error') > 0 && !skipInvalid) return report;
    if (strict && refusedLosses(lost).length > 0) return report;
    if (counts.users === 0) throw noPeople(files.join(', '), format, problems);
    if (input.isDryRun === true) return report;
    await lists.finish(signal);
    body.publish(writer.stated());
    return { ...report, ...lists.counts, written: true };
  } finally {
    writer.close();
  }
}

/** Takes something of a record. What is wrong with it becomes a problem of its line. @param of `who`: whom the record is about */
function tryOr(
  problems: Problems,
  place: Place,
  { take, who }: { readonly take: (place: Place) => void; readonly who: (() => string) | undefined },
): void {
  try {
    take(place);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    problems.add(refusal(place, error.known, { who: who?.() }));
  }
}

/** Tells that people are missing, if every file says that another page follows. */
function tellMissingPage(
  pages: readonly (Place & { readonly name: string })[],
  files: readonly string[],
  problems: Problems,
): void {
  const [last] = pages.slice(-1);
  if (last === undefined || new Set(pages.map(({ file }) => file)).size < files.length) return;
  const { name, ...place } = last;
  const message = `${name} says that the export has another page. Give each page with --users`;
  problems.add({ severity: 'note', ...place, message });
}

/**
 * Visits the records of an input in the form of the JSON export.
 * @param passed gets the name of every other member of a JSON document
 */
async function eachSource(
  { members, table, visit }: PeopleFormat,
  { at, ...source }: Omit<RowSource, 'columns'> & Pick<VisitOptions, 'at'>,
  visitor: SourceVisitor,
  passed: VisitOptions['passed'],
): Promise<void> {
  if (visit !== undefined) {
    await visit(source, visitor, { at, passed });
    return;
  }
  await withInputText(source, async (text) => {
    const open = { ...source, text };
    if (
      table !== undefined &&
      (members.length === 0 || (await isTable(text, table.isFirstLine, source.signal)))
    ) {
      await eachRow({ ...table, ...open }, (row, line) => visitor.person(() => table.read(row), line));
    } else {
      await eachRecord({ ...open, members, passed }, (record, line) =>
        visitor.person(() => parseFields(record), line),
      );
    }
  });
}

function noPeople(files: string, { system, members, shape }: PeopleFormat, problems: Problems): StartError {
  const none =
    shape === undefined
      ? `${files} has no users of ${system}. An export of ${system} is an array of users, or has them in ${members.join(' or ')}`
      : `${files} has no users: ${shape}`;
  return new InputError('noPeople', withRefused(none, problems));
}
