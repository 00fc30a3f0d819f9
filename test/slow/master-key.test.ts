import { execFileSync } from 'node:child_process';
import t from 'tap';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage } from '../../dev/stage/stage.js';
import { newUser } from '../support/scim/bulk.js';

/** The steps of "Keys" in docs/operations.md that replace a master key. */
t.test('a master key is replaced while processes serve', { timeout: 120_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const [k1, k2] = [makeKey('k1'), makeKey('k2')];
  stage.keepSecret(k1, k2);
  // The first start sealed nothing: the API process makes the signing keys.
  const withKeys = (...keys: string[]) => stage.startApi({ MUSTER_MASTER_KEYS: keys.join() });
  const former = await withKeys(k1);
  const program = await makeServiceUser(stage, former, 'ORG_USER_MANAGER');
  const token = await accessTokenOf(stage, former, program);
  const users = `/scim/v2/${stage.orgId}/Users`;
  const published = (await former.call('GET /oauth/v2/keys')).body;

  const both = await withKeys(k1, k2);
  former.signal('SIGTERM');
  t.equal(await former.exitCode, 0);
  const later = await withKeys(k2, k1);
  const reseal = stage.startCommand(['reseal'], { MUSTER_MASTER_KEYS: `${k2},${k1}` });
  t.equal(await reseal.exitCode, 0);
  t.match(reseal.log(), /\d{4}-\d\d-\d\d/, 'until when the former key may be needed');
  for (const [number, api] of [both, later].entries()) {
    const created = await api.call(`POST ${users}`, { token, json: newUser(`sealed-${number}`) });
    t.equal(created.status, 201);
  }

  const sealedAnew = await accessTokenOf(stage, later, program);

  const alone = await withKeys(k2);
  t.same((await alone.call('GET /oauth/v2/keys')).body, published);
  const statusOf = async (token: string) => (await alone.call(`GET ${users}?count=1`, { token })).status;
  t.equal(await statusOf(sealedAnew), 200);
  t.equal(await statusOf(token), 401, 'the former key sealed it');
  await t.rejects(withKeys(k1), { message: /A process ended at its start: .*MUSTER_MASTER_KEYS/s });
});

/** @returns the output of `muster new-master-key` */
function makeKey(id: string): string {
  const args = ['dist/src/cli/main.js', 'new-master-key', '--id', id];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}
