import { defineErrors } from '#src/platform/errors.js';

export const jobsPageErrors = defineErrors('operations', {
  tooManyStreams: {
    kind: 'unavailable',
    message: 'Too many open pages receive updates already; try again shortly',
  },
});
