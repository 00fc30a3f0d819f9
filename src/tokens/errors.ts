import { defineErrors } from '#src/platform/errors.js';

export const tokenErrors = defineErrors('tokens', {
  tokenMissing: { kind: 'unauthenticated', message: 'A bearer token is required' },
  tokenInvalid: { kind: 'unauthenticated', message: 'The bearer token is invalid, expired or revoked' },
  adminScopeMissing: {
    kind: 'forbidden',
    message:
      'The token is of a person and lacks the scope urn:service:iam:admin, which only an application that is marked for administration may request',
  },
  scimAlone: {
    kind: 'forbidden',
    message:
      'The token has the scope scim, which permits nothing but SCIM; ask for a token without it, or with urn:service:iam:admin beside it',
  },
  signInTooOld: {
    kind: 'unauthenticated',
    message: 'This step needs a person who has just signed in; sign in again',
  },
  permissionMissing: { kind: 'forbidden', message: 'The caller lacks the permission for this operation' },
});
