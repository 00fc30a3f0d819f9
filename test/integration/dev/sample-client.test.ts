import t from 'tap';
import { registerSampleClient } from '../../../dev/sample-client/register.js';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';

const { container, baseUrl } = await buildListeningApp(t);
const { id: orgId } = await makeOrganization(container);
const { token: adminToken } = await makeCaller(container, orgId, ['ORG_OWNER']);
const first = { baseUrl, orgId, adminToken };
const urisAt = (port: number) => ({
  redirectUri: `http://127.0.0.1:${port}/callback`,
  postLogoutRedirectUri: `http://127.0.0.1:${port}/`,
});

t.test('the sample client registers itself once, however many applications there are', async (t) => {
  for (let count = 0; count < 101; count++) await makeApplication(container, orgId);
  const id = await registerSampleClient(first, urisAt(8090));
  t.match(await container.applications.find(orgId, id), {
    type: 'native',
    authMethod: 'none',
    redirectUris: ['http://127.0.0.1:8090/callback'],
  });
  t.equal(await registerSampleClient(first, urisAt(9090)), id, 'and is found again');
  t.match(await container.applications.find(orgId, id), {
    redirectUris: ['http://127.0.0.1:9090/callback'],
    postLogoutRedirectUris: ['http://127.0.0.1:9090/'],
  });
});

t.test('a caller that may not see the organization gets 404', async (t) => {
  const stranger = await makeCaller(container, orgId);
  const attempt = registerSampleClient({ ...first, adminToken: stranger.token }, urisAt(8090));
  await t.rejects(attempt, /answers 404/);
});
