import t from 'tap';
import { toAzureFault } from '#src/platform/blobs/azure/azure-faults.js';
import { Crc64Nvme } from '#src/platform/blobs/s3/crc64-nvme.js';
import { toS3Fault } from '#src/platform/blobs/s3/s3-faults.js';
import { StorageAway, type TransientFault } from '#src/platform/blobs/transfer/storage-faults.js';
import { AppError } from '#src/platform/errors.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';

/** Errors as the libraries throw them, with a text that a server chose. */
const ofS3 = (name: string, httpStatusCode: number) =>
  Object.assign(new Error('chosen'), { name, $metadata: { httpStatusCode } });
const ofAzure = (code: string | undefined, statusCode: number) =>
  Object.assign(new Error('chosen'), { name: 'RestError', code, statusCode });

/** The identifier of the fault; `~` stands before that of a transient one. */
function idOf(fault: AppError | TransientFault): string {
  const error = fault instanceof AppError ? fault : fault.outcome;
  return `${fault instanceof AppError ? '' : '~'}${error.definition.id}`;
}

t.test('what a storage answers is told by its own name', async (t) => {
  const cases: [AppError | TransientFault, string][] = [
    [toS3Fault(ofS3('NoSuchKey', 404)), 'bucket.objectMissing'],
    [toS3Fault(ofS3('NoSuchBucket', 404)), 'bucket.bucketMissing'],
    [toS3Fault(ofS3('AccessDenied', 403)), 'bucket.permissionMissing'],
    [toS3Fault(ofS3('InvalidAccessKeyId', 403)), 'bucket.credentialsRefused'],
    [toS3Fault(ofS3('SignatureDoesNotMatch', 403)), 'bucket.credentialsRefused'],
    [toS3Fault(ofS3('ExpiredToken', 400)), 'bucket.credentialsRefused'],
    [toS3Fault(ofS3('RequestTimeTooSkewed', 403)), '~bucket.credentialsRefused'],
    [toS3Fault(ofS3('AuthorizationHeaderMalformed', 400)), 'bucket.redirected'],
    [toS3Fault(ofS3('PreconditionFailed', 412)), 'bucket.objectChanged'],
    [toS3Fault(ofS3('InvalidObjectState', 403)), 'bucket.permissionMissing'],
    [toS3Fault(ofS3('RequestTimeout', 400)), '~bucket.transferFailed'],
    [toS3Fault(ofS3('SlowDown', 503)), '~bucket.transferFailed'],
    [toS3Fault(ofS3('Other', 400)), 'bucket.refused'],
    [toS3Fault(ofS3('Error', 200)), '~bucket.transferFailed'],
    [toAzureFault(ofAzure('BlobNotFound', 404)), 'bucket.objectMissing'],
    [toAzureFault(ofAzure('ContainerNotFound', 404)), 'bucket.bucketMissing'],
    [toAzureFault(ofAzure('AuthenticationFailed', 403)), 'bucket.credentialsRefused'],
    [toAzureFault(ofAzure('AuthorizationPermissionMismatch', 403)), 'bucket.permissionMissing'],
    [toAzureFault(ofAzure('ConditionNotMet', 412)), 'bucket.objectChanged'],
    [toAzureFault(ofAzure('BlobArchived', 409)), 'bucket.refused'],
    [toAzureFault(ofAzure('ServerBusy', 503)), '~bucket.transferFailed'],
    [toAzureFault(ofAzure(undefined, 429)), '~bucket.transferFailed'],
    [toAzureFault(new RangeError('no length')), 'bucket.refused'],
  ];
  for (const [fault, id] of cases) {
    t.equal(idOf(fault), id);
    t.notMatch(fault.message, 'chosen');
  }
  t.match(toAzureFault(ofAzure('BlobArchived', 409)), { message: 'The storage answers 409 BlobArchived' });
  for (const name of ['<script>', 'Unknown'])
    t.equal(toS3Fault(ofS3(name, 400)).message, 'The storage answers 400');
});

t.test('a connection that fails is told by its own name', async (t) => {
  const coded = (code: string) => Object.assign(new Error('connect 10.0.0.1'), { code });
  const cases: [unknown, string][] = [
    [coded('ECONNRESET'), '~bucket.transferFailed'],
    [coded('ENOTFOUND'), 'bucket.hostUnknown'],
    [coded('EAI_AGAIN'), '~bucket.hostUnresolved'],
    [new OutgoingError('unknownHost', 'x'), 'bucket.hostUnknown'],
    [new OutgoingError('unresolvedHost', 'x'), '~bucket.hostUnresolved'],
    [new OutgoingError('privateAddress', 'x'), 'bucket.hostNotAllowed'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'bucket.hostUntrusted'],
    [coded('CERT_HAS_EXPIRED'), 'bucket.hostUntrusted'],
    [undefined, '~bucket.transferFailed'],
  ];
  for (const toFault of [toS3Fault, toAzureFault]) {
    for (const [error, id] of cases) {
      t.equal(idOf(toFault(error)), id);
      t.notMatch(toFault(error).message, '10.0.0.1');
    }
  }
});

t.test('a storage that is away may be back before the deadline of a job', async (t) => {
  const isAway = (error: Error) => {
    const fault = toS3Fault(error);
    return !(fault instanceof AppError) && fault.outcome instanceof StorageAway;
  };
  const coded = (code: string) => Object.assign(new Error('x'), { code });
  const away = [ofS3('SlowDown', 503), coded('ECONNRESET'), coded('EAI_AGAIN')];
  const others = [ofS3('RequestTimeTooSkewed', 403), coded('ENOTFOUND'), ofS3('NoSuchKey', 404)];
  for (const error of away) t.ok(isAway(error), String(error));
  for (const error of others) t.notOk(isAway(error), String(error));
  t.match(toS3Fault(ofS3('SlowDown', 503)), { outcome: { message: 'The storage answers 503 SlowDown' } });
});

t.test('CRC-64/NVME of its check value, in any pieces', async (t) => {
  for (const pieces of [['123456789'], ['1', '2345', '', '6789']]) {
    const sum = new Crc64Nvme();
    for (const piece of pieces) sum.update(Buffer.from(piece));
    t.equal(sum.digest().toString('hex'), 'ae8b14860a799888');
  }
});
