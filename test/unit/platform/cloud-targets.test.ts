import t from 'tap';
import { readAzureTarget } from '#src/platform/blobs/azure/azure-target.js';
import type { BlobTarget } from '#src/platform/blobs/blob-store.js';
import { readGcsTarget } from '#src/platform/blobs/gcs/gcs-target.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import { readS3Target } from '#src/platform/blobs/s3/s3-target.js';
import { createStorageHosts } from '#src/platform/blobs/transfer/storage-hosts.js';

const key = { accessKeyId: 'AKIA', secretAccessKey: 'secret/+=' };
const s3 = { bucket: 'a-bucket', path: 'moves/users.json', region: 'eu-central-1', ...key };
const azure = { container: 'moves', path: 'users.json', account: 'acme', accountKey: 'c2VjcmV0' };
const { account: _, accountKey: __, ...blob } = azure;

/** Undefined if nothing is thrown. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

t.test('the path of an object has no part . or .. at Google either', async (t) => {
  for (const path of ['a/../b', 'x/.', '..'])
    t.throws(() => readGcsTarget({ bucket: 'moves', path, serviceaccountJson: '' }), {
      name: 'AppError',
      definition: { id: 'bucket.targetInvalid' },
    });
  t.throws(() => readGcsTarget({ bucket: 'moves', path: 'a/..b', serviceaccountJson: '' }), {
    name: 'AppError',
    definition: { id: 'bucket.serviceAccountInvalid' },
  });
});

t.test('a target of Amazon has the host of its region', async (t) => {
  t.strictSame(readS3Target(s3), {
    bucket: 'a-bucket',
    path: 'moves/users.json',
    region: 'eu-central-1',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    pathStyle: false,
    ...key,
  });
  t.equal(readS3Target({ ...s3, region: 'cn-north-1' }).endpoint, 'https://s3.cn-north-1.amazonaws.com.cn');
  t.equal(
    readS3Target({ ...s3, bucket: 'a.b' }).pathStyle,
    true,
    'no certificate is for two names before the host',
  );
  const { region: ___, ...own } = { ...s3, endpoint: 'https://minio.example:9000/', sessionToken: 'token' };
  t.match(readS3Target(own), {
    endpoint: 'https://minio.example:9000',
    pathStyle: true,
    region: 'us-east-1',
    sessionToken: 'token',
  });
  t.equal(readS3Target({ ...own, pathStyle: false }).pathStyle, false);
});

t.test('a target of Azure has the host of its account, or the endpoint', async (t) => {
  t.strictSame(readAzureTarget(azure), {
    container: 'moves',
    path: 'users.json',
    endpoint: 'https://acme.blob.core.windows.net',
    credentials: { account: 'acme', accountKey: 'c2VjcmV0' },
  });
  const sasToken = 'sv=2024-11-04&sp=r&se=2026-12-01T00%3A00%3A00Z&sr=b&sig=a%2Bb%3D';
  t.same(readAzureTarget({ ...blob, endpoint: 'https://azure.example:1/acme/', sasToken: `?${sasToken}` }), {
    container: 'moves',
    path: 'users.json',
    endpoint: 'https://azure.example:1/acme',
    credentials: { sasToken },
  });
  const endpoints = {
    'AccountName=acme;AccountKey=c2VjcmV0': 'https://acme.blob.core.windows.net',
    'DefaultEndpointsProtocol=http;AccountName=acme;AccountKey=c2VjcmV0;EndpointSuffix=core.usgovcloudapi.net':
      'https://acme.blob.core.usgovcloudapi.net',
    'AccountName=acme;AccountKey=c2VjcmV0==;BlobEndpoint=https://blob.example/': 'https://blob.example',
    'BlobEndpoint=https://blob.example/acme;SharedAccessSignature=sv=1&sig=a': 'https://blob.example/acme',
  };
  for (const [connectionString, endpoint] of Object.entries(endpoints))
    t.equal(readAzureTarget({ ...blob, connectionString }).endpoint, endpoint);
});

t.test('what cannot be a target is refused, and no secret is repeated', async (t) => {
  const target = 'bucket.targetInvalid';
  const credentials = 'bucket.credentialsInvalid';
  const cases: [() => unknown, string][] = [
    ...[
      { bucket: 'UPPER' },
      { bucket: 'a..b' },
      { bucket: 'a/b' },
      { bucket: 'arn:aws:s3:::x' },
      { bucket: 'a'.repeat(64) },
      { path: '' },
      { path: 'a/../b' },
      { path: './a' },
      { path: 'a\u0000' },
      { path: 'ü'.repeat(513) },
      { region: undefined as never },
      { region: 'eu-central-1.evil.example' },
      { region: 'eu-central-1/' },
      { region: 'x' },
      { endpoint: 'https://minio.example/path' },
      { endpoint: 'https://minio.example?x' },
      { endpoint: 'https://me:secret@minio.example' },
      { endpoint: 'http://minio.example' },
      { endpoint: 'minio.example' },
      { endpoint: 'https://minio.example', region: 'not a region' },
    ].map((changes): [() => unknown, string] => [() => readS3Target({ ...s3, ...changes }), target]),
    ...[
      { accessKeyId: '' },
      { accessKeyId: 'a b' },
      { secretAccessKey: 'secret\r\nx: y' },
      { secretAccessKey: 'secret'.repeat(50) },
      { sessionToken: '' },
      { sessionToken: 'x'.repeat(8_193) },
    ].map((changes): [() => unknown, string] => [() => readS3Target({ ...s3, ...changes }), credentials]),
    ...[
      { container: 'a' },
      { container: 'a--b' },
      { container: 'a/b' },
      { container: 'a-'.repeat(40) },
      { path: 'a/./b' },
      { account: 'acme.evil.example' },
      {
        account: undefined as never,
        endpoint: undefined as never,
        accountKey: undefined as never,
        sasToken: 'sig=a',
      },
      { endpoint: 'https://blob.example/a/b' },
      { endpoint: 'http://blob.example' },
    ].map((changes): [() => unknown, string] => [() => readAzureTarget({ ...azure, ...changes }), target]),
    ...[
      { accountKey: 'no base64!' },
      { accountKey: undefined as never },
      { sasToken: 'sig=secret' },
      { accountKey: undefined as never, sasToken: 'sv=1' },
      { accountKey: undefined as never, sasToken: 'sig=secret&comp=list' },
      { accountKey: undefined as never, sasToken: 'sig=secret&snapshot=1' },
      { accountKey: undefined as never, sasToken: 'sig=secret#x' },
      { accountKey: undefined as never, sasToken: `sig=secret&sv=${'1'.repeat(5_000)}` },
      { accountKey: undefined as never, connectionString: 'AccountName=acme;AccountKey=secret' },
    ].map((changes): [() => unknown, string] => [
      () => readAzureTarget({ ...azure, ...changes }),
      credentials,
    ]),
    ...[
      'UseDevelopmentStorage=true',
      'AccountName=acme',
      'AccountName=acme;AccountKey=secret;SharedAccessSignature=sig=secret',
      'AccountName=acme;AccountKey=secret;EndpointSuffix=evil.example/x',
      `AccountName=acme;AccountKey=${'secret'.repeat(2_000)}`,
    ].map((connectionString): [() => unknown, string] => [
      () => readAzureTarget({ ...blob, connectionString }),
      credentials,
    ]),
  ];
  for (const [read, id] of cases) {
    const error = thrownBy(read) as { definition?: { id: string }; message: string } | undefined;
    t.equal(error?.definition?.id, id, read.toString());
    t.notMatch(error?.message, /secret(?!AccessKey)/);
  }
});

t.test('the hosts of the providers are allowed, and those that are listed', async (t) => {
  const hosts = createStorageHosts(['minio.example:9000', 'Azure.Example', '[::1]:9000', '']);
  t.same([...hosts.privateNames], ['minio.example', 'azure.example', '[::1]']);
  const allowed = (host: string) => thrownBy(() => hosts.require(host)) === undefined;
  for (const host of [
    's3.eu-central-1.amazonaws.com',
    's3.amazonaws.com',
    'bucket.s3.us-gov-west-1.amazonaws.com',
    'a.b.s3.dualstack.eu-west-1.amazonaws.com',
    's3-fips.us-east-1.amazonaws.com',
    's3.cn-north-1.amazonaws.com.cn',
    'acme.blob.core.windows.net',
    'acme.z07.blob.storage.azure.net',
    'acme.blob.core.usgovcloudapi.net',
    'minio.example:9000',
    'azure.example',
    '[::1]:9000',
  ])
    t.ok(allowed(host), host);
  for (const host of [
    's3.eu-central-1.amazonaws.com:8443',
    's3.eu-central-1.amazonaws.com.evil.example',
    'evils3.eu-central-1.amazonaws.com',
    's3.evil.amazonaws.com',
    'ec2.eu-central-1.amazonaws.com',
    'bucket.vpce-1.s3.eu-central-1.vpce.amazonaws.com',
    'evil.example/.s3.amazonaws.com',
    'x.acme.blob.core.windows.net',
    'acme.queue.core.windows.net',
    'blob.core.windows.net',
    'minio.example',
    'bucket.minio.example:9000',
    'azure.example:8443',
    '169.254.169.254',
    'metadata.google.internal',
    '',
  ])
    t.notOk(allowed(host), host);
});

const serviceAccount = { readonly: true } as never;
const isPublic = (listed: readonly string[], target: BlobTarget, others: readonly string[] = []) =>
  thrownBy(() => createLazyBlobStore({ hosts: listed, others }).requirePublic(target)) === undefined;

t.test('a bucket of the operator is refused by each of its hosts, and no other one is', async (t) => {
  const { region: _, ...anywhere } = { ...s3, bucket: 'vault' };
  const at = (host: string, changes = {}) =>
    readS3Target({ ...anywhere, endpoint: `https://${host}`, ...changes });
  // Each is the bucket `vault`, and was reached although the list named it by another host.
  const vaults: Record<string, BlobTarget> = {
    usual: readS3Target({ ...anywhere, region: 'eu-central-1' }),
    'another region': readS3Target({ ...anywhere, region: 'us-east-1' }),
    path: readS3Target({ ...anywhere, region: 'eu-central-1', pathStyle: true }),
    'path of all regions': at('s3.amazonaws.com'),
    'host of all regions': at('s3.amazonaws.com', { pathStyle: false }),
    dualstack: at('s3.dualstack.eu-central-1.amazonaws.com', { pathStyle: false }),
    fips: at('s3-fips.dualstack.us-east-1.amazonaws.com'),
    'host before another bucket in the path': at('vault.s3.dualstack.eu-central-1.amazonaws.com', {
      bucket: 'moves',
    }),
    'letters of the host': at('S3.EU-central-1.AmazonAWS.com'),
  };
  for (const listed of [
    'vault.s3.eu-central-1.amazonaws.com',
    'vault.s3.amazonaws.com:443',
    'vault.s3.dualstack.eu-central-1.amazonaws.com.',
    'vault.s3-fips.us-east-1.amazonaws.com',
    'Vault.s3-eu-west-1.amazonaws.com',
    'vault.s3-accelerate.amazonaws.com',
    'vault.bucket.vpce-0a1b-2c3d.s3.eu-central-1.vpce.amazonaws.com',
  ]) {
    for (const [name, target] of Object.entries(vaults))
      t.notOk(isPublic([listed], target), `${listed}: ${name}`);
    t.ok(isPublic([listed], readS3Target(s3)), `${listed}: the bucket of somebody else`);
    t.ok(isPublic([listed], readS3Target({ ...s3, bucket: 'vault.b' })), `${listed}: a longer name`);
    t.notOk(isPublic([listed], readS3Target({ ...s3, bucket: 'ap-1a2b3c-s3alias' })), 'an access point');
    t.ok(isPublic([listed], readAzureTarget({ ...azure, account: 'vault' })), 'another provider');
    t.notOk(isPublic([], vaults['usual'] as BlobTarget, [listed]), 'a host that imports read by https');
  }
  t.ok(isPublic([], readS3Target({ ...s3, bucket: 'ap-1a2b3c-s3alias' })), 'none is of the operator');
});

t.test('a host that says no bucket may lead to each bucket of its provider', async (t) => {
  const gcs = { bucket: 'moves', path: 'p', serviceAccount };
  const targets = { amazon: readS3Target(s3), google: gcs, microsoft: readAzureTarget(azure) };
  for (const [listed, refused] of Object.entries({
    's3.eu-central-1.amazonaws.com': 'amazon',
    'vpce-0a1b.s3.eu-central-1.vpce.amazonaws.com': 'amazon',
    'mine-123456789012.s3-accesspoint.eu-central-1.amazonaws.com': 'amazon',
    'storage.googleapis.com': 'google',
    'storage-mine.p.googleapis.com': 'google',
    'moves.storage.googleapis.com': 'google',
    'moves.storage.europe-west3.rep.googleapis.com': 'google',
    'acme-secondary.blob.core.windows.net': 'microsoft',
    'acme.privatelink.blob.core.windows.net': 'microsoft',
    'acme.z07.blob.storage.azure.net': 'microsoft',
    'acme.dfs.core.windows.net': 'microsoft',
    'blob.core.windows.net': 'microsoft',
    'minio.example.com:9000': 'none',
    'other.storage.googleapis.com': 'none',
    'other.blob.core.windows.net': 'none',
    's3.eu-central-1.amazonaws.com.evil.example': 'none',
  })) {
    for (const [provider, target] of Object.entries(targets))
      t.equal(isPublic([listed], target), provider !== refused, `${listed}: ${provider}`);
  }
  const named = readS3Target({ ...s3, bucket: 'files.example.com' });
  t.notOk(isPublic(['files.example.com'], named), 'a bucket with the name of a domain of the operator');
  t.notOk(isPublic(['files.example.com'], { ...gcs, bucket: 'files.example.com' }));
});
