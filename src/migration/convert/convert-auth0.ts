import { join } from 'node:path';
import { StartError } from '#src/platform/start-error.js';
import { readAuth0Hash, readAuth0User } from './auth0-records.js';
import type { ConversionReport } from './conversion-report.js';
import { eachLine } from './each-line.js';
import { type BodyOptions, openImportBody } from './import-body.js';
import { createJoin } from './join-hashes.js';
import { createLosses } from './losses.js';
import { createProblems, type Problems } from './problems.js';
import { ConversionError } from './read-fields.js';
import { partitionsFor } from './spool.js';
import { createTextWriter } from './text-writer.js';

export interface Auth0Input {
  /** Auth0's export of users, with one JSON object on each line. */
  readonly users: string;
  /** Auth0's export of password hashes, with one JSON object on each line. */
  readonly passwords: string;
  /** Treats every e-mail address as verified, whatever the export says. */
  readonly emailVerified: boolean;
  /** Writes the output although some users cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  /** Writes nothing if a value of the input reaches nothing. Absent means no. */
  readonly strict?: boolean;
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
  const { signal, skipInvalid, strict = false } = input;
  const { problems = createProblems() } = input;
  const losses = createLosses();
  const body = openImportBody(output, [input.users, input.passwords]);
  const waitingPath = join(body.folder, 'waiting');
  const waiting = createTextWriter(waitingPath);
  try {
    const keys = createJoin({
      folder: body.folder,
      partitions: partitionsFor([input.users, input.passwords], input.partitionBytes),
      problems,
      files: input,
      signal,
    });
    let hashes = 0;
    await readEach(input.passwords, { problems, signal }, (text, line) => {
      keys.addHash(readAuth0Hash(text), line);
      hashes++;
    });
    // A tenant without passwords has an empty file.
    if (hashes === 0 && problems.count('error') > 0 && skipInvalid)
      throw nothingOf(input.passwords, 'hashes');
    let position = 0;
    await readEach(input.users, { problems, signal }, (text, line) => {
      const user = readAuth0User(text, input);
      losses.add(user.lost, { file: input.users, line });
      keys.addUser(user, { position: position++, line });
      // Without the last two braces, so that a hash can be added.
      waiting.write(`${JSON.stringify(user.record).slice(0, -2)}\n`);
    });
    waiting.finish();
    await keys.run();

    if (position === 0 && (problems.count('error') === 0 || skipInvalid))
      throw nothingOf(input.users, 'users');
    const counts = { users: 0, withPassword: 0, groups: 0, memberships: 0 };
    const report = { ...counts, problems, losses: losses.list(), written: false };
    if (problems.count('error') > 0 && !skipInvalid) return report;
    if (strict && report.losses.length > 0) return report;
    position = 0;
    await eachLine({ path: waitingPath, problems, signal }, (user) => {
      const joined = keys.joined(position++);
      if (joined === 'dropped') return;
      report.users++;
      if (joined === undefined) {
        body.add(`${user}}}`);
      } else {
        report.withPassword++;
        body.add(`${user},"hashedPassword":${JSON.stringify({ value: joined.hash })}}}`);
      }
    });
    body.publish();
    return { ...report, written: true };
  } finally {
    waiting.abandon();
    body.close();
  }
}

function nothingOf(path: string, what: string): StartError {
  return new StartError(`${path} has no ${what} of Auth0. Each of its lines is a JSON object`);
}

/** Visits each line of a file. A ConversionError becomes a problem of its line. */
function readEach(
  path: string,
  { problems, signal }: { problems: Problems; signal: AbortSignal | undefined },
  read: (text: string, line: number) => void,
): Promise<void> {
  return eachLine({ path, problems, signal }, (text, line) => {
    try {
      read(text, line);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      problems.add({ severity: 'error', file: path, line, message: error.message });
    }
  });
}
