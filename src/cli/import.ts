import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { StartError } from '#src/platform/start-failure.js';
import { type AdminClient, openAdminClient } from './admin-client.js';
import { eachAnswerLine } from './each-answer-line.js';
import { followJob, type JobAnswer, jobOf } from './follow-job.js';
import { streamImport } from './import-stream.js';
import { rememberJob } from './remembered-job.js';
import { table } from './table.js';

/** A file that cannot be sent in so many tries is not going to be. */
const uploadTries = 10;

/** `muster import`. Sets the exit code of the process. */
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

  // Asked before anything large is sent.
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
  const failures = await readErrors(client, jobId, values.errors);
  await remembered.forget();
  if (!tell(job, failures)) process.exitCode = 1;
}

async function isThere(client: AdminClient, jobId: string): Promise<boolean> {
  const answer = await client.insist(`/jobs/${encodeURIComponent(jobId)}`, { accepted: [404] });
  await answer.body?.cancel();
  return answer.ok;
}

/** Counts errors by type and code; keeps them in a file where one is named. */
async function readErrors(client: AdminClient, jobId: string, path: string | undefined) {
  const counts = new Map<string, number>();
  const answer = await client.insist(`/jobs/${encodeURIComponent(jobId)}/errors`);
  const file = path === undefined ? undefined : createWriteStream(path, { mode: 0o600 });
  await eachAnswerLine(answer, async (line) => {
    const { type = '', message = '' } = JSON.parse(line);
    const kind = `${type} ${/^[A-Z-]+(?=:)/.exec(message)?.[0] ?? ''}`.trim();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (file !== undefined && !file.write(`${line}\n`)) await once(file, 'drain');
  });
  if (file !== undefined) await finished(file.end());
  return counts;
}

/** Prints what it came to; whether everything is in. */
function tell({ state, result }: JobAnswer, failures: ReadonlyMap<string, number>): boolean {
  const { created = 0, skipped = 0, failed = 0, total = 0 } = summaryOf(result);
  console.log(table(['created', 'skipped', 'failed', 'total'], [[created, skipped, failed, total]]));
  if (failures.size > 0) console.log(`\n${table(['error', 'count'], [...failures])}`);
  if (state !== 'completed') console.log(`\nThe import is ${state}; the same command goes on with the rest.`);
  return state === 'completed' && failed === 0 && failures.size === 0;
}

function summaryOf(result: unknown): Partial<Record<'created' | 'skipped' | 'failed' | 'total', number>> {
  if (typeof result !== 'object' || result === null || !('summary' in result)) return {};
  const { summary } = result;
  return typeof summary === 'object' && summary !== null ? summary : {};
}
