import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { DUMMY_ACCOUNT } from '@20minutes/s3rver/lib/models/account.js';
import type { Test } from 'tap';

/** The access key that the server knows. */
export const s3Key = { accessKeyId: 'AKIAMUSTERTEST', secretAccessKey: 's3cr3t/OfTheTests+Key' };

/** Starts s3rver, a server with the protocol of Amazon S3, which checks signatures. @returns its address, by http */
export async function startS3Server(t: Pick<Test, 'teardown'>, buckets: readonly string[]): Promise<string> {
  DUMMY_ACCOUNT.createKeyPair(s3Key.accessKeyId, s3Key.secretAccessKey);
  const directory = await mkdtemp(join(tmpdir(), 'muster-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: buckets.map((name) => ({ name })),
  });
  const { port } = await server.run();
  t.teardown(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${port}`;
}
