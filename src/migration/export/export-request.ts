import type { Credential } from '#src/directory/memberships/requester.js';
import type { BlobTarget } from '#src/platform/blobs/blob-store.js';

/** What to export, and where to; staged sealed with the job. */
export interface ExportRequest {
  /** Empty: all organizations. */
  readonly orgIds: readonly string[];
  readonly excludedOrgIds: readonly string[];
  readonly withPasswords: boolean;
  readonly withOtp: boolean;
  /** Keep the text for whoever asked. */
  readonly responseOutput: boolean;
  readonly gcs?: BlobTarget;
  /** Who asked. */
  readonly userId: string;
  /** What they asked for it with. */
  readonly credential?: Credential;
  readonly deadline: Date;
}

export function writeExportRequest(request: ExportRequest): Buffer {
  return Buffer.from(JSON.stringify(request));
}

export function readExportRequest(body: Buffer): ExportRequest {
  const { deadline, ...request } = JSON.parse(body.toString()) as Omit<ExportRequest, 'deadline'> & {
    deadline: string;
  };
  return { ...request, deadline: new Date(deadline) };
}
