import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { render } from '../../../dev/kubernetes/render.js';
import { notRun } from '../../../dev/not-run.js';
import { findProgram, type ProgramName } from '../../../dev/programs.js';
import { onPath } from '../../../dev/services/exec.js';
import { startServices } from '../../../dev/services.js';
import { noLimits } from '../../../dev/stage/no-limits.js';
import { linesWithSecrets } from '../../../dev/stage/secret-formats.js';
import { withDatabase } from '../../../dev/stage/with-database.js';
import { makeCertificate } from '../network/certificate.js';
import { startMailServer } from '../network/mail-server.js';
import { Cluster } from './cluster.js';
import { dockerWith } from './docker.js';
import { asReader, blocks, host } from './guide.js';
import { imageHere, runInImage } from './image.js';
import { serveIngress } from './ingress.js';
import { kubectl } from './kubectl.js';
import { openShell, type Program } from './shell.js';

/** Somebody who has gone through steps 1 to 4 of "Production on Kubernetes" in docs/operations.md. */
export interface Walk {
  readonly cluster: Cluster;
  /** Types a script of the guide at their terminal. @throws Error when a command of it fails */
  run(script: string): Promise<string>;
  /** What the first start told. */
  readonly first: { orgId: string; adminUserName: string; adminPassword: string; adminToken: string };
  /** The rest of the blocks of that section: of step 5, to look and to get a token of one's own. */
  readonly look: string;
  readonly token: string;
  /** The block of step 1, which the next version needs again. */
  readonly makeImage: string;
  /** Changes the lines of the overlay that a reader changes. */
  edit(how: (line: string) => string): Promise<void>;
  /** Calls the service by its name, as a program elsewhere does. @param token of the administrator unless it says so */
  call(line: string, options?: { json?: unknown; token?: string }): Promise<{ status: number; body: string }>;
  /** Where the ingress controller is. */
  readonly httpsPort: number;
  readonly mongodb: { readonly url: string; readonly database: string };
  readonly redisPrefix: string;
}

/**
 * Goes from nothing to production: each command as it is printed, with nothing changed but what the guide tells to
 * change.
 * @param programs that the terminal has besides `docker` and `kubectl`; `needs` those that the machine must have
 * @param settings that the Secret has besides
 * @returns undefined where that cannot be walked
 */
export async function walkToProduction(
  t: Test,
  {
    programs = {},
    needs = [],
    settings = {},
  }: { programs?: Record<string, Program>; needs?: string[]; settings?: Record<string, string> } = {},
): Promise<Walk | undefined> {
  const missing = await missingPrograms(needs);
  const certificate = missing.length === 0 ? await makeCertificate(t, `DNS:${host}`) : undefined;
  if (certificate === undefined) {
    notRun(t, `the guide for operators is not walked: no ${missing.join(', ')}`);
    return undefined;
  }

  // What must be there before.
  const folder = await mkdtemp(join(tmpdir(), 'muster-guide-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const services = await startServices({ dataDir: join(folder, '.stores'), log: (line) => t.comment(line) });
  t.teardown(() => services.stop());
  const instance = `guide-${process.pid}-${Date.now().toString(36)}`;
  const mongodb = { url: services.mongodbUrl, database: instance };
  t.teardown(() => withDatabase({ mongodb }, (db) => db.dropDatabase()));
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
    programs: { docker, kubectl: (args, cwd) => kubectl(cluster, args, cwd), ...programs },
    env: { MONGODB_URL: services.mongodbUrl, REDIS_URL: services.redisUrl },
  });
  const run = (script: string) => {
    t.comment(script.trim().split('\n')[0]);
    return shell.run(script);
  };
  const overlay = join(folder, 'k8s/overlays/prod');
  const edit = async (how: (line: string) => string) => {
    for (const name of await readdir(overlay)) {
      const file = join(overlay, name);
      const lines = (await readFile(file, 'utf8')).split('\n');
      await writeFile(file, lines.map((line) => (line.includes('# yours') ? how(line) : line)).join('\n'));
    }
  };

  const [makeImage = '', secrets = '', apply = '', look = '', token = ''] = blocks(
    '**1. The image.**',
    'Without Kubernetes:',
    5,
  );
  await run(makeImage);
  t.match([...registry].join(), /^registry\.newcomer\.test\/muster:\d/);
  await edit(asReader);
  t.notMatch(JSON.stringify(render(overlay).objects), 'example.com', 'all that has to change is marked');
  // The stores and the cores here are shared with other tests.
  const here = { MONGODB_DATABASE: instance, REDIS_PREFIX: instance, ...noLimits, ...settings };
  const literals = Object.entries(here).map(([name, value]) => `--from-literal=${name}=${value}`);
  await run(
    secrets
      .replace(/'mongodb:[^']*'/, `'${services.mongodbUrl}'`)
      .replace(/'rediss:[^']*'/, `'${services.redisUrl}'`)
      .replace(/'smtps:[^']*'/, `'${mail.url}'`)
      .replace('generic muster-secrets', `generic muster-secrets ${literals.join(' ')}`),
  );
  await run(apply);
  await ingress.serves();
  const first = JSON.parse(await readFile(join(folder, 'first-start.json'), 'utf8'));
  t.equal(cluster.restarts, 0, 'nothing had to be started twice');

  const call: Walk['call'] = (line, { json, token: shown = first.adminToken } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = { host, authorization: `Bearer ${shown}`, 'content-type': 'application/json' };
    const to = { host: '127.0.0.1', port: ingress.port, servername: host, ca: certificate.cert };
    return new Promise((done, failed) => {
      const sent = request({ ...to, method, path, headers }, (answer) =>
        text(answer).then((body) => done({ status: answer.statusCode ?? 0, body }), failed),
      );
      sent.once('error', failed);
      sent.end(json && JSON.stringify(json));
    });
  };
  const places = { httpsPort: ingress.port, mongodb, redisPrefix: instance };
  return { cluster, run, first, look, token, makeImage, edit, call, ...places };
}

/** What is not to be had here of what a walk needs. */
async function missingPrograms(needs: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const name of ['kubectl', 'curl', 'make', 'bash', 'openssl', ...needs]) {
    if ((await onPath(name)) === null) missing.push(name);
  }
  for (const name of ['nginx', 'chromium'] satisfies ProgramName[]) {
    if ((await findProgram(name)) === undefined) missing.push(name);
  }
  const image = { layout: ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'], env: {} };
  // It may be there without the right to do anything, as in many containers.
  if ((await runInImage(image, { command: ['/bin/true'] })).code !== 0) missing.push('bubblewrap that works');
  return missing;
}
