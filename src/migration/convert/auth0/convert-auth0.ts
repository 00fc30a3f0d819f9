import { join } from 'node:path';
import { foldCase } from '#src/directory/index.js';
import type { StartError } from '#src/platform/start-error.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { personIdentifier } from '../../format/made-identifiers.js';
import type { ConversionReport } from '../conversion-report.js';
import { auth0Identities } from '../identities/identity-layouts.js';
import { type BodyOptions, type ImportBody, openImportBody } from '../import-body.js';
import { createLosses, type Losses, refusedLosses } from '../losses.js';
import type { MappedPerson } from '../mapping/apply-mapping.js';
import { hashPath } from '../mapping/password-rules.js';
import type { RuleFlags } from '../mapping/people-rules.js';
import { bodyFormOf, createPersonMapper } from '../mapping/person-mapper.js';
import { readMapping } from '../mapping/read-mapping.js';
import { createPeopleLists, type PeopleLists } from '../people-lists.js';
import { canSignIn } from '../reading/check-item.js';
import { InputError } from '../reading/conversion-problems.js';
import { eachLine } from '../reading/each-line.js';
import { eachRecord } from '../reading/each-record.js';
import { createProblems, type Problems, refusal } from '../reading/problems.js';
import { ConversionError } from '../reading/read-fields.js';
import { whoInText } from '../reading/who-in.js';
import { partitionsFor } from '../spool.js';
import { createTextWriter } from '../text-writer.js';
import { auth0States, checkAuth0User, readAuth0Hash, readAuth0User } from './auth0-records.js';
import { HashJoin } from './join-hashes.js';

export interface Auth0Input extends RuleFlags {
  /** Auth0's export of users, or a file for its bulk import: one JSON object on each line, or an array. */
  readonly users: string;
  /** Auth0's export of password hashes: one JSON object on each line, or an array. Absent if there is none, or if the users have their hashes. */
  readonly passwords?: string | undefined;
  /** Writes the output although some users cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  /** Writes nothing if a value of the input reaches nothing, and the mapping does not accept that. Absent means no. */
  readonly strict?: boolean;
  /** The text of a mapping. */
  readonly map?: string | undefined;
  /** Writes nothing. The caller shows what the report explains. */
  readonly isDryRun?: boolean | undefined;
  /** Bytes of input in one partition. The keys of one partition are in memory at a time. */
  readonly partitionBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /** Where the problems of the input go. */
  readonly problems?: Problems;
}

/**
 * Writes an import body from Auth0's two exports. Users keep the order of the users file. Each user gets the hash with
 * its identifier, or else the one that has it as `alt_id`. Otherwise the user gets the hash with its address, user name or telephone number
 * and database connection, and a note says so. Memory does not grow
 * with the files: keys and users are stored in a folder beside the output. Only its owner may read that folder, and the
 * conversion removes it at the end.
 * @throws StartError when a file cannot be read or written; the reason of the signal when it aborts
 */
export async function convertAuth0(input: Auth0Input, output: BodyOptions): Promise<ConversionReport> {
  const { skipInvalid, strict = false, signal } = input;
  const { problems = createProblems() } = input;
  const given = readMapping(input);
  const losses = createLosses(given?.acceptedLosses);
  const files = [input.users, ...(input.passwords === undefined ? [] : [input.passwords])];
  const factors = [['multifactor'], ['mfa_factors']];
  const format = { identities: auth0Identities, states: auth0States, factors };
  const { orgId } = output;
  const identify = (name: string) => personIdentifier({ orgId, name });
  const mapper = createPersonMapper({ ...input, given, format, files: [input.users], problems, identify });
  const body = openImportBody({ ...output, ...bodyFormOf(mapper) }, files);
  const lists = createPeopleLists(body, orgId);
  const { folder } = body;
  const waitingPath = join(folder, 'waiting');
  const waiting = createTextWriter(waitingPath);
  try {
    const partitions = partitionsFor(files, input.partitionBytes);
    const names = { users: input.users, passwords: input.passwords ?? '' };
    const keys = new HashJoin({ folder, partitions, problems, files: names, signal });
    const conversion = { input, problems, losses, mapper, keys };
    await readHashes(conversion);
    const count = await readUsers(conversion, waiting);
    waiting.finish();
    await keys.run();
    mapper.tellUnused();

    if (count === 0 && (problems.count('error') === 0 || skipInvalid)) throw nothingOf(input.users, 'users');
    const counts = { users: 0, withPassword: 0, ...lists.counts };
    const { explained } = mapper;
    const madeNames = mapper.madeNames();
    const report = {
      ...counts,
      madeNames,
      lostFactors: mapper.lostFactors(),
      problems,
      losses: losses.list(),
      explained,
      written: false,
    };
    if (problems.count('error') > 0 && !skipInvalid) return report;
    if (strict && refusedLosses(report.losses).length > 0) return report;
    const { users, withPassword } = await writeUsers(conversion, waitingPath, { body, lists });
    const converted = { ...report, users, withPassword };
    if (input.isDryRun === true) return { ...converted, ...lists.counts };
    await lists.finish(signal);
    body.publish(mapper.stated());
    return { ...converted, ...lists.counts, written: true };
  } finally {
    waiting.abandon();
    lists.close();
    body.close();
  }
}

/** What the steps of one conversion share. */
interface Auth0Conversion {
  readonly input: Auth0Input;
  readonly problems: Problems;
  readonly losses: Losses;
  readonly mapper: ReturnType<typeof createPersonMapper>;
  readonly keys: HashJoin;
}

/** Reads the file of hashes. @throws StartError if each of its lines is wrong */
async function readHashes({ input, problems, losses, keys, mapper }: Auth0Conversion): Promise<void> {
  const { passwords: file, signal, skipInvalid } = input;
  if (file === undefined) return;
  let hashes = 0;
  await readEach(file, { problems, signal }, (text, line) => {
    const hash = readAuth0Hash(text);
    const { lost } = hash;
    const usable = mapper.usableHash(hash.hash);
    if (usable !== undefined) keys.addHash({ ...hash, hash: usable }, line);
    losses.add(usable === undefined ? [...lost, hashPath] : lost, { file, line });
    hashes++;
  });
  // A tenant without passwords has an empty file.
  if (hashes === 0 && problems.count('error') > 0 && skipInvalid) throw nothingOf(file, 'hashes');
}

/** Reads the file of users. They wait in a file until the hash of each is known. @returns their number */
async function readUsers(
  { input, problems, losses, mapper, keys }: Auth0Conversion,
  waiting: ReturnType<typeof createTextWriter>,
): Promise<number> {
  const { users: file, signal } = input;
  let position = 0;
  await readEach(file, { problems, signal }, (text, line) => {
    const user = readAuth0User(text, input);
    const place = { file, line };
    const isAllowed = mapper.allowsWithoutCredentials;
    const check = (record: HumanUserRecord) =>
      checkAuth0User(record, { isElsewhere: user.isElsewhere && !isAllowed });
    const mapped = mapper.map(user.source, user, { ...place, check });
    for (const message of user.notes) problems.add({ severity: 'note', ...place, message });
    losses.add(user.source.lost(), place);
    const { key, names } = user;
    const { record } = mapped;
    const joined = {
      key,
      names,
      nameKey: foldCase(record.user.userName),
      isVerified: isAllowed || canSignIn(record),
      hasPassword: hasPassword(record),
    };
    keys.addUser(joined, { position: position++, line });
    waiting.write(`${waitingText(mapped)}\n`);
  });
  return position;
}

/** Writes the users that wait, each with its hash. */
async function writeUsers(
  { input: { signal }, problems, keys }: Auth0Conversion,
  waitingPath: string,
  { body, lists }: { readonly body: ImportBody; readonly lists: PeopleLists },
): Promise<{ users: number; withPassword: number }> {
  const counts = { users: 0, withPassword: 0 };
  let position = 0;
  await eachLine({ path: waitingPath, problems, signal }, (text) => {
    const joined = keys.joined(position++);
    if (joined === 'dropped') return;
    counts.users++;
    const { user, mapped } = waitingUser(text);
    if (mapped !== undefined) lists.add(mapped);
    // The hash of a mapping takes the place of the other one.
    const hasOwn = mapped !== undefined && hasPassword(mapped.record);
    if (joined !== undefined || hasOwn) counts.withPassword++;
    if (joined === undefined || hasOwn) body.add(`${user}}}`);
    else body.add(`${user},"hashedPassword":${JSON.stringify({ value: joined.hash })}}}`);
  });
  return counts;
}

function hasPassword({ user }: HumanUserRecord): boolean {
  return user.password !== undefined || user.hashedPassword !== undefined;
}

/** Stands before a line that says more than the record. No JSON begins with it. */
const mark = '+';

/** A user as it waits. A user whom a mapping gave nothing is the record without its last two braces, so that a hash can be added. */
function waitingText(mapped: MappedPerson): string {
  const { record, groups, metadata, links } = mapped;
  const isAlone = [groups, metadata, links].every(({ length }) => length === 0) && !hasPassword(record);
  return isAlone ? JSON.stringify(record).slice(0, -2) : `${mark}${JSON.stringify(mapped)}`;
}

/** A user that waits: the record without its last two braces, and what a mapping made beside it. */
function waitingUser(text: string): { user: string; mapped?: MappedPerson } {
  if (!text.startsWith(mark)) return { user: text };
  const mapped = JSON.parse(text.slice(mark.length)) as MappedPerson;
  return { user: JSON.stringify(mapped.record).slice(0, -2), mapped };
}

function nothingOf(path: string, what: string): StartError {
  return new InputError(
    'noPeople',
    `${path} has no ${what} of Auth0. It has a JSON object on each line, or an array of them`,
  );
}

/** Visits each object of a file. A ConversionError becomes a problem of its line. */
function readEach(
  path: string,
  { problems, signal }: { problems: Problems; signal: AbortSignal | undefined },
  read: (text: string, line: number) => void,
): Promise<void> {
  return eachRecord({ path, problems, signal, members: ['users'], hasLines: true }, (text, line) => {
    try {
      read(text, line);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      problems.add(refusal({ file: path, line }, error.known, { who: whoInText(text) }));
    }
  });
}
