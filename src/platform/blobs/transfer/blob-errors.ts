import { defineErrors } from '../../errors.js';
import { largestExpansion } from '../../expansion.js';

export const blobErrors = defineErrors('bucket', {
  targetInvalid: { kind: 'invalid', message: 'Bucket or path is not valid' },
  serviceAccountInvalid: { kind: 'invalid', message: 'The service account cannot be used' },
  credentialsInvalid: { kind: 'invalid', message: 'The credentials cannot be used' },
  hostNotAllowed: {
    kind: 'invalid',
    message:
      'The host of the storage is neither a public host of its provider nor in MUSTER_BUCKET_HOSTS, the list of ' +
      'other hosts that this service uses',
  },
  operatorsOwn: {
    kind: 'forbidden',
    message:
      'An owner of an organization uses buckets at the public hosts of Google, Amazon and Microsoft alone. Addresses and other hosts are for owners of the instance',
  },
  hostUnknown: { kind: 'invalid', message: 'The host of the storage has no address' },
  hostUnresolved: {
    kind: 'unavailable',
    message: 'No name server tells the address of the storage; try again shortly',
  },
  hostUntrusted: {
    kind: 'invalid',
    message: 'The host of the storage has no certificate that is trusted here',
  },
  credentialsRefused: { kind: 'invalid', message: 'The storage refuses the credentials' },
  permissionMissing: {
    kind: 'invalid',
    message: 'The credentials lack the permission, or the object does not exist',
  },
  bucketMissing: { kind: 'invalid', message: 'The bucket does not exist' },
  objectMissing: { kind: 'invalid', message: 'The object does not exist' },
  objectChanged: { kind: 'invalid', message: 'The object was replaced while it was read' },
  redirected: {
    kind: 'invalid',
    message: 'The storage refers to another host, which is not asked; check the region and the endpoint',
  },
  refused: { kind: 'invalid', message: 'The storage refuses the request' },
  tooSlow: {
    kind: 'unavailable',
    message: 'The storage did not answer, or sent too few bytes, several times; try again shortly',
  },
  transferFailed: {
    kind: 'unavailable',
    message: 'The bucket did not transfer the object; try again shortly',
  },
  truncated: {
    kind: 'unavailable',
    message: 'The bucket ended the download too early several times; try again shortly',
  },
  expandsTooMuch: {
    kind: 'invalid',
    message: `The object becomes more than ${largestExpansion} times as long when it is unpacked`,
  },
  checksumMismatch: {
    kind: 'unavailable',
    message: 'The transferred bytes do not match the checksum of the object; try again',
  },
});
