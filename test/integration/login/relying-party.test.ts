import t from 'tap';
import { checkRelyingParty } from '#src/authentication/passkeys/index.js';
import type { User } from '#src/directory/user.js';
import type { Logger } from '#src/platform/logger.js';
import { StartError } from '#src/platform/start-error.js';
import { makeOrganization } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const { container, clock } = await buildTestApp(t);
const home = await makeOrganization(container);
const former = new URL(container.config.baseUrl).hostname;
const { relyingParty } = container;

const warnings: object[] = [];
const logger = { warn: (facts: object) => warnings.push(facts) } as unknown as Logger;

/** Starts a process with these settings. */
const start = (baseUrl: string, { rpId = '', rpIdChange = '' } = {}) =>
  checkRelyingParty({ relyingParty, config: { baseUrl, rpId, rpIdChange }, clock, logger });

const newAddress = 'https://login.example.net';
const people: User[] = [];

t.test('without a passkey, the address may change', async (t) => {
  await start(newAddress);
  t.equal(await relyingParty.find(), undefined);
});

t.test('an address that orphans passkeys is refused at the start, with their number', async (t) => {
  people.push(await makePerson(container, home), await makePerson(container, home));
  for (const person of people) await enrolPasskey(container, person);
  await enrolPasskey(container, people[0] as User);
  t.equal(await relyingParty.find(), former);
  await start(container.config.baseUrl);
  await start(`https://${former}:8443`);
  const refused = await start(newAddress).catch((error: unknown) => error);
  t.ok(refused instanceof StartError);
  t.match(refused, { message: new RegExp(`belong to ${former}.* means login.example.net\\. 3 passkeys`) });
  t.match(refused, { message: `MUSTER_RP_ID=${former} keeps them` });
  t.match(refused, { message: `MUSTER_RP_ID_CHANGE="${former} login.example.net" gives them up` });
  t.equal(await relyingParty.find(), former, 'nothing was changed');
  t.same(warnings, []);
});

t.test('only the change from this RP ID to that one is permitted', async (t) => {
  for (const rpIdChange of [
    `${former} other.example.net`,
    `other.example.net login.example.net`,
    `login.example.net ${former}`,
    `${former}  login.example.net`,
    'yes',
  ])
    t.ok(
      (await start(newAddress, { rpIdChange }).catch((error: unknown) => error)) instanceof StartError,
      rpIdChange,
    );
  t.equal(await relyingParty.find(), former);
});

t.test('MUSTER_RP_ID keeps the passkeys at a new address', async (t) => {
  await start(newAddress, { rpId: former });
  t.equal(await relyingParty.find(), former);
});

t.test('MUSTER_RP_ID_CHANGE gives them up, and a second process starts too', async (t) => {
  const rpIdChange = `${former} login.example.net`;
  const both = await makePerson(container, home);
  const imported = await enrolPasskey(container, both);
  await enrolPasskey(container, both);
  const [list] = await container.webauthnCredentials.findMany(home.id, [both.id]);
  const item = list?.items[imported.id];
  if (list === undefined || item === undefined) throw new Error('no passkey');
  await container.webauthnCredentials.replaceUsed(home.id, {
    ...{ list, key: imported.id, item: { ...item, rpId: 'login.example.net' } },
  });
  const without = await makePerson(container, home);
  await Promise.all([start(newAddress, { rpIdChange }), start(newAddress, { rpIdChange })]);
  t.equal(await relyingParty.find(), 'login.example.net');
  t.match(warnings[0], { from: former, to: 'login.example.net', passkeys: 4 });
  const countOf = async ({ id }: User) => (await container.accounts.find(home.id, id))?.passkeys?.count;
  t.same(await Promise.all([...people, both, without].map(countOf)), [undefined, undefined, 1, undefined]);
  await start(newAddress);
  await start(newAddress, { rpIdChange });
  const late = await enrolPasskey(container, await makePerson(container, home)).catch(
    (error: unknown) => error,
  );
  t.match(late, { definition: { id: 'directory.relyingPartyDiffers' } }, 'a process of before adds none');
});

t.test('an address without a name has no passkeys, and starts', async () => {
  await start('https://192.0.2.1');
  await start('http://login.example.net');
});
