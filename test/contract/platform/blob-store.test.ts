import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { createGcsBlobStore } from '#src/platform/blobs/gcs/gcs-blob-store.js';
import { type GcsTarget, readGcsTarget } from '#src/platform/blobs/gcs/gcs-target.js';
import { AppError } from '#src/platform/errors.js';
import { endable } from '../../../dev/end-server.js';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { startStorageServer } from '../../../dev/storage/storage-server.js';

const quarterMiB = 256 * 1024;
const server = await startStorageServer(t, ['moves']);
const limits = { endpoint: server.endpoint, pauseMs: 1, attempts: 3, uploadChunk: quarterMiB };
const blobs = createGcsBlobStore({ ...limits, stallMs: 20_000 });
const hasty = createGcsBlobStore({ ...limits, stallMs: 200, attempts: 100 });

const at = (path: string, bucket = 'moves'): GcsTarget =>
  readGcsTarget({ bucket, path, serviceaccountJson: encodeServiceAccount() });

async function read(target: GcsTarget, from = blobs): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of from.open(target)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function idOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.definition.id;
    throw error;
  }
  return 'no error';
}

const big = randomBytes(1_000_000);

t.beforeEach(() => {
  server.reset();
  server.put('moves/big', big);
});

t.test('reads an object', async (t) => {
  server.put('moves/a folder/ü?#.json', '{"orgs":[]}');
  server.put('moves/empty', '');
  t.equal((await read(at('a folder/ü?#.json'))).toString(), '{"orgs":[]}');
  t.equal((await read(at('empty'))).length, 0);
  t.ok((await read(at('big'))).equals(big));
});

t.test('unpacks a compressed object', async (t) => {
  server.put('moves/packed', gzipSync(big), { contentEncoding: 'gzip' });
  server.fail({ on: 'download', cutAfter: 300_000 });
  t.ok((await read(at('packed'))).equals(big));
  server.put('moves/torn', gzipSync(big).subarray(0, 1_000), { contentEncoding: 'gzip' });
  t.equal(await idOf(read(at('torn'))), 'bucket.transferFailed');
  server.put('moves/bomb', gzipSync(Buffer.alloc(64 * 2 ** 20)), { contentEncoding: 'gzip' });
  t.equal(await idOf(read(at('bomb'))), 'bucket.expandsTooMuch');
});

t.test('takes a broken download up where it stopped', async (t) => {
  server.fail(
    { on: 'download', cutAfter: 300_000 },
    { on: 'download', status: 503 },
    { on: 'download', endAfter: 100_000 },
    { on: 'download', cutAfter: 0 },
  );
  t.ok((await read(at('big'))).equals(big));
  t.ok(
    server.requests.some((request) => /GET .* bytes=[1-9]\d*-$/.test(request)),
    'the rest alone was asked for',
  );
});

t.test('takes a download up that stalls', async (t) => {
  server.fail({ on: 'download', stallAfter: 300_000 }, { on: 'download', stallAfter: 0 });
  t.ok((await read(at('big'), hasty)).equals(big));
});

t.test('a slow reader is not a stall', async (t) => {
  const chunks: Buffer[] = [];
  for await (const chunk of hasty.open(at('big'))) {
    chunks.push(chunk);
    if (chunks.length === 1) await new Promise((resolve) => setTimeout(resolve, 400));
  }
  t.ok(Buffer.concat(chunks).equals(big));
});

t.test('gives up when no more bytes come', async (t) => {
  server.fail(...Array.from({ length: 40 }, () => ({ on: 'download' as const, cutAfter: 0 })));
  t.equal(await idOf(read(at('big'))), 'bucket.transferFailed');
});

t.test('says when the object always ends too early', async (t) => {
  server.fail(...Array.from({ length: 40 }, () => ({ on: 'download' as const, endAfter: 0 })));
  t.equal(await idOf(read(at('big'))), 'bucket.truncated');
});

t.test('notices another object in its place, and a wrong checksum', async (t) => {
  const stream = blobs.open(at('big'));
  server.fail({ on: 'download', cutAfter: 300_000 });
  const reading = (async () => {
    let replaced = false;
    for await (const _chunk of stream) {
      if (!replaced) server.put('moves/big', randomBytes(1_000_000));
      replaced = true;
    }
  })();
  t.equal(await idOf(reading), 'bucket.objectMissing');

  server.put('moves/big', big);
  server.lieAboutChecksums(true);
  t.equal(await idOf(read(at('big'))), 'bucket.checksumMismatch');
  server.lieAboutChecksums(false);
});

t.test('says what is missing', async (t) => {
  t.equal(await idOf(read(at('none'))), 'bucket.objectMissing');
  t.equal(await idOf(read(at('none', 'no-bucket'))), 'bucket.bucketMissing');
  const statuses = { 401: 'bucket.credentialsRefused', 403: 'bucket.permissionMissing' };
  for (const [status, id] of Object.entries(statuses)) {
    for (const on of ['metadata', 'download'] as const) {
      server.fail({ on, status: Number(status) });
      t.equal(await idOf(read(at('big'))), id, `${status} of ${on}`);
    }
  }
});

const write = (path: string, content: Buffer[] | Readable, signal?: AbortSignal) =>
  blobs.write(at(path), Readable.from(content), {
    contentType: 'application/json',
    ...(signal && { signal }),
  });
/** Pieces of no particular size. */
const pieces = [0, 10, 300_000, 300_001, 786_432, 999_999].map((start, index, starts) =>
  big.subarray(start, starts[index + 1]),
);

t.test('writes an object of any size, over one that is there', async (t) => {
  await write('new', pieces);
  t.ok(server.objects.get('moves/new')?.content.equals(big));
  t.equal(server.objects.get('moves/new')?.contentType, 'application/json');
  for (const size of [1, quarterMiB, 2 * quarterMiB, 2 * quarterMiB + 1]) {
    await write('new', [big.subarray(0, size)]);
    t.ok(server.objects.get('moves/new')?.content.equals(big.subarray(0, size)), `${size}`);
  }
});

t.test('takes an upload up that broke', async (t) => {
  server.fail({ on: 'begin', status: 503 }, { on: 'chunk', status: 503 }, { on: 'chunk', cutAfter: 100_000 });
  await write('new', pieces);
  t.ok(server.objects.get('moves/new')?.content.equals(big));
});

t.test('no object appears when there is not all of it', async (t) => {
  async function* torn() {
    yield* pieces;
    throw new Error('The source broke');
  }
  await t.rejects(write('new', Readable.from(torn())), { message: 'The source broke' });
  t.notOk(server.objects.has('moves/new'));

  const given = new AbortController();
  async function* endless() {
    for (let n = 0; ; n++) {
      if (n === 20) given.abort(new Error('given up'));
      yield pieces[1] as Buffer;
    }
  }
  await t.rejects(write('new', Readable.from(endless()), given.signal), { message: 'given up' });
  t.notOk(server.objects.has('moves/new'));
});

t.test('says why nothing can be written', async (t) => {
  const failing = (path: string, bucket: string) =>
    idOf(blobs.write(at(path, bucket), Readable.from(pieces), { contentType: 'application/json' }));
  t.equal(await failing('new', 'no-bucket'), 'bucket.bucketMissing');
  server.fail({ on: 'begin', status: 403 });
  t.equal(await failing('new', 'moves'), 'bucket.permissionMissing');
  server.fail({ on: 'begin', status: 401 });
  t.equal(await failing('new', 'moves'), 'bucket.credentialsRefused');
  server.fail(...Array.from({ length: 40 }, () => ({ on: 'begin' as const, status: 503 })));
  t.equal(await failing('new', 'moves'), 'bucket.transferFailed');
});

t.test('removes an object that differs from the sent bytes', async (t) => {
  server.lieAboutChecksums(true);
  t.equal(await idOf(write('new', pieces)), 'bucket.checksumMismatch');
  t.notOk(server.objects.has('moves/new'));
});

/** A server that answers every request in the same way. */
async function startOther(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => answer(request, response));
  });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const end = endable(other);
  t.teardown(end);
  return { asked, url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` };
}

t.test('a storage that leads elsewhere is not followed, at no step of a download or an upload', async (t) => {
  const described = JSON.stringify({ name: 'big', generation: '1', size: '3', crc32c: 'AAAAAA==' });
  const inside = await startOther((_, response) => response.end(described));
  const isMedia = (url = '') => url.includes('alt=media');
  for (const status of [301, 302, 303, 307, 308]) {
    for (const place of [
      inside.url,
      'http://169.254.169.254',
      'http://[::1]:9',
      'file:///etc/passwd',
      '//evil.example',
    ]) {
      const leads = (response: ServerResponse) =>
        response.writeHead(status, { location: `${place}/latest` }).end();
      const steps: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
        description: (_, response) => leads(response),
        content: ({ url }, response) => (isMedia(url) ? leads(response) : response.end(described)),
      };
      for (const [step, answer] of Object.entries(steps)) {
        const { url } = await startOther(answer);
        const from = createGcsBlobStore({ ...limits, endpoint: url, stallMs: 5_000 });
        t.equal(
          await idOf(read(at('big'), from)),
          'bucket.redirected',
          `${status} of the ${step} to ${place}`,
        );
      }
      const uploads: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
        begin: (_, response) => leads(response),
        session: (_, response) => response.writeHead(200, { location: `${place}/latest` }).end(),
        chunk: ({ method, headers }, response) =>
          method === 'POST'
            ? response.writeHead(200, { location: `http://${headers.host}/session` }).end()
            : leads(response),
        removal: ({ method, headers }, response) => {
          if (method === 'POST')
            response.writeHead(200, { location: `http://${headers.host}/session` }).end();
          else if (method === 'PUT') response.setHeader('content-type', 'application/json').end(described);
          else leads(response);
        },
      };
      for (const [step, answer] of Object.entries(uploads)) {
        const { url } = await startOther(answer);
        const to = createGcsBlobStore({ ...limits, endpoint: url, stallMs: 1_000, attempts: 1 });
        const options = { contentType: 'text/plain' };
        const found = await idOf(to.write(at('new'), Readable.from([Buffer.from('secret')]), options));
        t.equal(
          found,
          step === 'removal' ? 'bucket.transferFailed' : 'bucket.redirected',
          `${status} of the ${step} to ${place}`,
        );
      }
    }
  }
  t.same(inside.asked, [], 'nobody inside was asked');
});

t.test('sends no credentials to a server that is not the real one', async (t) => {
  t.same(server.authorizations, []);
});
