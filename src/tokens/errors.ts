import { defineErrors } from '#src/platform/errors.js';

export const tokenErrors = defineErrors('tokens', {
  tokenMissing: { kind: 'unauthenticated', message: 'A bearer token is required' },
  tokenInvalid: { kind: 'unauthenticated', message: 'The bearer token is invalid, expired or revoked' },
  permissionMissing: { kind: 'forbidden', message: 'The caller lacks the permission for this operation' },
});
