import { readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { adminFunction } from '../../support/docs/muster-of-reader.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { startOutsideIssuer } from '../../support/oidc/outside-issuer.js';
import { type Expectation, examplesIn, runExamples } from '../../support/processes/run-examples.js';

/** The examples of each guide run in their order in one shell, and have the output that the text promises. */

const certificate = await makeCertificate(t);
const { container, baseUrl } = await buildListeningApp(t, {
  privateIssuerHosts: '127.0.0.1',
  ...(certificate && { outgoingCa: certificate.cert }),
});

const subject = 'repo:acme/hr:environment:production';
const badge = (output: string) => JSON.parse(output).attributes[0].name;

const guides: Record<string, Expectation[]> = {
  'entra.md': [
    ['Add a service user for Entra', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['Give it a secret', (output) => JSON.parse(output).label, 'Entra 2026'],
    ['refuse a second user', (output) => JSON.parse(output).uniqueExternalId, true],
    ['personal access token', (output) => typeof JSON.parse(output).token, 'string'],
    ['Let the service user trust them', (output) => JSON.parse(output).audience, 'api://workload'],
    ['reports `invalid_client`', (output) => JSON.parse(output).events, []],
    ['register it first', badge, 'number'],
    ['when the secret was last used', (output) => JSON.parse(output).items.length, 1],
  ],
  'sign-in-policy.md': [
    ['Ask what happens', (output) => JSON.parse(output).people, { meets: 0, mustEnrol: 1, lockedOut: 0 }],
    ['Name a day', (output) => JSON.parse(output).sessionIdleSeconds, 28_800],
    ['Read what holds', (output) => JSON.parse(output).demands.length, 1],
    ['look at a trial', (output) => JSON.parse(output).people.mustEnrol, 1],
    ['An empty policy', (output) => JSON.parse(output).demands, undefined],
  ],
  'cut-over.md': [
    ['secret of the', (output) => JSON.parse(output).secret?.length, 43],
    ['A test asks your service', (output) => JSON.parse(output).outcome, 'failed'],
    ['Remove the hook', (output) => output, '204'],
    ['One request makes a link', (output) => JSON.parse(output.split('\n').at(-1) ?? '').done, true],
  ],
  'google-workspace.md': [
    ['Add a service user for the script', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['Give it a token', (output) => output, ''],
  ],
  'okta.md': [
    ['Add a service user for Okta', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['Give it a token', (output) => typeof JSON.parse(output).token, 'string'],
    ['register it first', badge, 'number'],
  ],
  'onelogin.md': [
    ['Add a service user for OneLogin', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['Give it a token', (output) => typeof JSON.parse(output).token, 'string'],
    [
      'Try the template yourself',
      (output) => {
        const { userName, displayName, externalId, phoneNumbers } = JSON.parse(output);
        return { userName, displayName, externalId, phoneNumbers };
      },
      {
        userName: 'vera@example.com',
        displayName: 'Vera Shabalina',
        externalId: '12345678',
        phoneNumbers: undefined,
      },
    ],
  ],
  'sign-in-problems.md': [
    [
      'look at what it has',
      (output) => JSON.parse(output).redirectUris,
      ['https://shop.example.com/callback'],
    ],
    ['Add an address', (output) => JSON.parse(output).redirectUris.length, 2],
    ['The issuer is another one', (output) => output, baseUrl],
    ['Compare the clocks', (output) => clockDifference(output.split('\n')) < 60_000, true],
    ['An administrator finds out why', (output) => JSON.parse(output).events.length, 1],
  ],
  'passkeys.md': [
    ['List the passkeys', (output) => JSON.parse(output).items, []],
    ['tells browsers', (output) => JSON.parse(output).status, 404],
  ],
  'workload-identity.md': [
    ['Add a service user', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
    ['let it trust them', (output) => JSON.parse(output).subject, subject],
    ['ask for an access token', (output) => JSON.parse(output).expires_in, 3600],
    ['last used', (output) => JSON.parse(output).items.length, 1],
    ['finds the reason', (output) => JSON.parse(output).events, []],
  ],
};

/** Milliseconds between two times of two clocks. */
function clockDifference([one = '', other = '']: readonly string[]): number {
  return Math.abs(Date.parse(one) - Date.parse(other));
}

/** The variables that a reader has set before, for the guides that need an outside issuer. */
async function outsideVariables(t: Pick<Test, 'teardown'>): Promise<Record<string, string>> {
  if (certificate === undefined) return {};
  const issuer = await startOutsideIssuer(t, certificate);
  const JWT = await issuer.sign({ sub: subject, aud: baseUrl });
  return { ISSUER: issuer.issuer, SUBJECT: subject, AUDIENCE: 'api://workload/.default', JWT };
}

for (const [name, expectations] of Object.entries(guides)) {
  t.test(`every example of ${name} does what the guide says`, async (t) => {
    const organization = await makeOrganization(container);
    const { token } = await makeCaller(container, organization.id, ['ORG_OWNER']);
    await makePerson(container, organization, { userName: 'anna.lind' });
    const guide = await readFile(`docs/guides/${name}`, 'utf8');
    await runExamples(t, examplesIn(guide), expectations, {
      before: adminFunction,
      env: { BASE: baseUrl, ORG: organization.id, TOKEN: token, ...(await outsideVariables(t)) },
    });
  });
}
