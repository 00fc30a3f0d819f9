import type { FastifySchema } from 'fastify';
import type { ErrorForm } from '#src/http/base/error-form.js';
import type { ScimOperation } from '../description/describe-operation.js';

/**
 * Documents a SCIM route. The attribute table checks bodies and the SCIM renderer makes answers, so that clients get the
 * errors of RFC 7644. Fastify neither validates nor serializes. The schemas are loaded when the document is made.
 */
export function scimOperation(
  operationId: string,
  summary: string,
  operation: ScimOperation = {},
): FastifySchema {
  const { open = false, description } = operation;
  return {
    tags: ['scim'],
    operationId: `scim${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    summary,
    ...(description !== undefined && { description }),
    ...(!open && { security: [{ bearer: [] }] }),
    described: async () => {
      const { describeOperation } = await import('../description/describe-operation.js');
      return describeOperation(operation);
    },
  };
}

/** How SCIM answers errors, for the document. */
export const scimErrorForm: ErrorForm = {
  name: 'Scim',
  content: async () => {
    const { errorContent } = await import('../description/describe-operation.js');
    return errorContent;
  },
  unsupportedMedia: 'bodies',
  forUnknownMethods: true,
};
