import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createPlainServer,
  type LookupFunction,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { crc32, gzipSync } from 'node:zlib';
import { generateBlobSASQueryParameters, StorageSharedKeyCredential } from '@azure/storage-blob';
import t from 'tap';
import { createAzureBlobStore } from '#src/platform/blobs/azure/azure-blob-store.js';
import { type GivenBlobTarget, readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { createLazyBlobStore, usualLimits } from '#src/platform/blobs/lazy-blob-store.js';
import { Crc64Nvme } from '#src/platform/blobs/s3/crc64-nvme.js';
import { createS3BlobStore } from '#src/platform/blobs/s3/s3-blob-store.js';
import { createStorageHosts } from '#src/platform/blobs/transfer/storage-hosts.js';
import { createStorageTransport } from '#src/platform/blobs/transfer/storage-transport.js';
import { AppError } from '#src/platform/errors.js';
import { lookUpPublic } from '#src/platform/outgoing/look-up-public.js';
import { until } from '../../../dev/until.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { azureAccount } from '../../support/storage/azure-server.js';
import { startAzure, startS3 } from '../../support/storage/clouds.js';
import { s3Key } from '../../support/storage/s3-server.js';
import type { BackAnswer, FrontFault } from '../../support/storage/storage-front.js';

/** Amazon S3 and Azure Blob Storage, by s3rver and Azurite, which check signatures, behind a front that makes requests fail. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const s3 = await startS3(t, certificate);
const azure = await startAzure(t, certificate);
const clouds = [s3, azure] as const;

const options = { hosts: clouds.map(({ front }) => front.host), ca: certificate.cert, pauseMs: 1 };
const blobs = createLazyBlobStore({ ...options, attempts: 4, uploadChunk: 256 * 1024 });
const hasty = createLazyBlobStore({ ...options, attempts: 2, stallMs: 1_000 });

async function read(given: GivenBlobTarget, from = blobs): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of from.open(readBlobTarget(given))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The identifier of the error that the work throws, and what its text must not have. */
async function idOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) {
      const text = `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`;
      return /s3cr3t|sig=|moves/.test(text) ? `secret in ${text}` : error.definition.id;
    }
    throw error;
  }
  return 'no error';
}

const big = randomBytes(1_000_000);
const many = <T>(fault: T) => Array.from({ length: 40 }, () => fault);

/** The answer to the request that makes an object of its parts is lost. */
const lost: FrontFault = { method: 'POST', loseAnswer: true };
/** What Amazon S3 answers to the same request later. s3rver answers 500. */
const gone: FrontFault = {
  method: 'POST',
  instead: (to) => void to.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>'),
};

/** The entity tag that Amazon S3 would give. That of s3rver is the MD5 of the whole object. */
const tagged: FrontFault = {
  method: 'HEAD',
  change: ({ headers, ...answer }) => {
    const starts = [0, 1, 2, 3].map((part) => part * 256 * 1024);
    const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();
    const digests = starts.map((start) => md5(big.subarray(start, start + 256 * 1024)));
    const etag = `"${md5(Buffer.concat(digests)).toString('hex')}-4"`;
    return { ...answer, headers: { ...headers, etag } };
  },
};

for (const cloud of clouds) {
  const { front, at } = cloud;

  t.test(cloud.name, async (t) => {
    t.beforeEach(async () => {
      await cloud.put('big', big);
      front.reset();
    });

    await t.test('reads an object', async (t) => {
      await cloud.put("a folder/ü?#!'()*.json", '{"orgs":[]}');
      await cloud.put('empty', '');
      t.equal((await read(at("a folder/ü?#!'()*.json"))).toString(), '{"orgs":[]}');
      t.equal((await read(at('empty'))).length, 0);
      t.ok((await read(at('big'))).equals(big));
    });

    await t.test('unpacks a compressed object', async (t) => {
      await cloud.put('packed', gzipSync(big), 'gzip');
      front.fail({ cutAfter: 300_000 });
      t.ok((await read(at('packed'))).equals(big));
      await cloud.put('torn', gzipSync(big).subarray(0, 1_000), 'gzip');
      t.equal(await idOf(read(at('torn'))), 'bucket.transferFailed');
      await cloud.put('bomb', gzipSync(Buffer.alloc(64 * 2 ** 20)), 'gzip');
      t.equal(await idOf(read(at('bomb'))), 'bucket.expandsTooMuch');
    });

    await t.test('takes a broken download up where it stopped', async (t) => {
      front.fail(
        { instead: (to) => to.writeHead(503).end() },
        { cutAfter: 300_000 },
        { instead: (to) => void to.destroy() },
        { cutAfter: 200_000 },
        { cutAfter: 10 },
      );
      t.ok((await read(at('big'))).equals(big));
      t.equal(front.requests.filter((request) => / bytes=500010-$/.test(request)).length, 1);
    });

    await t.test('a stalled, a slow and a silent server are told as slow', async (t) => {
      front.fail({ stallAfter: 300_000 });
      t.ok((await read(at('big'), hasty)).equals(big));
      front.fail(...many({ stallAfter: 100 }));
      t.equal(await idOf(read(at('big'), hasty)), 'bucket.tooSlow');
      front.reset();
      front.fail(...many({ dripMs: 20 }));
      t.equal(await idOf(read(at('big'), hasty)), 'bucket.tooSlow');
      front.reset();
      front.fail(...many({ instead: () => undefined }));
      t.equal(await idOf(read(at('big'), hasty)), 'bucket.tooSlow');
    });

    await t.test('a server that breaks again and again fails the transfer', async (t) => {
      for (const fault of [
        { cutAfter: 0 },
        { instead: (to: import('node:http').ServerResponse) => void to.writeHead(500).end('<html>') },
      ]) {
        front.reset();
        front.fail(...many(fault));
        t.equal(await idOf(read(at('big'))), 'bucket.transferFailed');
        t.ok(front.requests.length <= 5, `${front.requests.length} attempts`);
      }
    });

    await t.test('notices another object in its place', async (t) => {
      front.fail({ cutAfter: 300_000 }, { before: () => cloud.put('big', randomBytes(1_000_000)) });
      t.equal(await idOf(read(at('big'))), 'bucket.objectChanged');

      // A server that ignores the condition.
      front.fail(
        { cutAfter: 300_000 },
        {
          change: (answer) => ({
            status: 206,
            headers: {
              ...answer.headers,
              etag: '"other"',
              'content-length': '700000',
              'content-range': 'bytes 300000-999999/1000000',
            },
            body: big.subarray(300_000),
          }),
        },
      );
      t.equal(await idOf(read(at('big'))), 'bucket.objectChanged');
    });

    await t.test('a server that ignores the range is refused', async (t) => {
      front.fail(
        { cutAfter: 300_000 },
        {
          change: ({ headers: { 'content-range': _, ...headers } }) => ({
            status: 200,
            headers: { ...headers, 'content-length': String(big.length) },
            body: big,
          }),
        },
      );
      t.equal(await idOf(read(at('big'))), 'bucket.refused');
    });

    await t.test('says what is missing, refused and elsewhere', async (t) => {
      t.equal(await idOf(read(at('none'))), 'bucket.objectMissing');
      t.equal(await idOf(read(cloud.elsewhere('none'))), 'bucket.bucketMissing');
      const wrong = { secretAccessKey: 'wrong', accountKey: Buffer.from('wrong').toString('base64') };
      const { secretAccessKey, accountKey } = wrong;
      const changes = cloud.name === 'S3' ? { secretAccessKey } : { accountKey };
      // Azurite has another code than Azure, which is in test/unit/platform/cloud-faults.test.ts.
      const refusal = cloud.name === 'S3' ? 'bucket.credentialsRefused' : 'bucket.permissionMissing';
      t.equal(await idOf(read(at('big', changes))), refusal);
      const statuses = {
        401: 'bucket.credentialsRefused',
        403: 'bucket.permissionMissing',
        405: 'bucket.refused',
        301: 'bucket.redirected',
        307: 'bucket.redirected',
      };
      for (const [status, id] of Object.entries(statuses)) {
        const location = `${clouds.find((other) => other !== cloud)?.front.url}/moves/big`;
        front.fail({ instead: (to) => to.writeHead(Number(status), { location }).end() });
        t.equal(await idOf(read(at('big'))), id, status);
      }
    });

    await t.test('reads no more of an error than a short response', async (t) => {
      front.fail({ instead: (to) => to.writeHead(404).end(Buffer.alloc(3 * 2 ** 20, 'x')) });
      t.equal(await idOf(read(at('big'))), 'bucket.refused');
    });

    await t.test('writes an object of any size, over one that is there', async (t) => {
      const pieces = [0, 10, 300_000, 300_001, 786_432, 999_999].map((start, index, starts) =>
        big.subarray(start, starts[index + 1]),
      );
      const write = (content: Buffer[]) =>
        blobs.write(readBlobTarget(at('new/ü.json')), Readable.from(content), {
          contentType: 'application/json',
        });
      await write(pieces);
      t.ok((await cloud.get('new/ü.json'))?.equals(big));
      for (const size of [1, 256 * 1024, 256 * 1024 + 1]) {
        await write([big.subarray(0, size)]);
        t.ok((await cloud.get('new/ü.json'))?.equals(big.subarray(0, size)), `${size}`);
      }
      t.ok((await read(at('new/ü.json'))).equals(big.subarray(0, 256 * 1024 + 1)));
    });

    await t.test('takes an upload up that broke', async (t) => {
      front.fail(
        { instead: (to) => to.writeHead(503).end() },
        { instead: (to) => void to.destroy() },
        { method: 'PUT', instead: (to) => to.writeHead(500).end() },
      );
      await blobs.write(readBlobTarget(at('retried')), Readable.from([big]), { contentType: 'text/plain' });
      t.ok((await cloud.get('retried'))?.equals(big));
    });

    await t.test('an upload whose last answer was lost has written its object', async (t) => {
      if (cloud.name === 'S3') front.fail({ method: 'POST' }, lost, gone, tagged);
      else front.fail(...Array.from({ length: 4 }, () => ({ method: 'PUT' })), { loseAnswer: true });
      await blobs.write(readBlobTarget(at('lost')), Readable.from([big]), { contentType: 'text/plain' });
      t.ok((await cloud.get('lost'))?.equals(big));
      const last = /^POST .*uploadId=|comp=blocklist/;
      t.equal(front.requests.filter((request) => last.test(request)).length, 2, 'it was sent again');
    });

    await t.test('no object appears when there is not all of it', async (t) => {
      const write = (content: Readable, signal?: AbortSignal) =>
        blobs.write(readBlobTarget(at('half')), content, {
          contentType: 'text/plain',
          ...(signal && { signal }),
        });
      async function* torn() {
        yield big;
        throw new Error('The source broke');
      }
      await t.rejects(write(Readable.from(torn())), { message: 'The source broke' });
      const given = new AbortController();
      async function* endless() {
        for (let n = 0; ; n++) {
          if (n === 20) given.abort(new Error('given up'));
          yield big.subarray(0, 200_000);
        }
      }
      await t.rejects(write(Readable.from(endless()), given.signal), { message: 'given up' });
      t.equal(await cloud.get('half'), undefined);
    });

    await t.test('says why nothing can be written', async (t) => {
      const writing = (given: GivenBlobTarget) =>
        idOf(blobs.write(readBlobTarget(given), Readable.from([big]), { contentType: 'text/plain' }));
      t.equal(await writing(cloud.elsewhere('new')), 'bucket.bucketMissing');
      front.fail({ instead: (to) => to.writeHead(403).end() });
      t.equal(await writing(at('new')), 'bucket.permissionMissing');
      front.reset();
      front.fail(...many({ instead: (to: import('node:http').ServerResponse) => to.writeHead(503).end() }));
      t.equal(await writing(at('new')), 'bucket.transferFailed');
    });

    await t.test('no step follows a redirect, wherever it leads', async (t) => {
      const other = clouds.find((one) => one !== cloud)?.front;
      const places = [
        other?.url,
        'http://169.254.169.254',
        'https://[fd00:ec2::254]',
        'https://localhost',
        '//evil.example',
      ];
      const write = () =>
        blobs.write(readBlobTarget(at('led')), Readable.from([big]), { contentType: 'text/plain' });
      for (const [index, status] of [301, 302, 303, 307, 308].entries()) {
        const place = places[index];
        const leads: FrontFault = {
          instead: (to) => to.writeHead(status, { location: `${place}/moves/big` }).end(),
        };
        front.reset();
        other?.reset();
        front.fail(leads);
        t.equal(await idOf(read(at('big'))), 'bucket.redirected', `${status} of a download to ${place}`);
        front.fail({ cutAfter: 300_000 }, leads);
        t.equal(await idOf(read(at('big'))), 'bucket.redirected', `${status} of its rest to ${place}`);
        for (const method of ['POST', 'PUT']) {
          front.reset();
          front.fail({ method, ...leads });
          const found = await idOf(write());
          if (front.pending() === 0)
            t.equal(found, 'bucket.redirected', `${status} of ${method} to ${place}`);
        }
        t.same(other?.requests, [], `${status} to ${place}: nobody else was asked`);
      }
    });

    await t.test('asks no host that is not allowed, and trusts no unknown certificate', async (t) => {
      const none = createLazyBlobStore({ ...options, hosts: [] });
      t.equal(await idOf((async () => none.check(readBlobTarget(at('big'))))()), 'bucket.hostNotAllowed');
      t.equal(await idOf(read(at('big'), none)), 'bucket.hostNotAllowed');
      t.same(front.requests, []);
      const untrusting = createLazyBlobStore({ hosts: options.hosts, pauseMs: 1 });
      t.equal(await idOf(read(at('big'), untrusting)), 'bucket.hostUntrusted');
    });
  });
}

t.test('a host of a provider whose name leads inside is not asked, however often it changes', async (t) => {
  const inside = [
    '127.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    '168.63.129.16',
    '::1',
    'fd00:ec2::254',
    '::ffff:a9fe:a9fe',
  ];
  let asked = 0;
  const ask = async () => {
    // At first a public address beside the private one, then private ones alone.
    const address = inside[asked++ % inside.length] ?? '';
    const found = [{ address, family: address.includes(':') ? 6 : 4 }];
    return asked % 2 === 0 ? found : [{ address: '192.0.1.1', family: 4 }, ...found];
  };
  const transport = createStorageTransport({
    hosts: createStorageHosts(clouds.map(({ front }) => front.host)),
    stallMs: 2_000,
    ca: certificate.cert,
    lookup: lookUpPublic(new Set(), ask),
  });
  const hosts = [
    's3.eu-central-1.amazonaws.com',
    'moves.s3.eu-central-1.amazonaws.com',
    'acme.blob.core.windows.net',
  ];
  for (const host of hosts) {
    for (const method of ['HEAD', 'GET', 'PUT', 'POST']) {
      for (let round = 0; round < inside.length; round++) {
        const work = transport({
          method,
          host,
          path: '/',
          headers: { authorization: 's3cr3t' },
          body: 's3cr3t',
        });
        t.equal(await idOf(work), 'bucket.hostNotAllowed', `${method} ${host}`);
      }
    }
  }
  t.equal(asked, hosts.length * 4 * inside.length, 'the name is looked up for each connection');
});

t.test('a host that does not exist is refused at once, by the limits of a process', async (t) => {
  // The look-ups of a public host by name servers, and of a listed one by the machine.
  const byNameServers = lookUpPublic(new Set(), async () => []);
  const listed: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), '');
  for (const lookup of [byNameServers, listed]) {
    const hosts = createStorageHosts(['no-such-host.invalid']);
    const transport = createStorageTransport({ hosts, stallMs: usualLimits.stallMs, lookup });
    const stores = [
      [
        createS3BlobStore({ transport, limits: usualLimits }),
        s3.at('x', { endpoint: 'https://no-such-host.invalid' }),
      ],
      [
        createAzureBlobStore({ transport, limits: usualLimits }),
        azure.at('x', { endpoint: 'https://no-such-host.invalid' }),
      ],
    ] as const;
    for (const [store, given] of stores) {
      const target = readBlobTarget(given) as never;
      const start = performance.now();
      const reading = async () => {
        for await (const _chunk of store.open(target));
      };
      t.equal(await idOf(reading()), 'bucket.hostUnknown');
      const content = Readable.from(['content']);
      t.equal(await idOf(store.write(target, content, { contentType: 'text/plain' })), 'bucket.hostUnknown');
      t.ok(performance.now() - start < 2_000, `${performance.now() - start} ms`);
    }
  }
});

t.test('each phase of a connection has a bound', async (t) => {
  const stallMs = 300;
  const hosts = (host: string) => createStorageHosts([host]);
  const get = (host: string, more: Partial<Parameters<typeof createStorageTransport>[0]> = {}) =>
    createStorageTransport({ hosts: hosts(host), stallMs, ca: certificate.cert, ...more })({
      method: 'GET',
      host,
      path: '/',
      headers: {},
    });
  const isTooSlow = async (work: Promise<unknown>, name: string) => {
    const fault: unknown = await work.catch((error: unknown) => error);
    t.match(fault, { outcome: { definition: { id: 'bucket.tooSlow' } } }, name);
  };
  await isTooSlow(get('nowhere.example', { lookup: () => undefined }), 'a look-up that hangs');

  const mute = createPlainServer((socket) => void held.add(socket));
  const held = new Set<Socket>();
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of held) socket.destroy();
    mute.close();
  });
  const port = (mute.address() as AddressInfo).port;
  await isTooSlow(get(`127.0.0.1:${port}`), 'a server that does not shake hands');

  const slow = createTlsServer(
    { cert: certificate.cert, key: await readFile(certificate.keyFile) },
    (socket) => {
      held.add(socket);
      const line = 'HTTP/1.1 200 OK\r\nx: '.padEnd(1_000, 'y');
      let at = 0;
      const timer = setInterval(() => socket.write(line.charAt(at++)), 20);
      socket.on('error', () => undefined).once('close', () => clearInterval(timer));
    },
  );
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void slow.close());
  const { port: slowPort } = slow.address() as AddressInfo;
  await isTooSlow(get(`127.0.0.1:${slowPort}`), 'a header that comes byte by byte');
});

t.test('a download ends with its signal, before its first byte and after', async (t) => {
  for (const cloud of clouds) {
    await cloud.put('big', big);
    for (const fault of [{ instead: () => undefined }, { stallAfter: 100_000 }]) {
      cloud.front.reset();
      cloud.front.fail(fault);
      const ended = new AbortController();
      const body = blobs.open(readBlobTarget(cloud.at('big')), ended.signal);
      const timer = setTimeout(() => ended.abort(new Error('given up')), 300);
      await t.rejects(body.toArray(), { message: 'given up' }, cloud.name);
      clearTimeout(timer);
      await until(async () => cloud.front.open() === 0);
    }
  }
});

t.test('S3 compares the checksum that the storage names', async (t) => {
  const digests = {
    crc64nvme: () => {
      const sum = new Crc64Nvme();
      sum.update(big);
      return sum.digest();
    },
    crc32: () => {
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(big));
      return sum;
    },
    sha256: () => createHash('sha256').update(big).digest(),
  };
  await s3.put('big', big);
  for (const [name, digest] of Object.entries(digests)) {
    const naming = (sum: Buffer, type = 'FULL_OBJECT') => ({
      change: ({ headers, ...answer }: BackAnswer) => ({
        ...answer,
        headers: {
          ...headers,
          'x-amz-checksum-type': type,
          [`x-amz-checksum-${name}`]: sum.toString('base64'),
        },
      }),
    });
    const wrong = Buffer.alloc(digest().length, 1);
    s3.front.reset();
    s3.front.fail({ ...naming(digest()), cutAfter: 300_000 });
    t.ok((await read(s3.at('big'))).equals(big), name);
    t.equal(s3.front.headers[0]?.['x-amz-checksum-mode'], 'ENABLED');
    s3.front.fail(naming(wrong));
    t.equal(await idOf(read(s3.at('big'))), 'bucket.checksumMismatch', name);
    s3.front.fail(naming(wrong, 'COMPOSITE'));
    t.ok((await read(s3.at('big'))).equals(big), 'the checksum of checksums is another');
  }
});

t.test('S3 is believed to have an object only if it is the right one', async (t) => {
  const write = (path: string) =>
    idOf(blobs.write(readBlobTarget(s3.at(path)), Readable.from([big]), { contentType: 'text/plain' }));
  s3.front.reset();
  // Another object of the same size has taken its place, or the credentials may not look.
  s3.front.fail({ method: 'POST' }, lost, gone, {
    method: 'HEAD',
    before: () => s3.put('other', randomBytes(1_000_000)),
  });
  t.equal(await write('other'), 'bucket.transferFailed');
  s3.front.reset();
  s3.front.fail({ method: 'POST' }, lost, gone, { method: 'HEAD', instead: (to) => to.writeHead(403).end() });
  t.equal(await write('unseen'), 'bucket.transferFailed');
});

t.test('parts that stay in a bucket are told, without a secret', async (t) => {
  const told: unknown[][] = [];
  const telling = createLazyBlobStore({
    ...options,
    attempts: 2,
    uploadChunk: 256 * 1024,
    logger: { warn: (...line: unknown[]) => void told.push(line) },
  });
  async function* torn() {
    yield big;
    throw new Error('The source broke');
  }
  const write = () =>
    t.rejects(
      telling.write(readBlobTarget(s3.at('torn')), Readable.from(torn()), { contentType: 'text/plain' }),
      { message: 'The source broke' },
    );
  // s3rver cannot remove parts.
  for (const instead of [
    (to: ServerResponse) => to.writeHead(204).end(),
    (to: ServerResponse) => to.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>'),
  ]) {
    s3.front.reset();
    s3.front.fail({ method: 'DELETE', instead: (to) => void instead(to) });
    await write();
    t.match(s3.front.requests.at(-1), /^DELETE /);
  }
  t.same(told, []);
  s3.front.fail({ method: 'DELETE', instead: (to) => to.writeHead(403).end() });
  await write();
  t.match(told, [
    [{ bucket: 'moves', path: 'torn', err: { definition: { id: 'bucket.permissionMissing' } } }, /stay/],
  ]);
  t.notMatch(JSON.stringify(told), s3Key.secretAccessKey);
});

t.test('Azure compares the hash that the storage names', async (t) => {
  await azure.put('big', big);
  azure.front.fail({
    change: ({ headers, ...answer }) => ({
      ...answer,
      headers: { ...headers, 'content-md5': Buffer.alloc(16).toString('base64') },
    }),
  });
  t.equal(await idOf(read(azure.at('big'))), 'bucket.checksumMismatch');
});

t.test('Azure takes a signature, and connection strings', async (t) => {
  await azure.put('big', big);
  const { account, accountKey } = azureAccount;
  const endpoint = `${azure.front.url}/${account}`;
  const sign = (permissions: string) =>
    generateBlobSASQueryParameters(
      {
        containerName: 'moves',
        permissions: { toString: () => permissions } as never,
        expiresOn: new Date(Date.now() + 3_600_000),
      },
      new StorageSharedKeyCredential(account, accountKey),
    ).toString();
  const target = { container: 'moves', path: 'big', endpoint };
  t.ok((await read({ ...target, sasToken: `?${sign('r')}` })).equals(big));
  t.equal(await idOf(read({ ...target, sasToken: sign('w') })), 'bucket.permissionMissing');
  const forged = sign('r').replace(/sig=[^&]+/, 'sig=AAAA');
  t.equal(await idOf(read({ ...target, sasToken: forged })), 'bucket.permissionMissing');
  const strings = [
    `DefaultEndpointsProtocol=https;AccountName=${account};AccountKey=${accountKey};BlobEndpoint=${endpoint}`,
    `BlobEndpoint=${endpoint}/;QueueEndpoint=https://queue.example;SharedAccessSignature=${sign('r')}`,
  ];
  for (const connectionString of strings) {
    t.ok((await read({ container: 'moves', path: 'big', connectionString })).equals(big));
  }
});

t.test('nothing of the environment is used', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-aws-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [config, credentials] = [join(folder, 'config'), join(folder, 'credentials')];
  const settings = 'region = eu-west-1\nendpoint_url = https://127.0.0.1:9\nuse_fips_endpoint = true\n';
  await writeFile(config, `[default]\n${settings}[profile environment]\n${settings}`);
  const keys = 'aws_access_key_id = AKIAFILE\naws_secret_access_key = file\n';
  await writeFile(credentials, `[default]\n${keys}[environment]\n${keys}`);
  const token = join(folder, 'token');
  await writeFile(token, 'environment');
  // It stands for the metadata service of a machine, of a container and of the provider of identities.
  const asked: string[] = [];
  const metadata = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void metadata.close());
  const listener = `http://127.0.0.1:${(metadata.address() as AddressInfo).port}`;
  const own = {
    AWS_CONFIG_FILE: config,
    AWS_SHARED_CREDENTIALS_FILE: credentials,
    AWS_ACCESS_KEY_ID: 'AKIAENVIRONMENT',
    AWS_SECRET_ACCESS_KEY: 'environment',
    AWS_SESSION_TOKEN: 'environment',
    AWS_REGION: 'eu-west-2',
    AWS_ENDPOINT_URL: 'https://127.0.0.1:9',
    AWS_ENDPOINT_URL_S3: 'https://127.0.0.1:9',
    AWS_USE_DUALSTACK_ENDPOINT: 'true',
    AWS_MAX_ATTEMPTS: '9',
    AWS_S3_USE_ARN_REGION: 'true',
    AWS_PROFILE: 'environment',
    AWS_WEB_IDENTITY_TOKEN_FILE: token,
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/environment',
    AWS_ENDPOINT_URL_STS: listener,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${listener}/container`,
    AWS_EC2_METADATA_SERVICE_ENDPOINT: listener,
    AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_SUPPORTED',
    AWS_RESPONSE_CHECKSUM_VALIDATION: 'WHEN_SUPPORTED',
    AWS_AUTH_SCHEME_PREFERENCE: 'sigv4a',
    AWS_SIGV4A_SIGNING_REGION_SET: 'eu-west-3',
    AWS_DEFAULTS_MODE: 'auto',
    AWS_SDK_UA_APP_ID: 'environment',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    AZURE_STORAGE_CONNECTION_STRING: 'AccountName=environment;AccountKey=AAAA',
  };
  const before = { ...process.env };
  const restore = () => {
    for (const name of Object.keys(own)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  };
  t.teardown(restore);
  for (const cloud of clouds) {
    await cloud.put('big', big);
    cloud.front.reset();
  }
  Object.assign(process.env, own);
  for (const cloud of clouds) {
    const { front, at } = cloud;
    t.ok((await read(at('big'))).equals(big), cloud.name);
    t.equal(front.requests.length, 1);
    await blobs.write(readBlobTarget(at('own')), Readable.from([big]), { contentType: 'text/plain' });
    t.equal(front.requests.length, cloud.name === 'S3' ? 7 : 6, 'four parts, and what is around them');
    t.notMatch(
      JSON.stringify(front.headers),
      /environment|eu-west|AKIAENV|AKIAFILE|ECDSA|region-set|x-amz-checksum-(?!mode)|sdk-checksum/i,
    );
  }
  restore();
  for (const cloud of clouds) t.ok((await cloud.get('own'))?.equals(big), cloud.name);
  t.same(asked, []);
  t.match(s3.front.headers[0]?.authorization, /Credential=AKIAMUSTERTEST\/\d+\/us-east-1\/s3/);
});
