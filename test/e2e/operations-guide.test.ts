import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { chromium } from 'playwright-core';
import t, { type Test } from 'tap';
import { browserFlags, findBrowser } from '../../dev/browser.js';
import { render } from '../../dev/kubernetes/render.js';
import { installed, isDebianWithRoot } from '../../dev/services/debian.js';
import { onPath } from '../../dev/services/exec.js';
import { startServices } from '../../dev/services.js';
import { bulkOf, newUser } from '../support/bulk.js';
import { makeCertificate } from '../support/certificate.js';
import { Cluster } from '../support/kubernetes/cluster.js';
import { dockerWith } from '../support/kubernetes/docker.js';
import { imageHere, runInImage } from '../support/kubernetes/image.js';
import { serveIngress } from '../support/kubernetes/ingress.js';
import { kubectl } from '../support/kubernetes/kubectl.js';
import { openShell } from '../support/kubernetes/shell.js';
import { keepCalling } from '../support/load.js';
import { startMailServer } from '../support/mail-server.js';
import { findNginx } from '../support/nginx.js';
import { noLimits } from '../support/no-limits.js';
import { notRun } from '../support/not-run.js';
import { linesWithSecrets } from '../support/secret-formats.js';
import { withDatabase } from '../support/with-database.js';

/**
 * Somebody new goes through docs/operations.md from nothing to production, and to the next version: each command as it
 * is printed, with nothing changed but what the guide tells to change.
 */

const host = 'id.newcomer.test';
const guide = await readFile('docs/operations.md', 'utf8');

/** The `sh` blocks between two places of the guide. */
function blocks(from: string, to: string): string[] {
  const start = guide.indexOf(from);
  const end = guide.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`The guide has no ${from} with ${to} behind it`);
  return [...guide.slice(start, end).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = '']) => script);
}

/** What a reader writes in the place of the examples. */
const asReader = (text: string) => text.replaceAll('example.com', 'newcomer.test');

/** What is not to be had here of what a walk needs. */
async function missingPrograms(): Promise<string[]> {
  const log = (line: string) => t.comment(line);
  if ((await onPath('bwrap')) === null && (await isDebianWithRoot()))
    await installed('bwrap', { package: 'bubblewrap', log });
  const missing: string[] = [];
  for (const name of ['kubectl', 'curl', 'make', 'bash', 'openssl']) {
    if ((await onPath(name)) === null) missing.push(name);
  }
  if ((await findNginx(t)) === undefined) missing.push('nginx');
  if ((await findBrowser(log)) === undefined) missing.push('Chromium');
  const image = { layout: ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'], env: {} };
  // It may be there without the right to do anything, as in many containers.
  if ((await runInImage(image, { command: ['/bin/true'] })).code !== 0) missing.push('bubblewrap that works');
  return missing;
}

t.test('from nothing to production, and on to the next version', { timeout: 295_000 }, async (t) => {
  const missing = await missingPrograms();
  const certificate = await makeCertificate(t, `DNS:${host}`);
  const executablePath = await findBrowser();
  if (missing.length > 0 || certificate === undefined || executablePath === undefined)
    return notRun(t, `the guide for operators is not walked: no ${missing.join(', ')}`);

  // What must be there before.
  const folder = await mkdtemp(join(tmpdir(), 'muster-guide-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const services = await startServices({ dataDir: join(folder, '.stores'), log: (line) => t.comment(line) });
  t.teardown(() => services.stop());
  const mail = await startMailServer(t);
  for (const path of ['k8s', 'Makefile']) await cp(path, join(folder, path), { recursive: true });
  await cp(certificate.certFile, join(folder, `${host}.crt`));
  await cp(certificate.keyFile, join(folder, `${host}.key`));
  const image = await imageHere(folder);
  const registry = new Set<string>();
  const cluster = new Cluster({ folder: join(folder, '.pods'), image, images: registry });
  t.teardown(async () => {
    await cluster.close();
    if (!t.passing()) t.comment(cluster.logs());
    const leaked = linesWithSecrets(cluster.logs());
    if (leaked.length > 0) throw new Error(`Log lines carry secrets:\n${leaked.join('\n')}`);
  });
  const ingress = await serveIngress(t, cluster);
  await writeFile(
    join(folder, '.curlrc'),
    `cacert = "${certificate.certFile}"\nconnect-to = "${host}:443:127.0.0.1:${ingress.port}"\n`,
  );
  const docker = dockerWith(image, registry);
  const shell = await openShell(t, {
    folder,
    programs: { docker, kubectl: (args, cwd) => kubectl(cluster, args, cwd) },
    env: {},
  });
  const run = (script: string) => {
    t.comment(script.trim().split('\n')[0]);
    return shell.run(script);
  };

  const [toImage, secrets, toApply, look, token, ...more] = blocks(
    '**1. The image.**',
    'Without Kubernetes:',
  ).map(asReader);
  t.same(more, [], 'every step is walked');

  await run(toImage ?? '');
  const [pushed = ''] = [...registry].filter((name) => name.includes('newcomer'));
  t.match(pushed, /^registry\.newcomer\.test\/muster:\d/);

  const overlay = join(folder, 'k8s/overlays/prod');
  for (const name of await readdir(overlay)) await change(join(overlay, name), isMarked, asReader);
  const rendered = JSON.stringify(render(overlay).objects);
  t.notMatch(rendered, 'example.com', 'all that has to change is marked');

  const mongodb = { url: services.mongodbUrl, database: `guide-${process.pid}-${Date.now().toString(36)}` };
  t.teardown(() => withDatabase({ mongodb }, (db) => db.dropDatabase()));
  // The stores and the cores here are shared with other tests.
  const here = { MONGODB_DATABASE: mongodb.database, REDIS_PREFIX: mongodb.database, ...noLimits };
  const literals = Object.entries(here).map(([name, value]) => `--from-literal=${name}=${value}`);
  await run(
    (secrets ?? '')
      .replace(/'mongodb:[^']*'/, `'${services.mongodbUrl}'`)
      .replace(/'rediss:[^']*'/, `'${services.redisUrl}'`)
      .replace(/'smtps:[^']*'/, `'${mail.url}'`)
      .replace('generic muster-secrets', `generic muster-secrets ${literals.join(' ')}`),
  );

  await run(toApply ?? '');
  await ingress.serves();
  const first = JSON.parse(await readFile(join(folder, 'first-start.json'), 'utf8'));
  t.equal(first.baseUrl, `https://${host}`);
  t.equal(cluster.restarts, 0, 'nothing had to be started twice');
  t.equal(cluster.podsOf('muster', 'Deployment', 'muster-api').length, 3);
  t.equal(cluster.podsOf('muster', 'Deployment', 'muster-worker').length, 2);
  for (const secret of [first.adminToken, first.adminPassword]) t.notOk(cluster.logs().includes(secret));

  const seen = await run(look ?? '');
  t.match(seen, `"issuer":"https://${host}"`);
  t.match(seen, '"totalResults":1');

  const ownToken = await replaceToken(t, run, token ?? '');
  await signInAndSetPassword(t, { executablePath, port: ingress.port, ...first });

  t.test('the next version', async (t) => {
    const [upgrade, ...others] = blocks('## Upgrade', '## Back-up and restore');
    t.same(others, []);
    const next = (text: string) =>
      text.replaceAll(':0.1.0', ':0.1.1').replace('newTag: 0.1.0', 'newTag: 0.1.1');
    await run(next(toImage ?? ''));
    await change(join(overlay, 'kustomization.yaml'), isMarked, next);
    const before = cluster.podsOf('muster', 'Deployment', 'muster-api').map(({ name }) => name);
    const users = `/scim/v2/${first.orgId}/Users`;
    const calls = (number: number): [line: string, json?: unknown][] => [
      [`GET ${users}?count=1`],
      [`POST ${users}`, newUser(`guide-${number}`)],
      [`POST /scim/v2/${first.orgId}/Bulk`, bulkOf(`guide-${number}`, 2)],
    ];
    const load = keepCalling(
      async (number) => {
        const [line, json] = calls(number)[number % 3] ?? [''];
        const { status, body } = await call(line, json);
        const isDone = !line.endsWith('/Bulk') || body.match(/"status":"201"/g)?.length === 2;
        return { status: isDone ? status : 500, body };
      },
      { parallel: 3, expected: [200, 201] },
    );
    await run(upgrade ?? '');
    await load.answers(20);
    t.same(await load.stop(), [], 'no request failed meanwhile');
    const after = cluster.podsOf('muster', 'Deployment', 'muster-api').map(({ name }) => name);
    t.same(
      after.filter((name) => before.includes(name)),
      [],
      'all pods are others',
    );
    t.equal(after.length, 3);
    t.equal(cluster.restarts, 0);
  });

  /** As a program elsewhere calls, by the host's name. */
  async function call(line: string, json?: unknown): Promise<{ status: number; body: string }> {
    const [method = '', path = ''] = line.split(' ');
    const headers = { host, authorization: `Bearer ${ownToken}`, 'content-type': 'application/json' };
    const to = { host: '127.0.0.1', port: ingress.port, servername: host, ca: certificate?.cert };
    return new Promise((done, failed) => {
      const sent = request({ ...to, method, path, headers }, async (answer) =>
        done({ status: answer.statusCode ?? 0, body: await text(answer) }),
      );
      sent.once('error', failed);
      sent.end(json && JSON.stringify(json));
    });
  }
});

/**
 * The last block of step 5, line by line: a reader puts in what the line before has shown.
 * @returns the token in the place of the first one
 */
async function replaceToken(
  t: Test,
  run: (script: string) => Promise<string>,
  script: string,
): Promise<string> {
  const [address = '', accounts = '', tokens = '', create = '', remove = '', ...more] = script
    .replaceAll('\\\n', ' ')
    .trim()
    .split('\n');
  t.same(more, []);
  await run(address);
  const account = JSON.parse(await run(accounts)).items.find(
    ({ userName }: { userName: string }) => userName === 'admin-service',
  );
  const ofAccount = (line: string) => line.replace('/ID/', `/${account.id}/`);
  const [first] = JSON.parse(await run(ofAccount(tokens))).items;
  const made = JSON.parse(await run(ofAccount(create)));
  t.match(made.token, /\S{20}/);
  await run(ofAccount(remove).replace('TOKEN_ID', first.id));
  t.match(JSON.parse(await run(ofAccount(tokens))), { status: 401 }, 'the first one is of no use any more');
  return made.token;
}

/** The administrator of the first start signs in with a browser, and sets another password. */
async function signInAndSetPassword(
  t: Test,
  of: { executablePath: string; port: number; adminUserName: string; adminPassword: string },
): Promise<void> {
  const args = [...browserFlags, `--host-resolver-rules=MAP ${host} 127.0.0.1:${of.port}`];
  const browser = await chromium.launch({ executablePath: of.executablePath, args });
  t.teardown(() => browser.close());
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const signIn = async (password: string) => {
    await page.goto(`https://${host}/login`);
    await page.locator('#loginName').fill(of.adminUserName);
    await page.locator('#password').fill(password);
    await page.locator('form[action$="/login"] button').click();
    await page.waitForURL(/\/account/);
  };
  await signIn(of.adminPassword);
  const another = 'Another-Horse-8';
  await page.locator('#current').fill(of.adminPassword);
  await page.locator('form[action$="/account/password"] #password').fill(another);
  await page.locator('#repeated').fill(another);
  await page.locator('form[action$="/account/password"] button').click();
  await page.waitForURL(/\/account\?/);
  await context.clearCookies();
  await signIn(another);
  t.match(page.url(), `https://${host}/account`);
}

/** A reader changes the lines that say so. */
function isMarked(line: string): boolean {
  return line.includes('# yours');
}

async function change(
  file: string,
  which: (line: string) => boolean,
  how: (line: string) => string,
): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, lines.map((line) => (which(line) ? how(line) : line)).join('\n'));
}
