import type { AdminClient } from '../admin-client.js';
import type { Output } from '../terminal/output.js';
import { followJob } from './follow-job.js';
import { type ImportOutcome, outcomeOf } from './import-outcome.js';
import { type ImportFile, importFileAt } from './import-stream.js';
import { sendImport } from './send-import.js';

/** A dry run of an import that has ended. */
export interface DryRun {
  readonly jobId: string;
  readonly state: string;
  readonly outcome: ImportOutcome;
}

/**
 * Checks the address and the token, sends a file as a dry run of an import, and follows it to its end.
 * @param label of the progress
 * @throws StartError
 */
export async function dryRun(
  client: AdminClient,
  { path, label }: Pick<ImportFile, 'path'> & { label: string },
  output: Output,
): Promise<DryRun> {
  const { size } = importFileAt(path);
  await client.connect();
  const jobId = await sendImport(client, { path, size, flags: ['dryRun'] }, output);
  const { state, result } = await followJob(client, { jobId, label }, output);
  return { jobId, state, outcome: outcomeOf(result) };
}
