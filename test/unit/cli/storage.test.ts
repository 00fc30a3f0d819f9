import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { AdminClient, ApiRequest } from '#src/cli/base/admin-client.js';
import { UsageError } from '#src/cli/base/command.js';
import { checkBucket } from '#src/cli/doctor/check-bucket.js';
import { importSource, type SourceOptions } from '#src/cli/jobs/import-source.js';
import { type VerifyOptions, verifyFile } from '#src/cli/jobs/verify.js';
import { readTarget } from '#src/cli/storage/read-target.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { serviceAccountFile } from '../../../dev/storage/service-account.js';

/** The options that name an object of a bucket, for the commands `import`, `verify`, `export` and `doctor`. */

const folder = mkdtempSync(join(tmpdir(), 'muster-storage-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const s3 = { region: 'eu-central-1', access_key_id: 'AKIA1', secret_access_key: 'TOP-SECRET' };
const azure = { account: 'acmemoves', sas_token: 'sv=2024&sig=TOPSECRET' };
const object = { bucket: 'moves', path: 'a.json' };

t.test('the file tells the provider, and its secrets are only in the target', async (t) => {
  const google = await readTarget({ ...object, storage: write('g.json', serviceAccountFile) });
  t.match(google, { provider: 'gcs', place: object });
  t.ok(readBlobTarget(google.target));
  const former = await readTarget({ ...object, serviceAccount: join(folder, 'g.json') });
  t.same(former, google, 'the former option');

  const amazon = await readTarget({
    ...object,
    storage: write('s3.json', { ...s3, path_style: false, session_token: null }),
  });
  t.same(amazon, {
    provider: 's3',
    target: {
      ...object,
      region: 'eu-central-1',
      pathStyle: false,
      accessKeyId: 'AKIA1',
      secretAccessKey: 'TOP-SECRET',
    },
    place: { ...object, region: 'eu-central-1' },
  });
  t.match(readBlobTarget(amazon.target), { endpoint: 'https://s3.eu-central-1.amazonaws.com' });

  for (const credentials of [
    { account: 'acmemoves', accountKey: 'a2V5' },
    azure,
    { connectionString: 'AccountName=acmemoves;AccountKey=a2V5' },
  ]) {
    const { provider, target, place } = await readTarget({
      ...object,
      storage: write('a.json', credentials),
    });
    t.equal(provider, 'azure');
    t.match(place, { container: 'moves', path: 'a.json' });
    t.match(readBlobTarget(target), { endpoint: 'https://acmemoves.blob.core.windows.net' });
    t.notMatch(JSON.stringify(place), /sig=|a2V5/);
  }
});

t.test('a file of no provider is refused, and its values are never told', async (t) => {
  const refusals: [content: unknown, message: RegExp][] = [
    ['{"access_key_id":"TOP-SECRET', /is not a JSON object/],
    [[s3], /is not a JSON object/],
    [{ ...s3, accessKeyId: 'TOP-SECRET' }, /is not a JSON object/],
    [{ token: 'TOP-SECRET' }, /is no file of --storage\. Expected: the key file/],
    [{ ...s3, profile: 'TOP-SECRET' }, /has the member profile\. Its members are region, endpoint, /],
    [{ secret_access_key: 'TOP-SECRET' }, /has no member accessKeyId$/],
    [{ ...s3, region: 7 }, /: region is no text$/],
    [{ ...s3, path_style: 'TOP-SECRET' }, /: pathStyle is neither true nor false$/],
    [{ ...azure, [`\u001B[31m${'x'.repeat(500)}`]: 1 }, /has the member .{1,110}\. Its members/],
    [`{"a":"${'x'.repeat(100_001)}"}`, /is longer than 100000 characters/],
  ];
  for (const [content, message] of refusals) {
    const error = await readTarget({ ...object, storage: write('bad.json', content) }).catch(
      (one: Error) => one,
    );
    t.match(error, { message });
    t.notOk(['TOP-SECRET', '\u001B'].some((text) => String(error).includes(text)));
  }
  const both = { storage: join(folder, 's3.json'), serviceAccount: join(folder, 'g.json') };
  await t.rejects(readTarget({ ...object, ...both }), { message: /give one of them/ });
  await t.rejects(readTarget({ bucket: 'b', path: 'p' }), { message: '--bucket needs --path and --storage' });
  await t.rejects(readTarget({ bucket: 'b', storage: join(folder, 's3.json') }), {
    message: '--bucket needs --path and --storage',
  });
  await t.rejects(readTarget({ ...object, storage: join(folder, 'none') }), { message: /cannot be read/ });
});

/** A client of a service that begins every import, and the requests that it got. */
function recordingClient() {
  const sent: (ApiRequest & { url: string })[] = [];
  const client = {
    async insist(url: string, request: ApiRequest) {
      sent.push({ ...request, url });
      return new Response(null, { status: 202, headers: { location: '/admin/v1/jobs/j1' } });
    },
  } as unknown as AdminClient;
  return { sent, client };
}
const output = { progress: () => ({}) as never };
const nothing = { write: () => true, isTTY: false };

t.test('an import from an https address is remembered without the address', async (t) => {
  const { sent, client } = recordingClient();
  const address = 'https://files.example.com/body.json?X-Amz-Signature=TOP-SIGNATURE';
  const urlFile = write('address', `${address}\n`);
  for (const [options, body] of [
    [{}, { timeout: '24h', dataOrgsv1Https: { url: address } }],
    [
      { external: true, update: true, timeout: '2h' },
      { timeout: '2h', update: true, dataOrgsHttps: { url: address } },
    ],
  ] as const) {
    const source = await importSource(undefined, { urlFile, ...options }, output);
    t.equal(await source.send(client), 'j1');
    t.same(JSON.parse(String(sent.at(-1)?.body?.())), body);
    t.notMatch(JSON.stringify([source.name, source.request]), /example|SIGNATURE/);
  }
  const other = await importSource(undefined, { urlFile: write('other', `${address}2`) }, output);
  const first = await importSource(undefined, { urlFile }, output);
  t.not(JSON.stringify(other.request), JSON.stringify(first.request), 'another address is another import');

  const none = /has not one https address/;
  for (const text of [
    '',
    'http://a.example/',
    'https://a.example/ https://b.example/',
    `https://a/${'x'.repeat(5_000)}`,
  ]) {
    await t.rejects(importSource(undefined, { urlFile: write('bad', text) }, output), { message: none });
  }
  for (const options of [
    { urlFile: join(folder, 'none') },
    { urlFile, path: 'a.json' },
    { urlFile, ...object },
  ]) {
    await t.rejects(importSource(undefined, options, output), {
      message: /cannot be read|are for|one of them/,
    });
  }
});

t.test('an import from a bucket is one small request, and is remembered without secrets', async (t) => {
  const { sent, client } = recordingClient();
  const begin = async (options: SourceOptions) => {
    const source = await importSource(undefined, options, output);
    const jobId = await source.send(client);
    return { ...source, jobId, body: JSON.parse(String(sent.at(-1)?.body?.())) };
  };
  const storage = join(folder, 's3.json');
  const first = await begin({ ...object, storage, update: true, dryRun: true });
  t.equal(first.jobId, 'j1');
  t.match(sent, [{ url: '/admin/v1/import', method: 'POST', headers: { prefer: 'respond-async' } }]);
  t.match(first.body, {
    timeout: '24h',
    dryRun: true,
    update: true,
    strict: undefined,
    dataOrgsv1S3: { bucket: 'moves', secretAccessKey: 'TOP-SECRET' },
  });
  t.notMatch(JSON.stringify([first.name, first.request]), /TOP-SECRET|AKIA1/);
  t.same(first.placed({ line: 3 }), { line: 3 });

  const other = await begin({
    ...object,
    storage: write('a.json', azure),
    external: true,
    timeout: '1h',
  });
  t.match(other.body, { timeout: '1h', dataOrgsAzure: { container: 'moves', account: 'acmemoves' } });
  t.notMatch(JSON.stringify(other.request), /sig=/);

  const file = write('body.json', '{"timeout":"1m"}');
  for (const [path, options, message] of [
    [undefined, {}, 'muster import: a file, --bucket or --url-file is required. See muster import --help.'],
    [file, { ...object, storage }, /give one of them/],
    [file, { external: true }, /--external are for --bucket or --url-file/],
    [file, { storage }, /--storage.* are for --bucket or --url-file/],
  ] as const)
    await t.rejects(importSource(path, options, output), { message });
});

t.test('a verification takes the same sources', async (t) => {
  const { sent, client } = recordingClient();
  const begin = async (options: SourceOptions) => {
    const source = await importSource(undefined, { ...options, purpose: 'verify' }, output);
    t.equal(await source.send(client), 'j1');
    t.equal(sent.at(-1)?.url, '/admin/v1/verify');
    return JSON.parse(String(sent.at(-1)?.body?.()));
  };
  const urlFile = write('address', 'https://files.example.com/body.json\n');
  t.same(await begin({ urlFile, listExtra: true }), {
    timeout: '24h',
    listExtra: true,
    dataOrgsv1Https: { url: 'https://files.example.com/body.json' },
  });
  t.match(await begin({ ...object, storage: join(folder, 's3.json'), external: true, timeout: '1h' }), {
    timeout: '1h',
    listExtra: undefined,
    dataOrgsS3: { bucket: 'moves', secretAccessKey: 'TOP-SECRET' },
  });
});

t.test('a verification needs a source, or samples', async (t) => {
  const silent = createOutput({ stdout: nothing, stderr: nothing }, false);
  const storage = join(folder, 's3.json');
  const file = write('body.json', '{"timeout":"1m"}');
  const sourceMissing =
    'muster verify: a file, --bucket or --url-file is required. See muster verify --help.';
  const cases: [path: string | undefined, options: VerifyOptions, message: string | RegExp][] = [
    [
      undefined,
      {},
      'muster verify: a file, --bucket, --url-file or --passwords is required. See muster verify --help.',
    ],
    [undefined, { path: 'a.json', storage }, sourceMissing],
    [undefined, { passwords: 'samples', external: true }, sourceMissing],
    [undefined, { bucket: 'moves', path: 'a.json' }, '--bucket needs --path and --storage'],
    [undefined, { bucket: 'moves', urlFile: 'address' }, /give one of them/],
    [file, { ...object, storage }, /give one of them/],
    [file, { storage }, /--storage.* are for --bucket or --url-file/],
  ];
  for (const [path, options, message] of cases)
    await t.rejects(verifyFile(path, options, silent), { message }, JSON.stringify(options));
  for (const options of [{}, { path: 'a.json', storage }, { passwords: 'samples', external: true }]) {
    const error = await verifyFile(undefined, options, silent).catch((thrown: unknown) => thrown);
    t.ok(error instanceof UsageError, 'the exit code is that of a wrong command line');
  }
});

t.test('doctor: what is wrong with a bucket has a remedy of its provider, before any request', async (t) => {
  const config = { storageEmulatorHost: '', bucketHosts: '' };
  const finding = async (content: unknown, bucket = 'moves') =>
    (await checkBucket({ bucket, path: 'a.txt', storage: write('d.json', content) }, config))[0];
  t.match(await finding({ ...s3, region: 'nowhere' }), {
    state: 'failed',
    remedy: /region, endpoint or account/,
  });
  t.match(await finding({ ...s3, endpoint: 'https://minio.example.com:9000' }), {
    state: 'failed',
    remedy: /MUSTER_BUCKET_HOSTS/,
  });
  t.match(await finding({ ...s3, secret_access_key: '' }), { remedy: /Check the credentials/ });
  t.match(await finding({ ...azure, account: 'A!' }), { remedy: /region, endpoint or account/ });
  t.match(await finding({}), { state: 'failed', remedy: 'Check the file of --storage.' });
  t.match(await checkBucket({ path: 'a.txt' }, config), [{ state: 'skipped' }]);
});
