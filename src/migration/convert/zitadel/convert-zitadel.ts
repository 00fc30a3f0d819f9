import { closeSync, openSync, readSync } from 'node:fs';
import { mostIdentityLinks } from '#src/accounts/person-lists/index.js';
import { newId } from '#src/platform/ids.js';
import { StartError } from '#src/platform/start-error.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { sectionKeys } from '../../import/lists/section/section-keys.js';
import { ScanError } from '../../import/receive/scan/scan-handler.js';
import { ImportScanner } from '../../import/receive/scan/scan-import.js';
import { unreadableInput } from '../../text/input-file.js';
import type { ConversionReport } from '../conversion-report.js';
import { createLosses, refusedLosses } from '../losses.js';
import type { RuleFlags } from '../mapping/people-rules.js';
import { createPersonMapper } from '../mapping/person-mapper.js';
import { readMapping } from '../mapping/read-mapping.js';
import { createProblems, type Problems } from '../reading/problems.js';
import { Utf8Check } from '../reading/utf8-check.js';
import { partitionsFor } from '../spool.js';
import { FileRanges } from './file-ranges.js';
import { type InstanceBodyOptions, openInstanceBody } from './instance-body.js';
import { MappedLists } from './mapped-lists.js';
import { plainFile } from './plain-file.js';
import { userLinks } from './user-links.js';
import { zitadelStates } from './zitadel-person.js';
import { ZitadelReader } from './zitadel-reader.js';

export interface ZitadelInput extends RuleFlags {
  /** The answer of `POST /admin/v1/export`, whole. */
  readonly export: string;
  /** Writes the output although some records cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  /** Writes nothing if a value of the input reaches nothing, and the mapping does not accept that. */
  readonly strict: boolean;
  /** The text of a mapping of the people. */
  readonly map?: string | undefined;
  /** Writes nothing. The caller shows what the report explains. */
  readonly isDryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where the problems of the input go. */
  readonly problems?: Problems;
}

/**
 * Writes an import body from an export of ZITADEL's version 1, with its organizations and what they have. The export must be a
 * file, because its records are read by their places.
 * @throws StartError when a file cannot be read or written, or holds no organizations
 * @throws the reason of the signal when it aborts
 */
export async function convertZitadel(
  input: ZitadelInput,
  output: InstanceBodyOptions,
): Promise<ConversionReport> {
  const { export: path, emailVerified, skipInvalid, strict } = input;
  const { problems = createProblems() } = input;
  const given = readMapping(input);
  const losses = createLosses(given?.acceptedLosses);
  // An export names its organizations after their people. It also has identifiers, so this is for files that a person changed.
  const identify = () => newId();
  const mapper = createPersonMapper({
    ...input,
    given,
    format: { states: zitadelStates },
    files: [path],
    problems,
    identify,
  });
  const body = openInstanceBody(output, [path]);
  const lists = new MappedLists(body, partitionsFor([path]));
  let file: number | undefined;
  try {
    file = openFile(await plainFile(path, body.folder, input.signal));
    const reader = new ZitadelReader({
      path,
      file: new FileRanges(file),
      body,
      problems,
      losses,
      emailVerified,
      mapper,
      lists,
    });
    await scan(file, reader, input);
    if (reader.organizations === 0) {
      throw new StartError(`${path} has no organizations of ZITADEL. An export of ZITADEL has them in orgs`);
    }
    mapper.tellUnused();
    if (lists.linksLost > 0) {
      const message = `${lists.linksLost} links of people who have more than ${mostIdentityLinks} are left out`;
      problems.add({ severity: 'note', file: path, line: 1, message });
      losses.add(['orgs[].userLinks[]'], { file: path, line: 1 });
    }
    const lost = losses.list();
    const madeNames = mapper.madeNames();
    const report = {
      ...reader.people,
      ...lists.counts,
      madeNames,
      problems,
      losses: lost,
      explained: mapper.explained,
    };
    if (problems.count('error') > 0 && !skipInvalid) return { ...report, written: false };
    if (strict && refusedLosses(lost).length > 0) return { ...report, written: false };
    if (input.isDryRun === true) return { ...report, written: false };
    body.publish(mapper.stated());
    return { ...report, written: true };
  } finally {
    if (file !== undefined) closeSync(file);
    lists.close();
    body.close();
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw error instanceof Error ? unreadableInput(path, error) : error;
  }
}

/** Reads the file once. The reader converts what each block completes. */
async function scan(file: number, reader: ZitadelReader, input: ZitadelInput): Promise<void> {
  const { export: path, signal } = input;
  const scanner = new ImportScanner('object', reader, new Set([...sectionKeys, userLinks]));
  const encoding = new Utf8Check();
  const block = Buffer.allocUnsafe(maxRecordBytes);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const length = readSync(file, block);
      if (length === 0) break;
      const part = block.subarray(0, length);
      if (!encoding.push(part)) throw new ScanError('It is not UTF-8');
      scanner.push(part);
      await reader.convert();
      // Lets the signal arrive.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!encoding.end()) throw new ScanError('It ends within a character');
    scanner.end();
    await reader.convert();
  } catch (error) {
    if (error instanceof ScanError) throw new StartError(`${path} is no export of ZITADEL. ${error.message}`);
    if (error instanceof Error && 'syscall' in error) throw unreadableInput(path, error);
    throw error;
  }
}
