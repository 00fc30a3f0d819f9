import type { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Logger } from '../../logger.js';
import { downloadResumed } from '../transfer/resumed-download.js';
import type { StorageTransport } from '../transfer/storage-transport.js';
import { type TaggedObject, takeObject } from '../transfer/tagged-object.js';
import type { TargetStore } from '../transfer/target-store.js';
import type { TransferLimits } from '../transfer/transfer-limits.js';
import { checksumOf } from './s3-checksums.js';
import { toS3Fault } from './s3-faults.js';
import { s3RequestHandler } from './s3-request-handler.js';
import type { S3Target } from './s3-target.js';
import { uploadToS3 } from './s3-upload.js';

/** Amazon S3, and other servers that speak its protocol. */
export function createS3BlobStore({
  transport,
  limits,
  logger,
}: {
  transport: StorageTransport;
  limits: TransferLimits;
  logger?: Pick<Logger, 'warn'> | undefined;
}): TargetStore<S3Target> {
  return {
    open(target, signal) {
      const client = clientOf(target, transport);
      return downloadResumed<TaggedObject>(
        {
          open: (start, known) => openObject(client, target, { start, known, signal }),
          toFault: toS3Fault,
        },
        limits,
        signal,
      );
    },
    write: (target, content, options) =>
      uploadToS3(clientOf(target, transport), target, { content, limits, logger, ...options }),
  };
}

/**
 * Every setting that the library would look for in the environment, in the files of a profile or at the metadata service of a cloud
 * is given here. The one source of credentials is the request.
 */
function clientOf(target: S3Target, transport: StorageTransport): S3Client {
  const { region, endpoint, pathStyle, accessKeyId, secretAccessKey, sessionToken } = target;
  const client = new S3Client({
    region,
    endpoint,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    requestHandler: s3RequestHandler(transport),
    // Attempts are made here, within bounds of ours.
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    useAccelerateEndpoint: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    followRegionRedirects: false,
    expectContinueHeader: false,
    // Not every server knows more. The hash of each request is signed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    sigv4aSigningRegionSet: [region],
    authSchemePreference: [],
    userAgentAppId: 'muster',
  });
  // The library would check a whole response only, and hide that its connection broke. So the checksum is asked for here.
  client.middlewareStack.add(
    (next) => (args) => {
      const { request } = args as { request?: { method?: string; headers?: Record<string, string> } };
      if (request?.method === 'GET' && request.headers) request.headers['x-amz-checksum-mode'] = 'ENABLED';
      return next(args);
    },
    { step: 'build', name: 'askForChecksum' },
  );
  return client;
}

async function openObject(
  client: S3Client,
  { bucket, path }: S3Target,
  asked: { start: number; known: TaggedObject | undefined; signal: AbortSignal | undefined },
): Promise<{ object: TaggedObject; body: Readable }> {
  const { start, known, signal } = asked;
  const answer = await client.send(
    new GetObjectCommand({
      Bucket: bucket,
      Key: path,
      ...(start > 0 && { Range: `bytes=${start}-` }),
      ...(known && { IfMatch: known.etag }),
    }),
    { ...(signal && { abortSignal: signal }) },
  );
  const response = {
    etag: answer.ETag,
    length: answer.ContentLength,
    range: answer.ContentRange,
    encoding: answer.ContentEncoding,
    checksum: checksumOf(answer),
    body: answer.Body as Readable,
  };
  return takeObject(response, asked);
}
