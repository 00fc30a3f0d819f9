import type { AdminClient } from '../base/admin-client.js';
import { argumentSegment } from '../base/argument-segment.js';
import type { Output } from '../terminal/output.js';
import { jobOf } from './follow-job.js';
import type { ImportFile } from './import-file/open-import-file.js';
import { streamImport } from './import-stream.js';

/** What is done with records. Both purposes have the same sources. */
export type SourcePurpose = 'import' | 'verify';

/** Attempts to send a file. After this many attempts, another one does not help. */
const uploadTries = 10;

/**
 * The address of the API for a purpose.
 * @param ownerOf the organization whose owner asks. Absent: an owner of the instance asks
 */
export function addressFor(purpose: SourcePurpose | 'export', ownerOf?: string): string {
  return ownerOf === undefined
    ? `/admin/v1/${purpose}`
    : `/admin/v1/orgs/${argumentSegment(ownerOf)}/${purpose}`;
}

/** Sends the body of an import to the address of {@link addressFor}. Returns the identifier of the job. @throws StartError */
export async function sendImport(
  client: AdminClient,
  file: ImportFile,
  output: Pick<Output, 'progress'>,
  path: string,
): Promise<string> {
  const sent = await client.insist(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: () => streamImport(file, output),
    tries: uploadTries,
  });
  return jobOf(sent);
}
