import { readdir, readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeTenant } from '../../support/app/make.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { startOutsideIssuer } from '../../support/oidc/outside-issuer.js';
import { type Expectation, examplesIn, runExamples } from '../../support/processes/run-examples.js';

/** The examples of each guide run in their order in one shell, and have the output that the text promises. */

const certificate = await makeCertificate(t);
const { container, baseUrl } = await buildListeningApp(t, {
  privateIssuerHosts: '127.0.0.1',
  ...(certificate && { outgoingCa: certificate.cert }),
});
const admin = `admin() { curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }`;

const subject = 'repo:acme/hr:environment:production';
const badge = (output: string) => JSON.parse(output).attributes[0].name;

const guides: Record<string, Expectation[]> = {
  'entra.md': [
    ['Add a service user for Entra', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['Give it a secret', (output) => JSON.parse(output).label, 'Entra 2026'],
    ['refuse a second user', (output) => JSON.parse(output).uniqueExternalId, true],
    ['personal access token', (output) => typeof JSON.parse(output).token, 'string'],
    ['register it first', badge, 'number'],
    ['when the secret was last used', (output) => JSON.parse(output).items.length, 1],
  ],
  'migrate.md': [
    [
      'one person of Ory Kratos',
      (output) => output.split('\n').map((line) => line.replace(/\S*\//g, '')),
      [
        'left out: schema_id of 1 users, first at kratos.json:2',
        'left out: traits.newsletter of 1 users, first at kratos.json:2',
        'importBody.json: 1 users, 1 with a password, 0 without',
        '0 errors, 0 notes',
      ],
    ],
    ['With `--strict` nothing is written', (output) => output.split('\n').at(-1), 'exit code 1'],
    ['hash parameters', (output) => output.includes('1 users, 1 with a password, 0 without'), true],
  ],
  'okta.md': [
    ['Add a service user for Okta', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['Give it a token', (output) => typeof JSON.parse(output).token, 'string'],
    ['register it first', badge, 'number'],
  ],
  'workload-identity.md': [
    ['Add a service user', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['let it trust them', (output) => JSON.parse(output).subject, subject],
    ['ask for an access token', (output) => JSON.parse(output).expires_in, 3600],
    ['last used', (output) => JSON.parse(output).items.length, 1],
    ['finds the reason', (output) => JSON.parse(output).events, []],
  ],
};

/** The variables that a reader has set before, for the guides that need an outside issuer. */
async function outsideVariables(t: Pick<Test, 'teardown'>): Promise<Record<string, string>> {
  if (certificate === undefined) return {};
  const issuer = await startOutsideIssuer(t, certificate);
  const JWT = await issuer.sign({ sub: subject, aud: baseUrl });
  return { ISSUER: issuer.issuer, SUBJECT: subject, JWT };
}

t.test('there are no other guides', async (t) => {
  t.same((await readdir('docs/guides')).sort(), Object.keys(guides));
});

for (const [name, expectations] of Object.entries(guides)) {
  t.test(`every example of ${name} does what the guide says`, async (t) => {
    const { orgId, owner } = await makeTenant(container);
    const guide = await readFile(`docs/guides/${name}`, 'utf8');
    await runExamples(t, examplesIn(guide), expectations, {
      before: admin,
      env: { BASE: baseUrl, ORG: orgId, TOKEN: owner.token, ...(await outsideVariables(t)) },
    });
  });
}
