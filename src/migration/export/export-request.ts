import type { Credential } from '#src/access/authority/index.js';
import type { AzureTarget } from '#src/platform/blobs/azure/azure-target.js';
import type { BlobTarget } from '#src/platform/blobs/blob-store.js';
import type { GcsTarget } from '#src/platform/blobs/gcs/gcs-target.js';
import type { S3Target } from '#src/platform/blobs/s3/s3-target.js';

/** What to export and where to write it. It is the input of the job. */
export interface ExportRequest {
  /** The organization whose owner exports it, and no other. Absent: an owner of the instance asks. */
  readonly orgId?: string;
  /** If empty, all organizations. */
  readonly orgIds: readonly string[];
  readonly excludedOrgIds: readonly string[];
  /** `passkeys`: the WebAuthn credentials alone. Absent for the organizations, without them. */
  readonly contents?: 'passkeys';
  readonly withPasswords: boolean;
  readonly withOtp: boolean;
  /** Stage the text, so that the requester can download it. */
  readonly responseOutput: boolean;
  /** Write the text to a bucket too. At most one of these is given. */
  readonly gcs?: GcsTarget;
  readonly s3?: S3Target;
  readonly azure?: AzureTarget;
  /** The requester. */
  readonly userId: string;
  /** The credential of the request. */
  readonly credential?: Credential;
  readonly deadline: Date;
}

/** The bucket of an export, and where the object is, as results and events name it. */
interface ExportTarget {
  readonly target: BlobTarget;
  readonly place: ExportDestination;
}

/** Where an export was written. */
export interface ExportDestination {
  readonly gcs?: { readonly bucket: string; readonly path: string };
  readonly s3?: { readonly bucket: string; readonly path: string };
  readonly azure?: { readonly container: string; readonly path: string };
}

/** Undefined if an export goes to no bucket. */
export function exportTargetOf({
  gcs,
  s3,
  azure,
}: Pick<ExportRequest, 'gcs' | 's3' | 'azure'>): ExportTarget | undefined {
  if (gcs) return { target: gcs, place: { gcs: { bucket: gcs.bucket, path: gcs.path } } };
  if (s3) return { target: s3, place: { s3: { bucket: s3.bucket, path: s3.path } } };
  return azure && { target: azure, place: { azure: { container: azure.container, path: azure.path } } };
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
