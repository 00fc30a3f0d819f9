import { defineErrors } from '#src/platform/errors.js';

export const keyErrors = defineErrors('keys', {
  hashPoolSaturated: {
    kind: 'unavailable',
    message: 'Too many passwords are being hashed at the moment; try again shortly',
  },
});
