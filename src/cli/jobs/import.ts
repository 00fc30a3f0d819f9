import { isJsonObject } from '#src/platform/json/json-object.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { endWith } from '../base/exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { followJob, type JobAnswer, jobPath } from './follow-job.js';
import { errorsPath, type ImportErrors, readImportErrors } from './import-errors.js';
import { outcomeOf, type Warning } from './import-outcome.js';
import { importSource, type SourceOptions } from './import-source.js';
import { type RememberedJob, rememberJob } from './remembered-job.js';

/** States of a job that ended before it was done. The file is then sent again. */
const brokenStates = ['failed', 'expired', 'cancelled'];

interface ImportOptions extends ServiceOptions, SourceOptions {
  readonly errors?: string | undefined;
}

/** Runs `muster import`. Sets the exit code of the process. */
export async function importFile(
  path: string | undefined,
  options: ImportOptions,
  output: Output,
): Promise<void> {
  const source = await importSource(path, options, output);
  const client = await openAdminClient(options, output.note);
  const remembered = rememberJob(source.name, { baseUrl: client.baseUrl, ...source.request });
  const send = async () => {
    // Check the address and the token before sending a large file.
    await client.connect();
    const jobId = await source.send(client);
    await remembered.keep(jobId);
    return jobId;
  };
  const jobId = (await findAgain(client, remembered)) ?? (await send());
  // The file may ask for a dry run too. A service of an earlier version does not say what it does.
  const isDry = ({ dryRun = options.dryRun === true }: JobAnswer) => dryRun;
  const label = (answer: JobAnswer) => (isDry(answer) ? 'dry run' : 'import');
  const job = await followJob(client, { jobId, label }, output);
  const errors = await readImportErrors(client, jobId, {
    path: options.errors,
    placed: source.placed,
  });
  await remembered.forget();
  const place = options.errors ?? `GET ${client.baseUrl}${errorsPath(jobId)}`;
  if (!tell({ ...job, dryRun: isDry(job) }, { errors, place, file: options.errors }, output))
    endWith('failed');
}

/**
 * Returns the job that an earlier command began, if the service still has it and the job did not end before it was done. The
 * service accepted the job, so the client insists.
 */
async function findAgain(client: AdminClient, remembered: RememberedJob): Promise<string | undefined> {
  const jobId = await remembered.find();
  if (jobId === undefined) return undefined;
  const answer = await client.insist(jobPath(jobId), { accepted: [404] });
  if (!answer.ok) {
    await answer.body?.cancel();
    return undefined;
  }
  const job: unknown = await answer.json();
  const isBroken = isJsonObject(job) && brokenStates.some((state) => state === job['state']);
  return isBroken ? undefined : jobId;
}

/** The headings of the counts of a dry run. */
const rehearsed: Readonly<Record<string, string>> = {
  created: 'would be created',
  updated: 'would be updated',
  skipped: 'would be skipped',
  failed: 'would fail',
};
/** Number of warnings that the command shows. */
const shownWarnings = 20;
/** Longest error that is shown, in characters. A longer one is cut. */
const shownLength = 500;

/**
 * Prints the result of the import or of its dry run. Returns whether everything was or would be imported.
 * @param told `place` is where the user finds all errors, `file` the file that has them
 */
function tell(
  { id: jobId, state, dryRun, result }: JobAnswer & { dryRun: boolean },
  { errors, place, file }: { errors: ImportErrors; place: string; file: string | undefined },
  output: Output,
): boolean {
  const { counts, first } = errors;
  const { warnings, signIns, ...outcome } = outcomeOf(result);
  const { failed } = outcome;
  const headings = Object.keys(outcome);
  output.print(
    table(dryRun ? headings.map((name) => rehearsed[name] ?? name) : headings, [Object.values(outcome)]),
  );
  const sum = [...counts.values()].reduce((a, b) => a + b, 0);
  if (counts.size > 0) {
    output.print(`\n${table(['error', 'count'], [...counts])}\n`);
    for (const line of first) output.print(plainWord(line.slice(0, shownLength)));
    if (sum > first.length) output.print(`... and ${sum - first.length} more. All of them: ${place}`);
  }
  if (signIns !== undefined) {
    output.print(`\nHow the people sign in first:\n${table(Object.keys(signIns), [Object.values(signIns)])}`);
  }
  if (warnings.length > 0) {
    output.print(`\nValues that reached nothing:\n${warningTable(warnings.slice(0, shownWarnings))}`);
    if (warnings.length > shownWarnings) output.print(`... and ${warnings.length - shownWarnings} more`);
  }
  if (state !== 'completed') {
    const next = dryRun ? 'checks the file again' : 'goes on with the rest';
    output.print(`\nThe ${dryRun ? 'dry run' : 'import'} is ${plainWord(state)}; the same command ${next}.`);
  }
  if (dryRun) output.print('\nThis was a dry run. Nothing was changed.');
  output.result({
    jobId,
    state,
    dryRun,
    ...outcome,
    errors: sum,
    errorCounts: Object.fromEntries(counts),
    firstErrors: first.map((line): unknown => JSON.parse(line)),
    ...(signIns && { signIns }),
    ...(warnings.length > 0 && { warnings }),
    ...(file !== undefined && { errorsFile: file }),
  });
  return state === 'completed' && failed === 0 && counts.size === 0;
}

function warningTable(warnings: readonly Warning[]): string {
  return table(
    ['path', 'records', 'first line'],
    warnings.map(({ path, count, line }) => [path, count, line ?? '']),
  );
}
