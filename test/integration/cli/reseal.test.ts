import { randomBytes } from 'node:crypto';
import t from 'tap';
import { unsealTotpSecret } from '#src/accounts/totp.js';
import { putMigrationHook } from '#src/authentication/migration-hook/put-migration-hook.js';
import { putPasswordPepper } from '#src/authentication/password-pepper/index.js';
import { resealAll } from '#src/cli/server/reseal-all.js';
import { readCredential } from '#src/connections/registry/connection-secrets.js';
import { openRooms, type Rooms } from '#src/rooms.js';
import { testEditor } from '../../support/app/make.js';
import { giveTotp, makeHome, makePerson } from '../../support/app/people.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { storeConnection } from '../../support/oidc/connected.js';

const [former, present, foreign] = ['k1', 'k2', 'k3'].map(
  (id) => `${id}:${randomBytes(32).toString('base64url')}`,
) as [string, string, string];
const { container, clock } = await openTestContainer(t, { masterKeys: former });

/** A process with other master keys. */
async function withKeys(...keys: string[]): Promise<Rooms> {
  const config = { ...container.config, masterKeys: keys.join(',') };
  const opened = await openRooms(config, { logger: container.logger, clock });
  t.teardown(() => opened.close());
  return opened;
}

t.test('after sealing all anew the former master key can go', async (t) => {
  const { kid } = await container.signingKeys.active();
  const home = await makeHome(container);
  const person = await makePerson(container, home);
  const [secret, other] = [await giveTotp(container, person), await makePerson(container, home)];
  await giveTotp(container, other);
  const put = { orgId: home.id, url: 'https://hook.example/', editor: testEditor };
  const { secret: hookSecret = '' } = await putMigrationHook(container, put);
  await putPasswordPepper(container, { orgId: home.id, pepper: 'old salt', editor: testEditor });
  const withSecret = await storeConnection(container, home.id, { authMethod: 'client_secret_basic' });
  const withKey = await storeConnection(container, home.id, { authMethod: 'private_key_jwt' });
  const hookSecretIn = async ({ organizations, hookSealer }: Rooms) => {
    const sealed = (await organizations.find(home.id))?.migrationHook?.sealedSecret ?? '';
    return hookSealer.unseal(Buffer.from(sealed, 'base64url'))?.toString();
  };
  const secretIn = async ({ accounts, totpSealer }: Rooms) => {
    const account = await accounts.find(home.id, person.id);
    return unsealTotpSecret(totpSealer, person.id, account?.totp?.sealed ?? '');
  };

  const alone = await withKeys(present);
  await t.rejects(alone.signingKeys.active(), { message: `No master key opens signing key ${kid}` });
  t.equal(await secretIn(alone), undefined, 'before');

  const both = await withKeys(present, former);
  const none = { resealed: 0, unreadable: 0 };
  const lives = container.config.refreshTokenSeconds * 1000;
  const earliest = clock.now().getTime() + lives;
  const report = await resealAll(both);
  t.match(report, {
    signingKeys: { resealed: 6, unreadable: 0 },
    secondFactors: { resealed: 2, unreadable: 0 },
    migrationHooks: { resealed: 1, unreadable: 0 },
    passwordPeppers: { resealed: 1, unreadable: 0 },
    connections: { resealed: 2, unreadable: 0 },
  });
  const until = report.neededUntil.getTime();
  t.ok(earliest <= until && until <= clock.now().getTime() + lives, 'as long as clients may hold tokens');
  t.match(
    await resealAll(both),
    {
      signingKeys: none,
      secondFactors: none,
      migrationHooks: none,
      passwordPeppers: none,
      connections: none,
    },
    'once',
  );

  const after = await withKeys(present);
  t.equal((await after.signingKeys.active()).kid, kid);
  t.same(await secretIn(after), secret);
  t.equal(await hookSecretIn(after), hookSecret);
  t.equal(await after.findPepper(home.id), 'old salt');
  t.equal(await (await withKeys(foreign)).findPepper(home.id), undefined);
  t.same(await secretIn(both), secret);
  for (const { id } of [withSecret, withKey]) {
    const connection = await after.connections.find(home.id, id);
    t.ok(
      connection?.protocol === 'oidc' && readCredential(after.connectionSealer, connection),
      'a connection proves itself as before',
    );
  }
});

t.test('what no master key opens is told and stays', async (t) => {
  t.match(await resealAll(await withKeys(foreign)), {
    signingKeys: { resealed: 0, unreadable: 6 },
    secondFactors: { resealed: 0, unreadable: 2 },
    migrationHooks: { resealed: 0, unreadable: 1 },
    passwordPeppers: { resealed: 0, unreadable: 1 },
    connections: { resealed: 0, unreadable: 2 },
  });
  t.match(await resealAll(await withKeys(foreign, present)), {
    signingKeys: { resealed: 6, unreadable: 0 },
    secondFactors: { resealed: 2, unreadable: 0 },
  });
});
