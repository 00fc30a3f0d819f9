import t from 'tap';
import { isTransient, statusOf, toBlobError } from '#src/platform/blobs/gcs/gcs-errors.js';
import { blobErrors } from '#src/platform/blobs/transfer/blob-errors.js';
import { AppError } from '#src/platform/errors.js';

/** Errors as the library and its token client throw them. */
const thrown = (message: string, more: object = {}) => Object.assign(new Error(message), more);

t.test('what the storage answers is told by its own name', async (t) => {
  const cases: [Error, string, boolean][] = [
    [thrown('No such object: b/o', { code: 404 }), 'bucket.objectMissing', false],
    [thrown('The specified bucket does not exist.', { code: 404 }), 'bucket.bucketMissing', false],
    [thrown('Forbidden', { code: 403 }), 'bucket.permissionMissing', false],
    [thrown('Unauthorized', { status: 401 }), 'bucket.credentialsRefused', false],
    [
      thrown('invalid_grant: Invalid JWT Signature.', {
        status: 400,
        response: { status: 400, data: { error: 'invalid_grant' } },
      }),
      'bucket.credentialsRefused',
      false,
    ],
    [
      thrown('Request failed', { code: '400', response: { status: 400, data: { error: 'invalid_client' } } }),
      'bucket.credentialsRefused',
      false,
    ],
    [thrown('Bad Request', { code: 400 }), 'bucket.transferFailed', false],
    [thrown('Too many', { code: 429 }), 'bucket.transferFailed', true],
    [thrown('Unavailable', { response: { status: 503 } }), 'bucket.transferFailed', true],
    [thrown('socket hang up', { code: 'ECONNRESET' }), 'bucket.transferFailed', true],
    [thrown('getaddrinfo', { code: 'ENOTFOUND' }), 'bucket.hostUnknown', false],
    [thrown('fetch failed', { cause: { code: 'ENOTFOUND' } }), 'bucket.hostUnknown', false],
    [thrown('getaddrinfo', { code: 'EAI_AGAIN' }), 'bucket.transferFailed', true],
    [new AppError(blobErrors.checksumMismatch), 'bucket.checksumMismatch', false],
  ];
  for (const [error, id, transient] of cases) {
    t.equal(toBlobError(error).definition.id, id, error.message);
    t.equal(isTransient(error), transient, error.message);
  }
});

t.test('nothing that the library says reaches the client', async (t) => {
  const error = thrown('private_key -----BEGIN', { code: 500, config: { headers: { authorization: 'x' } } });
  const told = toBlobError(error);
  t.notMatch(told.message, /private_key/);
  t.equal(told.cause, undefined);
  t.equal(statusOf('no error'), undefined);
});
