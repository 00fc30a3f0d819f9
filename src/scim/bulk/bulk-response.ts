import type { Job } from '#src/jobs/job.js';
import { AppError } from '#src/platform/errors.js';
import type { ScimContext } from '../operations/context.js';
import { urns } from '../protocol/urns.js';
import type { BulkOperation, BulkOperationResult } from './bulk-operation.js';
import { failed } from './bulk-result.js';
import { bulkErrors } from './errors.js';

/** A BulkResponse (RFC 7644 section 3.7). */
export interface BulkResponse {
  readonly schemas: readonly string[];
  readonly Operations: readonly BulkOperationResult[];
}

/** The response with the recorded results alone. It is complete if the job ended as completed. */
export function recordedResponse(job: Job): BulkResponse {
  const indexes = Object.keys(job.parts)
    .map(Number)
    .sort((a, b) => a - b);
  return response(indexes.map((index) => job.parts[String(index)] as BulkOperationResult));
}

/**
 * The response of an ended job. If the job ended early, operations without a result were not applied and have the status
 * 503. If failOnErrors stopped the job, they are absent.
 */
export function bulkResponse(
  job: Job,
  operations: readonly BulkOperation[],
  context: Pick<ScimContext, 'baseUrl' | 'plainErrors'>,
): BulkResponse {
  if (job.state === 'completed') return recordedResponse(job);
  const notRun = new AppError(bulkErrors.notRun);
  return response(
    operations.map(
      (operation, index) =>
        (job.parts[String(index)] as BulkOperationResult | undefined) ?? failed(operation, context, notRun),
    ),
  );
}

function response(results: readonly BulkOperationResult[]): BulkResponse {
  return { schemas: [urns.bulkResponse], Operations: results };
}
