import { defineErrors } from '#src/platform/errors.js';

export const bulkErrors = defineErrors('bulk', {
  unresolvedReference: {
    kind: 'invalid',
    scimType: 'invalidValue',
    message: 'A bulkId refers to no resource that this request made',
  },
  circularReference: { kind: 'conflict', message: 'The references of this operation lead back to itself' },
  methodUnsupported: {
    kind: 'invalid',
    scimType: 'invalidValue',
    message: 'The method of the operation is not POST, PUT, PATCH or DELETE',
  },
  pathUnsupported: { kind: 'notFound', message: 'The path of the operation names no resource' },
  dataMissing: { kind: 'invalid', scimType: 'invalidSyntax', message: 'The operation needs data' },
  fault: { kind: 'internal', message: 'An unexpected error occurred in this operation' },
  notRun: {
    kind: 'unavailable',
    message: 'The request ended before this operation was run. Nothing of it was applied; send it again',
  },
});
