import t from 'tap';
import { buildTestApp } from '../../support/app/test-app.js';

const paths = [
  '/healthz',
  '/nothing',
  '/%zz',
  '/oauth/v2/authorize',
  '/login',
  '/scim/v2/x/Users',
  '/admin/v1/orgs',
];

t.test('every answer of a service at https asks for https', async (t) => {
  const { app } = await buildTestApp(t, { baseUrl: 'https://muster.example' });
  for (const url of paths) {
    const { headers } = await app.inject({ url });
    t.equal(headers['strict-transport-security'], 'max-age=31536000', url);
  }
});

t.test('one at http does not', async (t) => {
  const { app } = await buildTestApp(t, { baseUrl: 'http://127.0.0.1:8080' });
  for (const url of paths) {
    const { headers } = await app.inject({ url });
    t.notOk(headers['strict-transport-security'], url);
  }
});
