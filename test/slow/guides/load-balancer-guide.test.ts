import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import t, { type Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { startNginx } from '../../../dev/stage/nginx.js';
import { makeOrganization } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';
import type { TestClock } from '../../support/app/test-clock.js';
import { openPage, signIn } from '../../support/docs/visit-application.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { launchChromium } from '../../support/network/chromium.js';

/** The configuration of docs/guides/load-balancer.md, in front of two API processes. */

const browser = await launchChromium(t);
const certificate = await makeCertificate(t);
const program = await findProgram('nginx');
if (program === undefined) notRun(t, 'nginx is not installed');
if (browser === undefined || certificate === undefined || program === undefined) process.exit(0);

const guide = await readFile('docs/guides/load-balancer.md', 'utf8');
const [site = '', belowPath = ''] = [...guide.matchAll(/```nginx\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
);
const limit = 60;

/** Two API processes behind nginx, with the settings and the configuration of the guide. */
async function startBehindNginx(t: Test, path: '' | '/id') {
  const [port, one, two] = [await freePort(), await freePort(), await freePort()];
  const baseUrl = `https://127.0.0.1:${port}${path}`;
  const settings = { baseUrl, trustProxy: '1', rateLimitPerAddress: limit };
  const { app, container, clock, openAnother } = await buildTestApp(t, settings);
  const { app: another } = await serve(t, await openAnother());
  await app.listen({ host: '127.0.0.1', port: one });
  await another.listen({ host: '127.0.0.1', port: two });
  const listening = site
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(
      /server 127.0.0.1:8080;\s+server 127.0.0.1:8081;/,
      `server 127.0.0.1:${one}; server 127.0.0.1:${two};`,
    )
    .replace('/etc/ssl/certs/id.example.com.pem', certificate?.certFile ?? '')
    .replace('/etc/ssl/private/id.example.com.key', certificate?.keyFile ?? '');
  const configured = path === '' ? listening : listening.replace(/}\n*$/, `${belowPath}}`);
  await startNginx(t, {
    program: program ?? '',
    configure: ({ main, http }) =>
      `${main} events { worker_connections 512; } http { ${http} access_log off; ${configured} }`,
  });
  const organization = await makeOrganization(container);
  await makePerson(container, organization, { userName: 'anna.lind' });
  const { id } = await makeApplication(container, organization.id, { redirectUris: [`${baseUrl}/healthz`] });
  return { baseUrl, port, clientId: id, clock };
}

for (const path of ['', '/id'] as const) {
  t.test(`a person signs in ${path === '' ? 'at a host of its own' : 'below a path'}`, async (t) => {
    const { baseUrl, clientId, port, clock } = await startBehindNginx(t, path);
    const page = await openPage(t, browser);
    const state = randomBytes(6_000).toString('base64url');
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: `${baseUrl}/healthz`,
      response_type: 'code',
      scope: 'openid',
      state,
    });
    await page.goto(`${baseUrl}/oauth/v2/authorize?${query}`);
    await signIn(page, { baseUrl, person: { loginName: 'anna.lind', password: goodPassword } });
    await page.waitForURL(`${baseUrl}/healthz?**`);
    const answer = new URL(page.url()).searchParams;
    t.match(answer.get('code'), /./);
    t.equal(answer.get('state'), state, 'a long address passes');
    t.equal(answer.get('iss'), baseUrl);
    const cookies = await page.context().cookies(baseUrl);
    t.match(cookies, [{ name: '__Host-muster-agent', secure: true, httpOnly: true, path: '/' }]);
    await page.goto(`${baseUrl}/account`);
    await page.getByText('anna.lind').first().waitFor();
    await page.goto(`${baseUrl}/.well-known/openid-configuration`);
    await page.getByText(`"issuer":"${baseUrl}"`).waitFor();
    if (path === '') await limitsWhatTheBalancerSaw(t, { port, clock });
  });
}

/** Muster limits the address that the load balancer saw, whatever the client says. */
async function limitsWhatTheBalancerSaw(
  t: Test,
  { port, clock }: { port: number; clock: TestClock },
): Promise<void> {
  clock.startMinute();
  const ask = (from: string, claimed: string) =>
    new Promise<number | undefined>((done, fail) => {
      const options = { host: '127.0.0.1', port, path: '/oauth/v2/keys', localAddress: from };
      const headers = { 'x-forwarded-for': claimed };
      request({ ...options, headers, rejectUnauthorized: false }, (response) => {
        response.resume().once('end', () => done(response.statusCode));
      })
        .once('error', fail)
        .end();
    });
  const statuses: (number | undefined)[] = [];
  // Each process counts by itself for half a second. One of them has certainly more than the limit then.
  for (let n = 0; n < limit * 2 + 2; n++) statuses.push(await ask('127.0.0.1', `203.0.113.${n % 250}`));
  t.equal(statuses[0], 200);
  t.equal(statuses.at(-1), 429, 'the client has one address, whatever it claims');
  t.equal(await ask('127.0.0.2', '127.0.0.1'), 200, 'another client is another address');
}
