import t from 'tap';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { startStorageServer } from '../../../dev/storage/storage-server.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { goodPassword } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

const storage = await startStorageServer(t, ['moves']);
const gcs = { bucket: 'moves', path: 'instance.json', serviceaccount_json: encodeServiceAccount() };

/** An instance with its own organization. Its owner sends the requests. */
async function openInstance() {
  const { container, call } = await buildTestApp(t, {
    workers: true,
    storageEmulatorHost: storage.endpoint,
  });
  const { id } = await makeOrganization(container);
  const as = await makeCaller(container, id, ['IAM_OWNER']);
  const post = async (path: string, body: unknown) => {
    const answer = await call(`POST /admin/v1/${path}`, { as, body });
    if (answer.status !== 200) throw new Error(`${path} answers ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return { container, post };
}

const source = await openInstance();
const moved = [await makeFullOrganization(source.container), await makeFullOrganization(source.container)];
const wanted = { org_ids: moved.map(({ orgId }) => orgId), with_passwords: true, with_otp: true };

t.test('an export that is imported elsewhere and exported again is the same', async (t) => {
  const target = await openInstance();
  const exported = await source.post('export', { ...wanted, response_output: true, gcs_output: gcs });
  const imported = await target.post('import', { timeout: '5m', data_orgsv1_gcs: gcs });
  t.equal(imported.errors, undefined, JSON.stringify(imported.errors));
  const { total } = imported.summary;
  t.same(imported.summary, { created: total, skipped: 0, failed: 0, total });

  await target.post('export', { ...wanted, gcs_output: { ...gcs, path: 'again.json' } });
  const [before, after] = ['instance.json', 'again.json'].map((path) => storage.objects.get(`moves/${path}`));
  t.equal(String(after?.content), String(before?.content));
  t.same(JSON.parse(String(before?.content)), exported);

  const [first] = moved;
  const person = first?.people.full;
  const account = await target.container.accounts.find(first?.orgId ?? '', person?.id ?? '');
  const hash = account?.password?.hash ?? '';
  t.ok(
    await target.container.passwords.verify(hash, goodPassword, { purpose: 'other', orgId: undefined }),
    'the password is still the password',
  );
  const kept = await source.container.accounts.find(first?.orgId ?? '', person?.id ?? '');
  t.equal(account?.totp?.recovery?.length, 10);
  t.same(account?.totp?.recovery, kept?.totp?.recovery, 'and the recovery codes still work');

  const again = await target.post('import', { timeout: '5m', data_orgsv1: exported });
  t.same(again.summary, { created: 0, skipped: total, failed: 0, total });
});

t.test('without hashes people come without passwords, and nothing else is lost', async (t) => {
  const target = await openInstance();
  const bare = { ...wanted, with_passwords: false, with_otp: false, response_output: true };
  const without = await source.post('export', bare);
  const imported = await target.post('import', { timeout: '5m', data_orgsv1: without });
  t.equal(imported.errors, undefined, JSON.stringify(imported.errors));
  t.same(await target.post('export', { ...wanted, response_output: true }), without);
});
