import { defineErrors } from '#src/platform/errors.js';

export const keyErrors = defineErrors('keys', {
  hashPoolSaturated: {
    kind: 'unavailable',
    message: 'Too many passwords are being hashed at the moment; try again shortly',
  },
  keyPairsSaturated: {
    kind: 'rateLimited',
    message: 'Too many key pairs of the organization are being made at the moment; try again shortly',
  },
  threadsSaturated: {
    kind: 'unavailable',
    message: 'Too much cryptographic work waits in this process; try again shortly',
  },
  nextKeyTooFresh: {
    kind: 'conflict',
    message: 'The next signing key is too new; clients may not know it yet',
  },
  notFound: { kind: 'notFound', message: 'Signing key not found' },
  stillNeeded: {
    kind: 'conflict',
    message: 'The key is the active or the next one; rotate the keys first',
  },
  rotating: { kind: 'conflict', message: 'Another process is rotating the signing keys' },
});
