import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '#src/platform/start-error.js';
import { convertAuth0 } from '../auth0/convert-auth0.js';
import type { ConversionReport } from '../conversion-report.js';
import { convertPeople } from '../convert-people.js';
import type { MappingGuess } from '../guess/guess-mapping.js';
import type { BodyOptions } from '../import-body.js';
import { convertKeycloak } from '../keycloak/convert-keycloak.js';
import { clearPath, hashPath } from '../mapping/password-rules.js';
import type { RuleFlags } from '../mapping/people-rules.js';
import { peopleFormats } from '../people/people-formats.js';
import { InputError } from '../reading/conversion-problems.js';
import { createProblems, type RefusedRecord } from '../reading/problems.js';
import { type GuessedTable, readTable } from './read-table.js';
import type { UploadKind } from './recognize-upload.js';

/** A file that a person has uploaded. */
export interface UploadedFile {
  readonly kind: Exclude<UploadKind, 'muster'>;
  /** In UTF-8: see `readUpload`. */
  readonly text: Buffer;
}

/** Why a person cannot be converted. */
interface UploadProblem extends Pick<RefusedRecord, 'line' | 'known'> {
  /** Which person or group it is about. '' if the line does not say it. */
  readonly who: string;
}

/** What the person decides about all people of the file. */
export type UploadRules = Pick<RuleFlags, 'dropHashes' | 'withoutCredentials' | 'secondFactors'>;

/** What becomes of an uploaded file. */
export interface ConvertedUpload {
  /** The columns of a table, or the values of JSON of any system. */
  readonly columns?: MappingGuess['columns'];
  readonly lacksUserName: boolean;
  readonly users: number;
  readonly withPassword: number;
  readonly groups: number;
  /** The first people before and after, without their secrets. */
  readonly people: readonly { readonly before: unknown; readonly after: unknown }[];
  /** The people that cannot be converted, by their lines: at most {@link mostProblems}. */
  readonly problems: readonly UploadProblem[];
  /** Their number. */
  readonly refused: number;
  /** The paths whose values reach nothing, besides hashes. */
  readonly lost: readonly string[];
  /** How many people lose a password or a hash that cannot be read. */
  readonly droppedHashes: number;
  /** How many people have a second factor that sign-ins here do not ask for. */
  readonly lostFactors: number;
  /** The body of an import. Absent if only the rest was asked for. */
  readonly body?: Buffer;
}

/** Where a conversion counts the passwords and hashes that a rule leaves out. */
const ofPasswords = new Set([hashPath, clearPath]);
const mostProblems = 50;
const mostPeople = 3;
const mostLost = 50;

/**
 * Makes an import body of an uploaded file, or says what would become of it. People that cannot be converted are left out. Their
 * addresses count as right, so that links can go to them. While it works, the file lies in `folder`.
 * @param options `orgId`: the organization that gets the people. `isPreview`: makes no body. `folder`: empty, for files of this conversion. The caller removes it
 * @throws StartError when nobody can be found in the file. Its text names no file of this machine
 */
export async function convertUpload(
  file: UploadedFile,
  options: {
    readonly orgId: string;
    readonly timeout: string;
    readonly isPreview: boolean;
    readonly rules?: UploadRules;
    readonly folder: string;
  },
): Promise<ConvertedUpload> {
  const { orgId, timeout, isPreview, folder, rules } = options;
  const [input, output] = [join(folder, 'file'), join(folder, 'body.json')];
  const table = file.kind === 'table' ? readTable(file.text) : undefined;
  const problems = createProblems(mostProblems);
  const inWords = ({ message }: Error) => message.replaceAll(input, () => 'The file');
  try {
    await writeFile(input, table?.text ?? file.text, { mode: 0o600 });
    const shared = {
      ...{ emailVerified: true, skipInvalid: true, strict: false },
      problems,
      isDryRun: isPreview,
      ...rules,
    };
    const body: BodyOptions = { path: output, orgId, timeout, multiline: false };
    const report = await convert(file.kind, { input, folder, table, shared }, body);
    const guess = table ?? report.guess;
    return {
      ...(guess && { columns: guess.columns }),
      lacksUserName: guess?.lacksUserName === true,
      ...summaryOf(report, table),
      ...(!isPreview && { body: await readFile(output) }),
    };
  } catch (error) {
    // Everybody was refused: the problems say more than that nobody is left.
    if (error instanceof InputError && error.known.id === 'noPeople' && problems.count('error') > 0) {
      const none = { users: 0, withPassword: 0, groups: 0, problems };
      return { lacksUserName: table?.lacksUserName === true, ...summaryOf(none, table) };
    }
    if (error instanceof InputError) throw new InputError(error.known.id, inWords(error), error.known.params);
    throw error instanceof StartError ? new StartError(inWords(error)) : error;
  }
}

interface Conversion {
  readonly input: string;
  readonly folder: string;
  readonly table: GuessedTable | undefined;
  readonly shared: Omit<Parameters<typeof convertKeycloak>[0], 'realm'>;
}

async function convert(
  kind: UploadedFile['kind'],
  { input, folder, table, shared }: Conversion,
  body: BodyOptions,
): Promise<ConversionReport> {
  if (kind === 'keycloak') return convertKeycloak({ realm: [input], ...shared }, body);
  if (kind === 'auth0') {
    // Auth0 gives hashes in a file of its own, and on request alone.
    const passwords = join(folder, 'passwords');
    await writeFile(passwords, '', { mode: 0o600 });
    return convertAuth0({ users: input, passwords, ...shared }, body);
  }
  const format = peopleFormats[kind === 'table' ? 'csv' : kind];
  if (format === undefined) throw new Error(`There is no format ${kind}`);
  const { map, delimiter } = table ?? {};
  return convertPeople(format, { users: [input], map, delimiter, ...shared, strict: false }, body);
}

function summaryOf(
  {
    users,
    withPassword,
    groups,
    problems,
    losses = [],
    explained = [],
    lostFactors = 0,
  }: Pick<
    ConversionReport,
    'users' | 'withPassword' | 'groups' | 'problems' | 'losses' | 'explained' | 'lostFactors'
  >,
  { addedLines = 0, whoAt = () => '' }: Partial<GuessedTable> = {},
) {
  return {
    ...{ users, withPassword, groups },
    people: explained.slice(0, mostPeople).map(({ before, after }) => ({ before, after })),
    problems: problems.refused().map(({ line, known, who = '' }) => ({
      line: line - addedLines,
      who: whoAt(line) || who,
      known,
    })),
    refused: problems.count('error'),
    lost: losses
      .filter(({ path }) => !ofPasswords.has(path))
      .slice(0, mostLost)
      .map(({ path }) => path),
    droppedHashes: losses
      .filter(({ path }) => ofPasswords.has(path))
      .reduce((sum, { records }) => sum + records, 0),
    lostFactors,
  };
}
