import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-failure.js';
import { type AdminClient, openAdminClient } from './admin-client.js';
import { followJob, type JobAnswer, jobOf, jobPath } from './follow-job.js';
import { errorsPath, type ImportErrors, readImportErrors } from './import-errors.js';
import { streamImport } from './import-stream.js';
import { rememberJob } from './remembered-job.js';
import { table } from './terminal/table.js';

/** Attempts to send a file. After this many attempts, another one does not help. */
const uploadTries = 10;

/** Runs `muster import`. Sets the exit code of the process. */
export async function importFile(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'base-url': { type: 'string' },
      'token-file': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      errors: { type: 'string' },
    },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new StartError('muster import takes one file');
  const dryRun = values['dry-run'];
  const client = await openAdminClient(values);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new StartError(`${path} is no file`);
  const { size, mtimeMs } = stats;
  const remembered = rememberJob(path, { baseUrl: client.baseUrl, size, mtimeMs, dryRun });

  // Check the address and the token before sending a large file.
  await client.insist('/jobs?limit=1');
  let jobId = await remembered.find();
  if (jobId !== undefined && !(await isThere(client, jobId))) jobId = undefined;
  if (jobId === undefined) {
    const sent = await client.insist('/import', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'respond-async' },
      body: () => streamImport(path, { size, dryRun }),
      tries: uploadTries,
    });
    jobId = jobOf(sent);
    await remembered.keep(jobId);
  }
  const job = await followJob(client, jobId, 'import');
  const errors = await readImportErrors(client, jobId, values.errors);
  await remembered.forget();
  const place = values.errors ?? `GET ${client.baseUrl}/admin/v1${errorsPath(jobId)}`;
  if (!tell(job, errors, place)) process.exitCode = 1;
}

async function isThere(client: AdminClient, jobId: string): Promise<boolean> {
  const answer = await client.insist(jobPath(jobId), { accepted: [404] });
  await answer.body?.cancel();
  return answer.ok;
}

/** Longest error that is shown, in characters. A longer one is cut. */
const shownLength = 500;

/**
 * Prints the result of the import. Returns whether everything was imported.
 * @param place where the user finds all errors
 */
function tell({ state, result }: JobAnswer, { counts, first }: ImportErrors, place: string): boolean {
  const { created = 0, skipped = 0, failed = 0, total = 0 } = summaryOf(result);
  console.log(table(['created', 'skipped', 'failed', 'total'], [[created, skipped, failed, total]]));
  if (counts.size > 0) {
    const sum = [...counts.values()].reduce((a, b) => a + b, 0);
    console.log(`\n${table(['error', 'count'], [...counts])}\n`);
    for (const line of first) console.log(line.slice(0, shownLength));
    if (sum > first.length) console.log(`... and ${sum - first.length} more. All of them: ${place}`);
  }
  if (state !== 'completed') console.log(`\nThe import is ${state}; the same command goes on with the rest.`);
  return state === 'completed' && failed === 0 && counts.size === 0;
}

function summaryOf(result: unknown): Partial<Record<'created' | 'skipped' | 'failed' | 'total', number>> {
  const summary = isJsonObject(result) ? result['summary'] : undefined;
  return isJsonObject(summary) ? summary : {};
}
