import { defineErrors } from '#src/platform/errors.js';

export const operationsErrors = defineErrors('operations', {
  tooManyStreams: { kind: 'unavailable', message: 'Too many open pages receive updates already' },
});
