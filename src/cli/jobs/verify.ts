import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../admin-client.js';
import { endWith } from '../exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { followJob } from './follow-job.js';
import { writeLines } from './import-errors.js';
import { openImportFile } from './import-file/open-import-file.js';
import { placedInFile } from './import-file/place-in-file.js';
import { jobLines } from './job-lines.js';
import { samplePasswords } from './sample-passwords.js';
import { sendImport } from './send-import.js';

export interface VerifyOptions extends ServiceOptions {
  readonly differences?: string | undefined;
  readonly timeout?: string | undefined;
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

/**
 * Runs `muster verify`: compares the records of a file with what the service has, and samples of passwords with the stored hashes. Sets
 * the exit code of the process. @throws StartError
 */
export async function verifyFile(
  path: string | undefined,
  options: VerifyOptions,
  output: Output,
): Promise<void> {
  const { passwords, org: orgId } = options;
  if (path === undefined && passwords === undefined)
    throw new StartError('A file or --passwords is required');
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const compared = path === undefined ? undefined : await compareFile(client, { path, options }, output);
  const sampled =
    passwords === undefined ? undefined : await samplePasswords(client, { path: passwords, orgId }, output);
  output.result({ ...compared?.told, ...(sampled && { passwords: sampled.counts }) });
  if (compared?.isSame === false || sampled?.areConfirmed === false) endWith('failed');
}

async function compareFile(
  client: AdminClient,
  { path, options }: { path: string; options: VerifyOptions },
  output: Output,
): Promise<{ isSame: boolean; told: object }> {
  const file = await openImportFile(path, { listExtra: options.extra, timeout: options.timeout });
  const jobId = await sendImport(client, file, output, 'verify');
  const { state, result } = await followJob(client, { jobId, label: 'verify' }, output);
  const report = reportOf(result);
  const first: string[] = [];
  let found = 0;
  async function* lines() {
    for await (const chunk of jobLines(client, `/admin/v1/jobs/${encodeURIComponent(jobId)}/differences`)) {
      const pieces = chunk.map((one) => {
        found++;
        const line = JSON.stringify(placedInFile(objectOf(one), file));
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
  if (state !== 'completed')
    output.print(`\nThe comparison is ${plainWord(state)}. It did not reach all records.`);
  const inFile = options.differences !== undefined && { differencesFile: options.differences };
  const { counts, lists } = report;
  const told = { jobId, state, ...counts, sourceDigest, targetDigest, lists, ...inFile };
  const differing = missing + different + refused + (options.extra === true ? extra : 0);
  return { isSame: state === 'completed' && differing === 0, told };
}

interface Report {
  readonly counts: Readonly<Record<'same' | 'missing' | 'different' | 'refused' | 'extra' | 'total', number>>;
  readonly sourceDigest: string | undefined;
  readonly targetDigest: string | undefined;
  readonly lists: readonly unknown[];
}

/** Reads the result of the job. What it does not have counts as none. */
function reportOf(result: unknown): Report {
  const { counts: given, sourceDigest, targetDigest, lists } = isJsonObject(result) ? result : {};
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
  };
}

function objectOf(line: string): JsonObject {
  const value: unknown = JSON.parse(line);
  return isJsonObject(value) ? value : {};
}
