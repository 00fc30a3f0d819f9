import { defineErrors } from '#src/platform/errors.js';

export const directoryErrors = defineErrors('directory', {
  organizationNotFound: { kind: 'notFound', message: 'Organization not found' },
  organizationExists: {
    kind: 'conflict',
    message: 'An organization with this identifier or domain exists already',
  },
  userNotFound: { kind: 'notFound', message: 'User not found' },
  userNameTaken: {
    kind: 'conflict',
    message: 'The userName is taken in this organization',
    scimType: 'uniqueness',
  },
  userIdTaken: { kind: 'conflict', message: 'The user identifier is taken', scimType: 'uniqueness' },
  userChanging: {
    kind: 'unavailable',
    message: 'The user is being changed by many callers at once; try again',
  },
  changing: {
    kind: 'unavailable',
    message: 'This is being changed by many callers at once; try again',
  },
  valueInvalid: { kind: 'invalid', message: 'A value is not valid', scimType: 'invalidValue' },
  valueMissing: { kind: 'invalid', message: 'A required value is missing', scimType: 'invalidValue' },
  passwordWeak: {
    kind: 'invalid',
    message: 'The password does not fulfil the password policy of the organization',
    scimType: 'invalidValue',
  },
  linkInvalid: { kind: 'invalid', message: 'The link was used already, has expired or never was' },
  serviceUserNotFound: { kind: 'notFound', message: 'Service user not found' },
  clientIdTaken: { kind: 'conflict', message: 'A service user of this organization has this userName' },
  secretNotFound: { kind: 'notFound', message: 'Secret not found' },
  secretLimit: { kind: 'conflict', message: 'There are at most two secrets at once; remove one first' },
  applicationNotFound: { kind: 'notFound', message: 'Application not found' },
  projectTaken: { kind: 'conflict', message: 'The project identifier is in use elsewhere' },
  secretUnused: {
    kind: 'conflict',
    message: 'The application does not authenticate with a secret',
  },
  keyNotFound: { kind: 'notFound', message: 'Key not found' },
  keyExists: { kind: 'conflict', message: 'There is a key with this identifier already' },
  keyLimit: { kind: 'conflict', message: 'There are at most ten keys at once; remove one first' },
  tokenNotFound: { kind: 'notFound', message: 'Personal access token not found' },
  membershipNotFound: { kind: 'notFound', message: 'Membership not found' },
  membershipExists: { kind: 'conflict', message: 'The user has this role already' },
  lastOwner: { kind: 'conflict', message: 'The instance must keep an active service user that is IAM_OWNER' },
});
