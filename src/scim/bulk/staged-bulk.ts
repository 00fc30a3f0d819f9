import type { ScimContext } from '../operations/context.js';
import type { BulkRequest } from './bulk-operation.js';

/**
 * What a Bulk job works on, as it is staged (sealed): the request, and on whose behalf it runs. What that caller may
 * do is not staged: each attempt asks anew.
 */
export interface StagedBulk {
  readonly request: BulkRequest;
  readonly orgId: string;
  readonly userId: string;
}

export function stageBulk(context: ScimContext, request: BulkRequest): Buffer {
  const staged: StagedBulk = {
    request,
    orgId: context.organization.id,
    userId: context.editor.userId,
  };
  return Buffer.from(JSON.stringify(staged));
}

export function unstageBulk(body: Buffer): StagedBulk {
  return JSON.parse(body.toString()) as StagedBulk;
}
