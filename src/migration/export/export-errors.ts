import { defineErrors } from '#src/platform/errors.js';

export const exportErrors = defineErrors('export', {
  outputMissing: {
    kind: 'invalid',
    message: 'The request names no output: responseOutput, gcsOutput, s3Output or azureOutput',
  },
  outputTwice: { kind: 'invalid', message: 'The request names two buckets or more' },
  timeoutInvalid: { kind: 'invalid', message: 'timeout is not a duration such as 30s, 5m or 1h30m0s' },
  secretsForOwners: {
    kind: 'forbidden',
    message: 'Only an owner of the instance exports password hashes and the secrets of second factors',
  },
  organizationUnknown: { kind: 'invalid', message: 'An organization of the request does not exist' },
  timedOut: { kind: 'timedOut', message: 'The export was not done in time; nothing was written' },
  cancelled: { kind: 'conflict', message: 'The export was cancelled; nothing was written' },
  failed: { kind: 'internal', message: 'The export failed; nothing was written' },
  resultMissing: { kind: 'notFound', message: 'The job has no result to download' },
  rangeInvalid: { kind: 'invalid', message: 'The range is not within the result' },
});
