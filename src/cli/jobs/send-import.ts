import type { AdminClient } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import { jobOf } from './follow-job.js';
import type { ImportFile } from './import-file/open-import-file.js';
import { streamImport } from './import-stream.js';

/** What is done with records. Both purposes have the same sources. */
export type SourcePurpose = 'import' | 'verify';

/** Attempts to send a file. After this many attempts, another one does not help. */
const uploadTries = 10;

/** Sends the body of an import, to be imported or to be verified. Returns the identifier of the job. @throws StartError */
export async function sendImport(
  client: AdminClient,
  file: ImportFile,
  output: Pick<Output, 'progress'>,
  purpose: SourcePurpose = 'import',
): Promise<string> {
  const sent = await client.insist(`/admin/v1/${purpose}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: () => streamImport(file, output),
    tries: uploadTries,
  });
  return jobOf(sent);
}
