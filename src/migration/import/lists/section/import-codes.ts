import { defineErrors } from '#src/platform/errors.js';

/** The stable codes of import errors, and the text of each. Each message in `errors` begins with its code. */
export const importCodes = {
  'ORG-NOT-FOUND': 'The organization does not exist',
  'ORG-FAILED': 'The organization of the record was not imported',
  'LIST-UNKNOWN': 'The organization has lists that this form of import does not know; they are not imported',
  'RECORD-NOT-UTF8': 'The record is not UTF-8',
  'RECORD-MALFORMED': 'The record is not JSON',
  'RECORD-DUPLICATE-KEY': 'The record has a key twice',
  'RECORD-TOO-LARGE': 'The record is larger than 1 MiB, or has more than 20,000 members',
  'RECORD-TOO-DEEP': 'The record is nested more than 32 levels deep',
  'RECORD-INVALID': 'The record does not have the expected shape',
  'VALUE-INVALID': 'A value is not valid',
  'VALUE-MISSING': 'A required value is missing',
  'PASSWORD-WEAK': 'The password does not fulfil the password policy of the organization',
  'PASSWORDS-OFF':
    'Nobody of the organization signs in with a password; leave passwords out, or have them dropped with unreadableHashes',
  'PASSWORD-TWICE': 'The record has both a password and a password hash',
  'HASH-MISSING': 'The record has neither a password hash nor a verified e-mail address',
  'HASH-UNREADABLE': 'The password hash is not in a form that is taken; /docs/password-hashes has them all',
  'HASH-COST':
    'The cost of the password hash is out of the bounds that /docs/password-hashes has for its form',
  'OTP-UNREADABLE': 'The secret of the second factor is not base32 of 80 to 512 bits',
  LOSS: 'The record has values that reach nothing, and the import is strict',
  'ID-TAKEN': 'The identifier is taken',
  'NAME-TAKEN': 'The name is taken in the organization',
  'VALUE-TAKEN': 'Another user of the organization has this value',
  'OTHER-CONTENT':
    'An object with this identifier exists, and differs in the attributes that the message names',
  'USER-OUTRANKS':
    'The user has rights that the requester lacks, and the record changes how the user signs in',
  'LAST-OWNER': 'The record deactivates the last owner who can sign in',
  'NOT-PERMITTED': 'Only an owner of the instance may import this: a domain that counts as verified',
  'REFERENCE-UNKNOWN': 'The record refers to an object that does not exist in the organization',
  'QUOTA-EXCEEDED': 'A quota of the organization is used up',
  CONFLICT: 'Other callers changed the same data at the same time, several times',
  FAULT: 'The record could not be imported',
  TIMEOUT: 'The timeout passed before the job was done',
  CANCELLED: 'The job was cancelled',
  STOPPED: 'The job failed',
} as const satisfies Record<string, string>;

export type ImportCode = keyof typeof importCodes;

/** The errors of a whole import. Nothing of it is imported then. */
export const importErrors = defineErrors('import', {
  bodyMalformed: { kind: 'invalid', message: 'The import is not well-formed' },
  timeoutInvalid: {
    kind: 'invalid',
    message: 'timeout is not a duration such as 30s, 5m or 1h30m0s, of at most 72h',
  },
  dataMissing: {
    kind: 'invalid',
    message:
      'Exactly one of dataOrgs, dataOrgsGcs, dataOrgsS3, dataOrgsAzure, dataOrgsHttps, and these with dataOrgsv1 in place of dataOrgs, must be given',
  },
  abandoned: { kind: 'unavailable', message: 'The import stood still for too long; send it again' },
  tooLarge: { kind: 'tooLarge', message: 'The import is larger than MUSTER_IMPORT_MAX_BYTES' },
  addressForOwners: {
    kind: 'forbidden',
    message: 'Only an owner of the instance imports from an https address',
  },
  organizationBusy: {
    kind: 'rateLimited',
    message: 'The organization has as many imports or exports as it may have at once; try again later',
  },
});
