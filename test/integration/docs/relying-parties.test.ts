import { readFile } from 'node:fs/promises';
import t from 'tap';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeOrganization, makeTenant } from '../../support/app/make.js';
import { makeApplication, makePerson, redeemCode } from '../../support/app/oauth-client.js';
import { adminFunction } from '../../support/docs/muster-of-reader.js';
import { type Expectation, examplesIn, runExamples } from '../../support/processes/run-examples.js';

/** The examples of docs/relying-parties.md run in their order in one shell, and have the output that the text promises. */

const { container, baseUrl, call } = await buildListeningApp(t);
const { orgId, owner } = await makeTenant(container);
const guide = await readFile('docs/relying-parties.md', 'utf8');

const expectations: Expectation[] = [
  ['Register an application', (output) => output, ''],
  ['Put the claims into the ID token', (output) => JSON.parse(output).idTokenUserinfoAssertion, true],
  ['that maps groups to rights', (output) => JSON.parse(output).groupsClaim, 'identifiers'],
  ['Make a project with a role', (output) => JSON.parse(output).key, 'agent'],
  ['Put the application into the project', (output) => JSON.parse(output).projectId === undefined, false],
  ['Choose ES256 or EdDSA', (output) => JSON.parse(output).idTokenSignedResponseAlg, 'ES256'],
  ['Send a wrong', (output) => JSON.parse(output).error, 'invalid_client'],
  [
    'Read why it was refused',
    (output) =>
      JSON.parse(output).events.map((event: { payload: { reason: string } }) => event.payload.reason),
    ['secretWrong'],
  ],
  ['make it strict', (output) => JSON.parse(output).strictAuthMethod, true],
  [
    'Ask as such a page',
    (output) =>
      output
        .toLowerCase()
        .split(/\r?\n/)
        .map((line) => line.trim()),
    [
      'access-control-expose-headers: www-authenticate, retry-after, x-error-id',
      'access-control-allow-origin: https://tickets.example.com',
      'access-control-allow-credentials: true',
      'access-control-allow-methods: get, post',
      'access-control-allow-headers: authorization, content-type, traceparent, tracestate, baggage, x-requested-with',
      'access-control-max-age: 86400',
    ],
  ],
  ['Let the application get JWTs', (output) => JSON.parse(output).accessTokenType, 'jwt'],
];

t.test('every example does what the guide says', async (t) => {
  // An event is written in the background, so this example may find it only when it runs again.
  const untilFound = (script: string) =>
    `until FOUND=$(${script}) && [[ $FOUND == *secretWrong* ]]; do sleep 0.1; done; echo "$FOUND"`;
  const run = examplesIn(guide).map(({ sentence, script }) => ({
    sentence,
    script: sentence.includes('Read why') ? untilFound(script) : script,
  }));
  await runExamples(t, run, expectations, {
    before: adminFunction,
    env: { BASE: baseUrl, ORG: orgId, TOKEN: owner.token },
  });
});

t.test('the guide names every reason of a refusal', async (t) => {
  const source = await readFile('src/oidc/clients/refusal.ts', 'utf8');
  const reasons = /export type RefusalReason =([\s\S]*?);/.exec(source)?.[1] ?? '';
  const names = [...reasons.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
  t.ok(names.length >= 8);
  for (const name of names) t.match(guide, `| \`${name}\` |`, name);
});

t.test('what keycloak-js reads of a token is there in JWTs alone', async (t) => {
  const organization = await makeOrganization(container);
  const person = await makePerson(container, organization);
  const payloadOf = (token: string) => token.split('.')[1];
  for (const accessTokenType of ['jwt', 'opaque'] as const) {
    const client = await makeApplication(container, organization.id, { accessTokenType });
    const { body } = await redeemCode(
      { container, call },
      { client, person, grant: { scope: 'openid offline_access' } },
    );
    t.equal(payloadOf(body.access_token) !== undefined, accessTokenType === 'jwt', accessTokenType);
    t.equal(payloadOf(body.refresh_token), undefined, 'so the scope must not have offline_access');
  }
});
