import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { blocks, inline } from '../support/kubernetes/guide.js';
import { type Walk, walkToProduction } from '../support/kubernetes/walk.js';
import { type BackUp, backUp, restore } from '../support/migration/back-up.js';
import { bulkOf, newUser } from '../support/scim/bulk.js';

/** What docs/operations.md tells to do in production later: replace keys, restore a back-up. */
t.test('keys are replaced and a back-up restored as the guide says', { timeout: 295_000 }, async (t) => {
  let kept: BackUp | undefined;
  const ok = { code: 0, stdout: '', stderr: '' };
  // The tools of MongoDB are to be had from nowhere here: what they do is done by their effect.
  const mongodump = async (args: readonly string[], cwd: string) => {
    t.same(args, ['--uri', walk?.mongodb.url, '--oplog', '--gzip', '--archive=muster.gz']);
    if (walk !== undefined) kept = await backUp(walk);
    await writeFile(join(cwd, 'muster.gz'), '');
    return ok;
  };
  const mongorestore = async (args: readonly string[]) => {
    t.same(args, ['--uri', walk?.mongodb.url, '--oplogReplay', '--gzip', '--drop', '--archive=muster.gz']);
    if (walk !== undefined && kept !== undefined) await restore(walk, kept);
    return ok;
  };
  const walk = await walkToProduction(t, {
    programs: { mongodump, mongorestore },
    needs: ['redis-cli'],
    // Nobody asks for anything while pods are replaced.
    settings: { MUSTER_DRAIN_SECONDS: '0' },
  });
  if (walk === undefined) return;
  // Sets the variables that later commands use.
  await walk.run(walk.look);
  await t.test('signing keys', (t) => replaceSigningKeys(t, walk));
  await t.test('a master key', (t) => replaceMasterKey(t, walk));
  await t.test('back-up and restore', (t) => backUpAndRestore(t, walk));
  t.equal(walk.cluster.restarts, 0);
  t.same(walk.cluster.overstayed, [], 'each ended when it was told to');
});

const section = ['## Keys', '## Sizing'] as const;

async function replaceSigningKeys(t: Test, { run }: Walk): Promise<void> {
  const [rotate = '', takeAway = ''] = blocks(...section, 3);
  const [list = '', remove = '', ...more] = takeAway.trim().split('\n');
  t.same(more, []);
  const forced = inline(...section, '-d \'{"force":true}\'');
  await run(rotate);
  const before: { kid: string; state: string }[] = JSON.parse(await run(list)).items;
  const active = before.find(({ state }) => state === 'active')?.kid ?? '';
  await run(rotate.replace("-d '{}'", forced));
  const retired = JSON.parse(await run(list)).items.find(({ kid }: { kid: string }) => kid === active);
  t.equal(retired?.state, 'retired');
  await run(remove.replace('KID', active));
  const after: { kid: string; state: string }[] = JSON.parse(await run(list)).items;
  t.notOk(after.some(({ kid }) => kid === active));
  t.equal(after.filter(({ state }) => state === 'active').length, 1);
}

async function replaceMasterKey(t: Test, { run, call, cluster }: Walk): Promise<void> {
  const [, , another = ''] = blocks(...section, 3);
  const inTheSameWay = another.slice(another.indexOf('kubectl'));
  await run(another);
  await run('IFS=, read -r K1 K2 < master-keys; echo "$K2,$K1" > master-keys');
  await run(inTheSameWay);
  const reseal = inline(...section, 'kubectl -n muster exec deployment/muster-api -- muster reseal');
  t.match(await run(`${reseal} 2>&1`), /\d{4}-\d\d-\d\d/, 'until when the former key may be needed');
  await run('echo "$K2" > master-keys');
  await run(inTheSameWay);
  t.equal(cluster.restarts, 0, 'each process opens the signing keys with the new one alone');
  const { status, body } = await call('GET /.well-known/openid-configuration');
  t.equal(status, 200);
  t.equal((await call(`GET ${new URL(JSON.parse(body).jwks_uri).pathname}`)).status, 200);
}

async function backUpAndRestore(t: Test, { run, call, first, redisPrefix }: Walk): Promise<void> {
  const [dump = '', bringBack = ''] = blocks('## Back-up and restore', '## Keys', 2);
  const own = inline('## Back-up and restore', '## Keys', 'redis-cli -u "$REDIS_URL" --scan');
  const users = `/scim/v2/${first.orgId}/Users`;
  const create = async (userName: string) =>
    t.equal((await call(`POST ${users}`, { json: newUser(userName) })).status, 201);
  await create('before');
  await run(dump);
  await create('after');
  const empty = ['muster:', '{muster:'].map((start) =>
    own.replace("'muster:*'", `'${start.replace('muster', redisPrefix)}*'`),
  );
  // Others use the Redis here.
  await run(bringBack.replace(/^redis-cli .*$/m, empty.join('\n')));
  for (const name of ['api', 'worker'])
    await run(`kubectl -n muster rollout status deployment/muster-${name}`);
  const { status, body } = await call(`GET ${users}?count=100`);
  t.equal(status, 200);
  t.match(body, '"userName":"before"');
  t.notMatch(body, '"userName":"after"');
  const bulk = await call(`POST /scim/v2/${first.orgId}/Bulk`, { json: bulkOf('restored', 3) });
  t.equal(bulk.body.match(/"status":"201"/g)?.length, 3, 'workers work');
}
