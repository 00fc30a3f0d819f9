import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { buildTestApp } from '../support/app/test-app.js';
import { checkLosses } from '../support/migration/real/count-losses.js';
import { openImporter } from '../support/migration/real/importer.js';
import { countRealm, ofKeycloak, passwordsOf } from '../support/migration/real/keycloak-realms.js';
import type { Json } from '../support/migration/real/sample.js';

/**
 * Whole realm files of Keycloak, as npm packages have them. The packages are downloaded, and nothing of them is in this repository. Everybody in
 * the files is imported and signs in, and the report of losses is an own count.
 */

interface RealmFile {
  readonly file: string;
  /** The realm to import, if the file has several. */
  readonly realmName?: string;
  /** Passwords of which the file has the hash. The package names them. */
  readonly passwords?: Readonly<Record<string, string>>;
}

interface RealmPackage {
  readonly name: string;
  readonly version: string;
  /** The SHA-512 of the tarball, as `npm view NAME@VERSION dist.integrity` tells it. */
  readonly sha512: string;
  readonly licence: string;
  readonly files: readonly RealmFile[];
}

const packages: readonly RealmPackage[] = [
  {
    name: 'keycloak-connect',
    version: '3.4.3',
    sha512: '2bzh5bpF4foysJHseS4AVgOQ5m8NwOymdvro758s6A5nb6a7QUbIhoTZYCnjwTN6c3r8kK6u61vo3cZE0fdkmg==',
    licence: 'Apache-2.0',
    files: [
      { file: 'example/nodejs-example-realm.json' },
      { file: 'test/fixtures/testrealm.json' },
      {
        file: 'test/fixtures/auth-utils/nodejs-test-realm.json',
        realmName: 'nodejs-test',
        passwords: { 'test-user': 'tiger' },
      },
    ],
  },
  {
    name: 'keycloakify',
    version: '11.16.0',
    sha512: 'j+iueRmXm/GpdXmyet/YEhQTdsxlptW9JJa6fOF0r/VXwR3+dxsg2NKqh9zNlwXl3LXdJdCkWpS40elEGWiCqQ==',
    licence: 'MIT',
    files: [18, 19, 20, 21, 22, 23, 24, 25, 26].map((version) => ({
      file: `src/bin/start-keycloak/realmConfig/defaultConfig/realm-kc-${version}.json`,
      passwords: { testuser: 'password123' },
    })),
  },
];

const run = promisify(execFile);
const folder = join(resolve(process.env['MUSTER_DATA_DIR'] || '.muster'), 'real-realms');
mkdirSync(folder, { recursive: true });
const own = mkdtempSync(join(tmpdir(), 'muster-realms-'));
t.teardown(() => rmSync(own, { recursive: true }));
const opened = await buildTestApp(t, { workers: true, loginFailureMilliseconds: 0 });

for (const { name, version, sha512, licence, files } of packages) {
  t.test(`the realms of ${name} ${version} (${licence})`, async (t) => {
    const { stdout } = await run('npm', [
      'pack',
      `${name}@${version}`,
      '--json',
      '--pack-destination',
      folder,
    ]);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const tarball = join(folder, filename);
    const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
    if (!t.equal(digest, sha512, 'the package is the one that was tried')) return;
    for (const file of files) await t.test(file.file, (t) => checkFile(t, tarball, file));
  });
}

/** The realm of a file. */
function realmIn(text: string, realmName: string | undefined): Json {
  const realms = [JSON.parse(text)].flat() as Json[];
  return realms.find(({ realm }) => realmName === undefined || realm === realmName) ?? {};
}

async function checkFile(
  t: Test,
  tarball: string,
  { file, realmName, passwords = {} }: RealmFile,
): Promise<void> {
  const { stdout: packed } = await run('tar', ['-xzOf', tarball, `package/${file}`], { maxBuffer: 2 ** 24 });
  const importer = await openImporter(opened);
  const { orgId } = importer;
  // Files of one package have people with one identifier, which an instance has once.
  const ids = countRealm(realmIn(packed, realmName)).records.flatMap(({ id }) => id ?? []);
  const text = ids.reduce<string>((all, id) => all.replaceAll(`"${id}"`, `"${orgId}-${id}"`), packed);
  const [path, target] = [join(own, 'realm.json'), join(own, 'body.json')];
  writeFileSync(path, text);
  const map = JSON.stringify({ rules: { clearPasswords: 'exempt' } });
  const input = { realm: [path], realmName, emailVerified: false, skipInvalid: true, map };
  const report = await convertKeycloak(input, { path: target, orgId, timeout: '5m', multiline: false });
  t.same(
    report.problems.list().filter(({ severity }) => severity === 'error'),
    [],
  );
  const { body, answer, people } = await importer.send(target);
  t.match(answer, { summary: { failed: 0 } }, JSON.stringify(answer.errors));
  const { records, beside } = countRealm(realmIn(text, realmName));
  t.equal(people, records.length, 'everybody is there');
  checkLosses(t, { records, beside, body, report }, ofKeycloak);
  const known = passwordsOf({ users: records, passwords });
  t.equal(Object.keys(known).length, records.length, "everybody's password is known");
  await importer.checkPasswords(t, known);
}
