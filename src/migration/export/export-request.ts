import type { Credential } from '#src/directory/memberships/requester.js';
import type { BlobTarget } from '#src/platform/blobs/blob-store.js';

/** What to export and where to write it. It is the input of the job. */
export interface ExportRequest {
  /** If empty, all organizations. */
  readonly orgIds: readonly string[];
  readonly excludedOrgIds: readonly string[];
  readonly withPasswords: boolean;
  readonly withOtp: boolean;
  /** Stage the text, so that the requester can download it. */
  readonly responseOutput: boolean;
  readonly gcs?: BlobTarget;
  /** The requester. */
  readonly userId: string;
  /** The credential of the request. */
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
