import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { argumentSegment } from '../base/argument-segment.js';
import { UsageError } from '../base/command.js';
import { endWith } from '../base/exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { followJob } from './follow-job.js';
import { writeLines } from './import-errors.js';
import { type ImportSource, importSource, type SourceOptions } from './import-source.js';
import { jobLines } from './job-lines.js';
import { samplePasswords } from './sample-passwords.js';

export interface VerifyOptions extends ServiceOptions, Omit<SourceOptions, 'dryRun' | 'strict' | 'update'> {
  readonly differences?: string | undefined;
  readonly extra?: boolean | undefined;
  /** The file of the samples. */
  readonly passwords?: string | undefined;
  /** The organization in which the login names of the samples are looked up. */
  readonly org?: string | undefined;
}

/** Number of differences that the command shows. */
const shown = 10;
/** Longest difference that is shown, in characters. A longer one is cut. */
const shownLength = 500;

/** The options that are for a source alone. */
const sourceOptionNames = ['bucket', 'urlFile', 'path', 'storage', 'serviceAccount', 'external'] as const;

/**
 * Runs `muster verify`: compares the records of a file, an object of a bucket or an https address with what the service has, and samples of
 * passwords with the stored hashes. Sets the exit code of the process. @throws UsageError if nothing is to be compared, StartError
 */
export async function verifyFile(
  path: string | undefined,
  options: VerifyOptions,
  output: Output,
): Promise<void> {
  const { passwords, org: orgId } = options;
  const compares = path !== undefined || sourceOptionNames.some((name) => options[name] !== undefined);
  if (!compares && passwords === undefined) {
    throw new UsageError(
      'muster verify: a file, --bucket, --url-file or --passwords is required. See muster verify --help.',
    );
  }
  const wanted = { ...options, listExtra: options.extra, purpose: 'verify' } as const;
  if (passwords !== undefined && options.ownerOf !== undefined)
    throw new StartError('--passwords asks as an owner of the instance, so --owner-of is not for it');
  const source = compares ? await importSource(path, wanted, output) : undefined;
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const compared = source && (await compareSource(client, { source, options }, output));
  const sampled =
    passwords === undefined ? undefined : await samplePasswords(client, { path: passwords, orgId }, output);
  output.result({ ...compared?.told, ...(sampled && { passwords: sampled.counts }) });
  if (compared?.isSame === false || sampled?.areConfirmed === false) endWith('failed');
}

async function compareSource(
  client: AdminClient,
  { source, options }: { source: ImportSource; options: VerifyOptions },
  output: Output,
): Promise<{ isSame: boolean; told: object }> {
  const jobId = await source.send(client);
  const { state, result } = await followJob(client, { jobId, label: 'verify' }, output);
  const report = reportOf(result);
  const first: string[] = [];
  let found = 0;
  async function* lines() {
    for await (const chunk of jobLines(client, `/admin/v1/jobs/${argumentSegment(jobId)}/differences`)) {
      const pieces = chunk.map((one) => {
        found++;
        const line = JSON.stringify(source.placed(objectOf(one)));
        if (first.length < shown) first.push(line);
        return `${line}\n`;
      });
      yield pieces.join('');
    }
  }
  await writeLines(lines(), options.differences);
  const { same, missing, different, refused, extra, total } = report.counts;
  output.print(
    table(
      ['same', 'missing', 'different', 'refused', 'extra', 'total'],
      [[same, missing, different, refused, extra, total]],
    ),
  );
  const { sourceDigest, targetDigest } = report;
  if (sourceDigest !== undefined && targetDigest !== undefined) {
    output.print(`digest of the file     ${plainWord(sourceDigest)}`);
    output.print(`digest of the service  ${plainWord(targetDigest)}`);
  }
  for (const line of first) output.print(plainWord(line.slice(0, shownLength)));
  const more = found - first.length;
  if (more > 0)
    output.print(`... and ${more} more${options.differences ? ` in ${options.differences}` : ''}`);
  if (state !== 'completed') output.print(`\nThe verification ended early: ${plainWord(state)}`);
  for (const { message } of report.errors) {
    if (typeof message === 'string') output.print(plainWord(message.slice(0, shownLength)));
  }
  const inFile = options.differences !== undefined && { differencesFile: options.differences };
  const { counts, lists, errors } = report;
  const ended = errors.length > 0 && { errors };
  const told = { jobId, state, ...counts, sourceDigest, targetDigest, lists, ...ended, ...inFile };
  const differing = missing + different + refused + (options.extra === true ? extra : 0);
  return { isSame: state === 'completed' && differing === 0, told };
}

interface Report {
  readonly counts: Readonly<Record<'same' | 'missing' | 'different' | 'refused' | 'extra' | 'total', number>>;
  readonly sourceDigest: string | undefined;
  readonly targetDigest: string | undefined;
  readonly lists: readonly unknown[];
  /** Why the comparison ended before it was done. */
  readonly errors: readonly JsonObject[];
}

/** Reads the result of the job. What it does not have counts as none. */
function reportOf(result: unknown): Report {
  const { counts: given, sourceDigest, targetDigest, lists, errors } = isJsonObject(result) ? result : {};
  const counts = isJsonObject(given) ? given : {};
  const count = (name: string) => Number(counts[name] ?? 0);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    counts: {
      same: count('same'),
      missing: count('missing'),
      different: count('different'),
      refused: count('refused'),
      extra: count('extra'),
      total: count('total'),
    },
    sourceDigest: text(sourceDigest),
    targetDigest: text(targetDigest),
    lists: Array.isArray(lists) ? lists : [],
    errors: (Array.isArray(errors) ? errors : []).filter(isJsonObject),
  };
}

function objectOf(line: string): JsonObject {
  const value: unknown = JSON.parse(line);
  return isJsonObject(value) ? value : {};
}
