import { readFile } from 'node:fs/promises';
import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { checkPasskey } from '#src/authentication/passkeys/index.js';
import { makeOrganization, makeTenant, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { storeConnection } from '../../support/oidc/connected.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

/** The policies of docs/guides/sign-in-policy.md that stand there without a command. `test/slow/guides/guides.test.ts` runs the commands. */

const { container, call } = await buildTestApp(t, { smtpUrl: 'smtp://127.0.0.1:9' });
const guide = await readFile('docs/guides/sign-in-policy.md', 'utf8');
const { origin, hostname } = new URL(container.config.baseUrl);

/** An organization whose owner has signed in with a passkey. */
async function makeTried() {
  const { orgId, owner } = await makeTenant(container);
  const organization = (await container.organizations.find(orgId)) ?? (await makeOrganization(container));
  const person = await makePerson(container, organization);
  await addMembership(container, { userId: person.id, role: 'ORG_OWNER', orgId, editor: testEditor });
  await storeConnection(container, orgId, {});
  const key = await enrolPasskey(container, person);
  const binding = { purpose: 'signIn', agent: 'browser', orgId } as const;
  const challenge = container.passkeyChallenges.make(binding);
  await checkPasskey(container, {
    ...{ binding, isAlone: true, address: '192.0.2.1', party: { id: hostname, origin } },
    response: key.get({ challenge, rpId: hostname }, origin),
  });
  return { orgId, owner, person };
}

const policies = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);

t.test('each policy of the guide is taken as it stands', async (t) => {
  t.equal(policies.length, 3);
  for (const text of policies) {
    const { orgId, owner, person } = await makeTried();
    const body = JSON.parse(text.replace('{user}', person.id));
    const path = `/admin/v1/orgs/${orgId}/sign-in-policy`;
    t.match(await call(`POST ${path}/trial`, { as: owner, body }), { status: 200 }, text);
    t.match(await call(`PUT ${path}`, { as: owner, body }), { status: 200, body }, text);
    t.match((await call(`GET ${path}`, { as: owner })).body, body, text);
  }
});

t.test('the errors and commands that the guides name exist', async (t) => {
  const [errors, commands] = [
    await readFile('docs/errors.md', 'utf8'),
    await readFile('docs/cli.md', 'utf8'),
  ];
  const text = guide + (await readFile('docs/guides/passkeys.md', 'utf8'));
  const ids = [...text.matchAll(/`(directory\.\w+)`/g)].map(([, id = '']) => id);
  t.ok(ids.length >= 3);
  for (const id of ids) t.ok(errors.includes(`| \`${id}\` |`), id);
  const named = [...text.matchAll(/(?:^|`)muster ([a-z-]+ [a-z-]+)/gm)].map(([, command = '']) => command);
  t.ok(named.length >= 4);
  for (const command of named) t.ok(commands.includes(`### muster ${command}\n`), command);
});
