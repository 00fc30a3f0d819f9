import type { ScimContext } from '../operations/context.js';
import type { BulkRequest } from './bulk-operation.js';

/**
 * The input of a Bulk job: the request, and the service user that sent it. The rights of the service user are not part of
 * it, because each attempt reads them again.
 */
export interface StagedBulk {
  readonly request: BulkRequest;
  readonly orgId: string;
  readonly userId: string;
  /** Whether the caller had signed in too long ago, when the request arrived, for an act that needs a fresh sign-in. */
  readonly signInIsOld?: true;
}

/** The input of a Bulk job as bytes. */
export function serializeBulk(context: ScimContext, request: BulkRequest): Buffer {
  const staged: StagedBulk = {
    request,
    orgId: context.organization.id,
    userId: context.editor.userId,
    ...(context.refuseOldSignIn && { signInIsOld: true }),
  };
  return Buffer.from(JSON.stringify(staged));
}

/** Reads what {@link serializeBulk} wrote. */
export function deserializeBulk(body: Buffer): StagedBulk {
  return JSON.parse(body.toString()) as StagedBulk;
}
