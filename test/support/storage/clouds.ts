import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import type { Test } from 'tap';
import type { GivenAzureTarget } from '#src/platform/blobs/azure/azure-target.js';
import type { GivenS3Target } from '#src/platform/blobs/s3/s3-target.js';
import type { Certificate } from '../network/certificate.js';
import { azureAccount, startAzureServer } from './azure-server.js';
import { s3Key, startS3Server } from './s3-server.js';
import { type StorageFront, startStorageFront } from './storage-front.js';

/** A provider with one bucket, `moves`, behind a front that speaks https and makes requests fail. */
export interface Cloud<Given = GivenS3Target | GivenAzureTarget> {
  readonly name: 'S3' | 'Azure';
  readonly front: StorageFront;
  /** The target of an object, as a request names it. */
  at(path: string, changes?: Partial<Given> | Record<string, unknown>): Given;
  /** The same with a bucket that is not there. */
  elsewhere(path: string): Given;
  put(path: string, content: Buffer | string, contentEncoding?: string): Promise<void>;
  /** Undefined if there is no such object. */
  get(path: string): Promise<Buffer | undefined>;
}

const bucket = 'moves';

export async function startS3(
  t: Pick<Test, 'teardown'>,
  certificate: Certificate,
): Promise<Cloud<GivenS3Target>> {
  const address = await startS3Server(t, [bucket]);
  const front = await startStorageFront(t, certificate, address);
  const client = new S3Client({
    endpoint: address,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { ...s3Key },
  });
  t.teardown(() => client.destroy());
  const at = (path: string, changes: object = {}) => ({
    bucket,
    path,
    endpoint: front.url,
    ...s3Key,
    ...changes,
  });
  return {
    name: 'S3',
    front,
    at,
    elsewhere: (path) => at(path, { bucket: 'no-such-bucket' }),
    async put(path, content, encoding) {
      const more = encoding === undefined ? {} : { ContentEncoding: encoding };
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: path, Body: content, ...more }));
    },
    async get(path) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: path }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
  };
}

export async function startAzure(
  t: Pick<Test, 'teardown'>,
  certificate: Certificate,
): Promise<Cloud<GivenAzureTarget>> {
  const { account, accountKey } = azureAccount;
  const address = await startAzureServer(t);
  const front = await startStorageFront(t, certificate, address);
  const service = new BlobServiceClient(address, new StorageSharedKeyCredential(account, accountKey));
  const container = service.getContainerClient(bucket);
  await container.create();
  const at = (path: string, changes: object = {}) => ({
    container: bucket,
    path,
    endpoint: `${front.url}/${account}`,
    ...azureAccount,
    ...changes,
  });
  return {
    name: 'Azure',
    front,
    at,
    elsewhere: (path) => at(path, { container: 'no-such-container' }),
    async put(path, content, encoding) {
      const blobHTTPHeaders = encoding === undefined ? {} : { blobContentEncoding: encoding };
      await container
        .getBlockBlobClient(path)
        .upload(content, Buffer.byteLength(content), { blobHTTPHeaders });
    },
    async get(path) {
      const blob = container.getBlobClient(path);
      return (await blob.exists()) ? blob.downloadToBuffer() : undefined;
    },
  };
}
