import { isJsonObject } from '#src/platform/json/json-object.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../admin-client.js';
import { endWith } from '../exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { dryRun } from './dry-run.js';
import { errorsPath, writeLines } from './import-errors.js';
import { openImportFile } from './import-file/open-import-file.js';
import { placedInFile } from './import-file/place-in-file.js';
import { jobLines } from './job-lines.js';

export interface VerifyOptions extends ServiceOptions {
  readonly differences?: string | undefined;
  readonly timeout?: string | undefined;
}

/** A record of the file that the service does not have as the file says. */
interface Difference {
  /** `refused`: the service could not have the record, so it compares nothing. */
  readonly kind: 'missing' | 'different' | 'refused';
  readonly [fact: string]: unknown;
}

/** Number of differences that the command shows. */
const shown = 10;
/** Longest difference that is shown, in characters. A longer one is cut. */
const shownLength = 500;

/**
 * Runs `muster verify`: a dry run of the import compares each attribute of each record with what the service has. Sets the exit code
 * of the process.
 */
export async function verifyFile(path: string, options: VerifyOptions, output: Output): Promise<void> {
  const client = await openAdminClient(options, output.note);
  const file = await openImportFile(path, { dryRun: true, timeout: options.timeout });
  const { jobId, state, outcome } = await dryRun(client, { file, label: 'verify' }, output);
  const { skipped: same, total } = outcome;
  // A file that is a body may ask for an update. An update would change these records.
  const counts = { missing: 0, different: outcome.updated ?? 0, refused: 0 };
  const first: string[] = [];
  async function* lines() {
    for await (const found of differencesOf(client, jobId)) {
      const pieces = found.map((one) => {
        counts[one.kind]++;
        const line = JSON.stringify(placedInFile(one, file));
        if (first.length < shown) first.push(line);
        return `${line}\n`;
      });
      yield pieces.join('');
    }
  }
  await writeLines(lines(), options.differences);
  const { missing, different, refused } = counts;
  output.print(
    table(['same', 'missing', 'different', 'refused', 'total'], [[same, missing, different, refused, total]]),
  );
  for (const line of first) output.print(plainWord(line.slice(0, shownLength)));
  const more = missing + different + refused - first.length;
  if (more > 0)
    output.print(`... and ${more} more${options.differences ? ` in ${options.differences}` : ''}`);
  if (state !== 'completed')
    output.print(`\nThe comparison is ${plainWord(state)}. It did not reach all records.`);
  const told = options.differences !== undefined && { differencesFile: options.differences };
  output.result({ jobId, state, same, missing, different, refused, total, ...told });
  if (state !== 'completed' || missing + different + refused > 0) endWith('failed');
}

/** Records that an import would create are missing. Others differ, or would be refused. */
async function* differencesOf(client: AdminClient, jobId: string): AsyncGenerator<Difference[]> {
  const created = `/admin/v1/jobs/${encodeURIComponent(jobId)}/created`;
  for await (const lines of jobLines(client, created))
    yield lines.map((line) => ({ kind: 'missing', ...objectOf(line) }));
  for await (const lines of jobLines(client, errorsPath(jobId))) yield lines.flatMap(differenceOf);
}

/** An error of the job itself is told by its state. */
function differenceOf(line: string): Difference[] {
  const error = objectOf(line);
  const { type, message } = error;
  if (type === 'import' || type === 'timeout') return [];
  const isDifferent = String(message).startsWith('OTHER-CONTENT:');
  return [{ kind: isDifferent ? 'different' : 'refused', ...error }];
}

function objectOf(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line);
  return isJsonObject(value) ? value : {};
}
