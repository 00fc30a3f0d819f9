import { defineErrors } from '#src/platform/errors.js';

export const directoryErrors = defineErrors('directory', {
  organizationNotFound: { kind: 'notFound', message: 'Organization not found' },
  organizationNameDiffers: {
    kind: 'invalid',
    message: 'The name is not the name of the organization. Repeat it to confirm the removal',
    at: 'name',
  },
  organizationExists: {
    kind: 'conflict',
    message: 'An organization with this identifier or domain already exists',
  },
  identifierTaken: { kind: 'conflict', message: 'Another object has or had this identifier' },
  quotaExceeded: { kind: 'forbidden', message: 'A quota of the organization is used up' },
  eventsTooLarge: {
    kind: 'invalid',
    message:
      'The events have more than 4 MiB. Send a smaller limit, or read page by page: send an empty cursor first',
  },
  tooManySearches: {
    kind: 'rateLimited',
    message: 'Too many searches of the organization wait, or this one has waited for 10 seconds',
  },
  versionDiffers: {
    kind: 'preconditionFailed',
    message: 'The object was changed in the meantime. Read it again',
  },
  userNotFound: { kind: 'notFound', message: 'User not found' },
  tooManyUsers: {
    kind: 'conflict',
    message: 'More than 10,000 users match, or too many must be read to find them. Narrow the search',
  },
  tooManyActions: {
    kind: 'rateLimited',
    message: 'The organization has 10 open actions with several users, the most that it may',
  },
  trialUnderWay: {
    kind: 'conflict',
    message:
      'A trial of a sign-in policy is under way for this organization. Wait for its end, or cancel its job',
  },
  usersDiffer: {
    kind: 'conflict',
    message: 'The users who match are not those who were confirmed, or there are none. Nothing was done',
  },
  requesterStays: {
    kind: 'conflict',
    message: 'The requester cannot be deactivated together with others',
  },
  pictureInvalid: { kind: 'invalid', message: 'The picture cannot be used', at: 'picture' },
  logoNotFound: { kind: 'notFound', message: 'There is no such logo' },
  userNameTaken: {
    kind: 'conflict',
    message: 'The userName is taken in this organization',
    scimType: 'uniqueness',
    at: 'userName',
  },
  userIdTaken: {
    kind: 'conflict',
    message: 'The user identifier is taken',
    scimType: 'uniqueness',
    at: 'id',
  },
  changing: {
    kind: 'unavailable',
    message: 'Too many callers change this object at the same time; try again',
  },
  valueTaken: {
    kind: 'conflict',
    message: 'Another user of the organization has this value',
    scimType: 'uniqueness',
  },
  externalIdsShared: { kind: 'conflict', message: 'Several users have the same externalId' },
  extensionSchemaNotFound: { kind: 'notFound', message: 'The organization has registered no such schema' },
  extensionAttributeFixed: {
    kind: 'conflict',
    message: 'The type of an attribute, and how its values are found, cannot change',
  },
  extensionLimit: { kind: 'conflict', message: 'There are too many attributes of extensions' },
  valueInvalid: { kind: 'invalid', message: 'A value is not valid', scimType: 'invalidValue' },
  valueMissing: { kind: 'invalid', message: 'A required value is missing', scimType: 'invalidValue' },
  userOutranksCaller: {
    kind: 'forbidden',
    message:
      'The user has rights that the caller lacks. Only a caller with all of these rights can change the user',
  },
  passwordsOff: {
    kind: 'invalid',
    message: 'Nobody of the organization signs in with a password, so nobody gets one',
    scimType: 'invalidValue',
    at: 'password',
  },
  passwordWeak: {
    kind: 'invalid',
    message: 'The password does not fulfil the password policy of the organization',
    scimType: 'invalidValue',
  },
  passwordPepperNotFound: { kind: 'notFound', message: 'The organization has no pepper' },
  passkeyNotFound: { kind: 'notFound', message: 'The user has no such passkey' },
  passkeyTaken: { kind: 'conflict', message: 'Somebody has this passkey already' },
  tooManyPasskeys: { kind: 'conflict', message: 'A user can have 64 passkeys' },
  lastDemandedFactor: {
    kind: 'conflict',
    message: 'The person needs this factor to sign in, and must set up another one first',
  },
  relyingPartyDiffers: {
    kind: 'unavailable',
    message: 'The passkeys of this instance belong to another RP ID than that of this process',
  },
  migrationHookNotFound: { kind: 'notFound', message: 'The organization has no migration hook' },
  mailMissing: { kind: 'conflict', message: 'No mail server is configured' },
  mailAddressMissing: {
    kind: 'conflict',
    message: 'The user is inactive, or has no primary e-mail address that may receive the link',
  },
  attemptsFull: {
    kind: 'unavailable',
    message:
      'The memory for attempts of callers who are not signed in is full. Browsers in which the person has signed in before still sign in',
  },
  mailsLimit: {
    kind: 'rateLimited',
    message: 'The user or the address got several mails lately; try again later',
  },
  samplesExhausted: {
    kind: 'rateLimited',
    message: 'More than 1,000 sample passwords of one caller; try again later',
  },
  mailFailed: { kind: 'unavailable', message: 'The mail server did not take the mail; try again later' },
  linksUnderWay: { kind: 'conflict', message: 'Links are being made for this organization' },
  linkInvalid: { kind: 'invalid', message: 'The link was already used, has expired or does not exist' },
  serviceUserNotFound: { kind: 'notFound', message: 'Service user not found' },
  clientIdTaken: {
    kind: 'conflict',
    message: 'A service user of this organization has this userName',
    at: 'userName',
  },
  secretNotFound: { kind: 'notFound', message: 'Secret not found' },
  secretLimit: { kind: 'conflict', message: 'There are at most 5 secrets at once; remove one first' },
  applicationNotFound: { kind: 'notFound', message: 'Application not found' },
  applicationGrantNotFound: {
    kind: 'notFound',
    message: 'The organization has not granted this application',
  },
  consentNotFound: { kind: 'notFound', message: 'The user has not consented to this application' },
  projectTaken: { kind: 'conflict', message: 'The project identifier is in use elsewhere', at: 'projectId' },
  projectNotFound: { kind: 'notFound', message: 'Project not found' },
  projectInUse: {
    kind: 'conflict',
    message: 'Applications or grants belong to the project; remove them first',
  },
  projectRoleNotFound: { kind: 'notFound', message: 'The project has no such role' },
  projectRoleExists: { kind: 'conflict', message: 'The project already has a role with this key', at: 'key' },
  projectRoleInUse: { kind: 'conflict', message: 'Grants name the role; change them first' },
  projectMemberNotFound: { kind: 'notFound', message: 'The user is no member of the project' },
  projectMemberExists: { kind: 'conflict', message: 'The user is already a member of the project' },
  userGrantNotFound: { kind: 'notFound', message: 'The user has no grant of the project' },
  userGrantExists: { kind: 'conflict', message: 'The user already has a grant of the project' },
  groupGrantNotFound: { kind: 'notFound', message: 'The group has no grant of the project' },
  groupGrantExists: { kind: 'conflict', message: 'The group already has a grant of the project' },
  groupNotFound: { kind: 'notFound', message: 'Group not found' },
  groupNameTaken: {
    kind: 'conflict',
    message: 'The displayName is taken by a group of this organization',
    scimType: 'uniqueness',
    at: 'displayName',
  },
  groupOutranksCaller: {
    kind: 'forbidden',
    message:
      'The group holds roles that the caller could not give. Only a caller who could can change the group',
  },
  memberUnknown: {
    kind: 'invalid',
    message: 'A member is no user of the organization',
    scimType: 'invalidValue',
    at: 'members',
  },
  metadataNotFound: { kind: 'notFound', message: 'The user has no metadata under this key' },
  domainNotFound: { kind: 'notFound', message: 'The organization has no such domain' },
  domainVerified: { kind: 'conflict', message: 'The domain is verified already' },
  domainPublic: {
    kind: 'invalid',
    message: 'Everybody can have a mailbox in this domain, so no organization proves it',
    at: 'domainName',
  },
  domainProofNotFound: { kind: 'notFound', message: 'The proof of the domain has not begun' },
  domainAskedLately: {
    kind: 'rateLimited',
    message: 'The record was looked for a moment ago; try again in 10 seconds',
  },
  domainExists: { kind: 'conflict', message: 'The organization already has this domain', at: 'domainName' },
  secretUnused: {
    kind: 'conflict',
    message: 'The application does not authenticate with a secret',
  },
  personalAccessTokenLimit: {
    kind: 'conflict',
    message: 'A service user has at most 100 personal access tokens at once; remove one first',
  },
  keyNotFound: { kind: 'notFound', message: 'Key not found' },
  keyExists: { kind: 'conflict', message: 'A key with this identifier already exists', at: 'jwk' },
  keyLimit: { kind: 'conflict', message: 'There are at most ten keys at once; remove one first' },
  federatedCredentialNotFound: { kind: 'notFound', message: 'Federated credential not found' },
  federatedCredentialExists: {
    kind: 'conflict',
    message: 'The service user already trusts this issuer, subject and audience',
    at: 'issuer',
  },
  federatedCredentialLimit: {
    kind: 'conflict',
    message: 'There are at most 20 federated credentials at once; remove one first',
  },
  issuerUnusable: { kind: 'invalid', message: 'The keys of the issuer cannot be read', at: 'issuer' },
  issuerUnavailable: { kind: 'unavailable', message: 'The keys of the outside issuer cannot be read now' },
  tokenNotFound: { kind: 'notFound', message: 'Personal access token not found' },
  membershipNotFound: { kind: 'notFound', message: 'Membership not found' },
  membershipExists: { kind: 'conflict', message: 'The user already has this role', at: 'role' },
  passkeyUntested: {
    kind: 'conflict',
    message: 'Before passwords end, an owner must sign in with a passkey, so that it is known to work',
  },
  groupNamedByPolicy: {
    kind: 'conflict',
    message: 'The sign-in policy of the organization names the group. Change the policy first',
  },
  lastAbleOwner: {
    kind: 'conflict',
    message:
      'An owner who can sign in must stay; first give the role to another active person with a password',
  },
  lastOwner: { kind: 'conflict', message: 'The instance must keep an active service user that is IAM_OWNER' },
});
