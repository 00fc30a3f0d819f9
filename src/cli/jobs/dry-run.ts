import type { AdminClient } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import { followJob } from './follow-job.js';
import type { ImportFile } from './import-file/open-import-file.js';
import { type ImportOutcome, outcomeOf } from './import-outcome.js';
import { addressFor, sendImport } from './send-import.js';

/** A dry run of an import that has ended. */
interface DryRun {
  readonly jobId: string;
  readonly state: string;
  readonly outcome: ImportOutcome;
}

/**
 * Sends a file as a dry run of an import, and follows it to its end. It checks the address and the token before.
 * @param dry `file`: opened as a dry run. `label`: what the progress is called
 * @throws StartError
 */
export async function dryRun(
  client: AdminClient,
  { file, label }: { file: ImportFile; label: string },
  output: Output,
): Promise<DryRun> {
  await client.connect();
  const jobId = await sendImport(client, file, output, addressFor('import'));
  const { state, result } = await followJob(client, { jobId, label }, output);
  return { jobId, state, outcome: outcomeOf(result) };
}
