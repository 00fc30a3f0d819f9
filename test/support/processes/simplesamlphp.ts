import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';
import { freePort } from '../../../dev/free-port.js';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { until } from '../../../dev/until.js';
import type { Certificate } from '../network/certificate.js';
import { makeSamlKey } from '../saml/saml-documents.js';

/** Where the package of Debian has it. */
const installed = '/usr/share/simplesamlphp';

/** The password of everybody at the provider. */
export const simpleSamlPassword = 'Of-SimpleSAMLphp-7';

/** SimpleSAMLphp as a provider by https, as Debian packages it. It signs in `anna` and `bob` on its own pages. */
export interface SimpleSamlPhp {
  /** Such as `https://127.0.0.1:8443`. */
  readonly address: string;
  readonly metadataUrl: string;
  /** Lets the provider read the metadata of this service for a connection. */
  learn(connectionId: string, metadata: string): Promise<void>;
  /** Changes settings of the provider (`saml20-idp-hosted`). They count from the next request on. */
  set(settings: Readonly<Record<string, unknown>>): Promise<void>;
}

/** @returns undefined if PHP or SimpleSAMLphp is missing; the report then says so */
export async function startSimpleSamlPhp(
  t: Pick<Test, 'teardown'> & MaySkip,
  certificate: Certificate,
): Promise<SimpleSamlPhp | undefined> {
  const php = await findProgram('php');
  if (php === undefined || !existsSync(installed)) {
    notRun(t, 'php or simplesamlphp of Debian is not installed');
    return undefined;
  }
  // Without these modules, SimpleSAMLphp answers every request with a page about the missing module.
  const modules = (await promisify(execFile)(php, ['-m'])).stdout.toLowerCase().split('\n');
  if (!modules.includes('dom') || !modules.includes('mbstring')) {
    notRun(t, 'php-xml or php-mbstring of Debian is not installed');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'muster-simplesamlphp-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const address = await serveByTls(t, certificate, port);
  const metadataUrl = `${address}/saml2/idp/metadata.php`;
  const spFiles: string[] = [];
  let provider: Record<string, unknown> = { ...usual };
  const configure = async () => {
    await writePhp(join(folder, 'config.php'), 'config', configuration(folder, address, spFiles));
    await writePhp(join(folder, 'saml20-idp-hosted.php'), 'metadata', { [metadataUrl]: provider });
  };
  const key = makeSamlKey();
  await mkdir(join(folder, 'sessions'));
  await writeFile(join(folder, 'key.pem'), key.privateKey);
  await writeFile(join(folder, 'cert.pem'), key.certificate);
  await writePhp(join(folder, 'authsources.php'), 'config', people);
  await configure();
  const options = [`session.save_path=${join(folder, 'sessions')}`, 'display_errors=0'];
  const child = spawn(
    php,
    [...options.flatMap((one) => ['-d', one]), '-S', `127.0.0.1:${port}`, '-t', join(installed, 'www')],
    { env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder }, stdio: 'ignore' },
  );
  t.teardown(() => child.kill());
  const isUp = () => fetch(`http://127.0.0.1:${port}/saml2/idp/metadata.php`).catch(() => undefined);
  await until(isUp, { within: 20_000, every: 100 });
  return {
    address,
    metadataUrl,
    async learn(connectionId, metadata) {
      const file = join(folder, `${connectionId}.xml`);
      await writeFile(file, metadata);
      if (!spFiles.includes(file)) spFiles.push(file);
      await configure();
    },
    async set(settings) {
      provider = { ...provider, ...settings };
      await configure();
    },
  };
}

/** What the provider knows of a person, under the names of X.500. */
const person = (uid: string, givenName: string) => ({
  ...{ uid: [uid], 'urn:oid:2.5.4.42': [givenName], 'urn:oid:2.5.4.4': ['Of-PHP'] },
  'urn:oid:0.9.2342.19200300.100.1.3': [`${uid}@php.example`],
});

const people = {
  people: {
    0: 'exampleauth:UserPass',
    [`anna:${simpleSamlPassword}`]: person('anna', 'Anna'),
    [`bob:${simpleSamlPassword}`]: person('bob', 'Bob'),
  },
  admin: { 0: 'core:AdminPassword' },
};

/** A persistent name identifier for each service, attributes by URI, and signatures of everything. */
const usual = {
  host: '__DEFAULT__',
  ...{ privatekey: 'key.pem', certificate: 'cert.pem', auth: 'people' },
  ...{ 'validate.authnrequest': true, 'validate.logout': true, 'sign.logout': true },
  'attributes.NameFormat': 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  NameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
  authproc: { 1: { class: 'saml:PersistentNameID', attribute: 'uid' } },
};

function configuration(folder: string, address: string, spFiles: readonly string[]): object {
  return {
    baseurlpath: `${address}/`,
    ...{ certdir: `${folder}/`, loggingdir: `${folder}/`, datadir: `${folder}/`, tempdir: folder },
    ...{ 'logging.handler': 'file', 'logging.logfile': 'simplesamlphp.log', 'logging.level': 5 },
    ...{ secretsalt: 'the-salt-of-a-test', 'auth.adminpassword': simpleSamlPassword, timezone: 'UTC' },
    ...{ 'enable.saml20-idp': true, 'module.enable': { core: true, exampleauth: true, saml: true } },
    ...{ 'store.type': 'phpsession', 'session.cookie.secure': true, 'session.phpsession.savepath': null },
    'metadata.sources': [
      { type: 'flatfile', directory: folder },
      ...spFiles.map((file) => ({ type: 'xml', file })),
    ],
  };
}

/** A file of PHP with a variable. JSON has its value, so no text of a test is code. */
async function writePhp(file: string, variable: 'config' | 'metadata', value: object): Promise<void> {
  await writeFile(`${file}.json`, JSON.stringify(value));
  await writeFile(file, `<?php $${variable} = json_decode(file_get_contents(__FILE__ . '.json'), true);`);
}

/** The server of PHP has no TLS, so this one stands before it. @returns its address */
async function serveByTls(
  t: Pick<Test, 'teardown'>,
  { certFile, keyFile }: Certificate,
  port: number,
): Promise<string> {
  const server = createServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    (request, response) => {
      const { method, url, headers } = request;
      const asked = ask({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
      asked.once('error', () => response.destroy());
      asked.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(asked);
    },
  );
  t.teardown(endable(server));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
