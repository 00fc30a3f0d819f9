import { defineErrors } from '#src/platform/errors.js';

export const jobErrors = defineErrors('jobs', {
  jobNotFound: { kind: 'notFound', message: 'Job not found' },
});
