import { generateKeyPairSync } from 'node:crypto';
import t from 'tap';
import { readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { encodeServiceAccount, serviceAccountFile } from '../../../dev/storage/service-account.js';

const good = { bucket: 'a-bucket', path: 'moves/users.json', serviceaccountJson: encodeServiceAccount() };

const refusal = (changes: Partial<typeof good>) => {
  try {
    readBlobTarget({ ...good, ...changes });
  } catch (error) {
    return error as { message: string; definition: { id: string } };
  }
  return undefined;
};

t.test('keeps the name and the key of the service account, and no address of the file', async (t) => {
  const serviceaccountJson = encodeServiceAccount({
    token_uri: 'http://169.254.169.254/token',
    universe_domain: 'evil.example',
    quota_project_id: 'x',
  });
  t.strictSame(readBlobTarget({ ...good, serviceaccountJson }), {
    bucket: 'a-bucket',
    path: 'moves/users.json',
    serviceAccount: {
      clientEmail: serviceAccountFile['client_email'],
      privateKey: serviceAccountFile['private_key'],
    },
  });
});

t.test('refuses every file that is not of a service account', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecKey = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const files: Record<string, string> = {
    ...Object.fromEntries(
      [
        'external_account',
        'authorized_user',
        'impersonated_service_account',
        'external_account_authorized_user',
        'gdch_service_account',
        'Service_Account',
        undefined,
        ['service_account'],
      ].map((type) => [`type ${type}`, encodeServiceAccount({ type })]),
    ),
    'no email': encodeServiceAccount({ client_email: undefined }),
    'an address as email': encodeServiceAccount({ client_email: 'http://x/@y' }),
    'no key': encodeServiceAccount({ private_key: undefined }),
    'a broken key': encodeServiceAccount({ private_key: '-----BEGIN PRIVATE KEY-----\nx' }),
    'another kind of key': encodeServiceAccount({ private_key: ecKey }),
    'not base64': '{"type":"service_account"}',
    'not JSON': Buffer.from('type: service_account').toString('base64'),
    'not UTF-8': Buffer.from([0xff, 0xfe, 0x7b]).toString('base64'),
    'no object': Buffer.from('["service_account"]').toString('base64'),
    empty: '',
    long: 'A'.repeat(40_000),
  };
  for (const [name, serviceaccountJson] of Object.entries(files)) {
    const error = refusal({ serviceaccountJson });
    t.equal(error?.definition.id, 'bucket.serviceAccountInvalid', name);
    t.notMatch(error?.message, /BEGIN|evil/, 'the answer repeats nothing of it');
  }
});

t.test('refuses names that are none', async (t) => {
  const names = [
    ...['', 'ab', 'A-Bucket', 'a/b', '../x', 'a..b', '-a-b', 'a b c', 'x'.repeat(300)].map((bucket) => ({
      bucket,
    })),
    ...['', '.', '..', 'a\nb', 'a\u0000b', 'a\ud800', '\udc00b', 'ü'.repeat(600)].map((path) => ({ path })),
  ];
  for (const name of names) {
    t.equal(refusal(name)?.definition.id, 'bucket.targetInvalid', JSON.stringify(name).slice(0, 50));
  }
});
