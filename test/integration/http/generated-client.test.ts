import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import t from 'tap';
import { repository } from '../../../dev/repository.js';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { makeServiceClient } from '../../support/app/oauth-client.js';

/**
 * openapi-typescript makes the types of a client from the served document. `support/api-client/use-api.ts` is written with them. It
 * compiles in strict mode, and uses the service. Misspelt forms of it do not compile.
 */

const folder = join(repository, 'dist', 'api-client');
const written = join(repository, 'test', 'support', 'api-client', 'use-api.ts');

/** Faults of a program, and what the compiler says of each. */
const faults: readonly [right: string, wrong: string, said: RegExp][] = [
  ["userName: 'anna'", "username: 'anna'", /'username' does not exist|'username'\?/],
  ["familyName: 'Lind'", "lastName: 'Lind'", /'lastName' does not exist/],
  ['{ id }) => id', '{ login }) => login', /undefined.* is not assignable to type 'string\[\]'/],
  ["filter: 'userName", "filters: 'userName", /'filters' does not exist|'filters'\?|'filters'/],
  ["op: 'replace'", "op: 'change'", /'"change"' is not assignable/],
  ["method: 'DELETE'", "verb: 'DELETE'", /'verb' does not exist/],
  ["'client_credentials'", "'client'", /'"client"' is not assignable/],
  ['.access_token', '.accessToken', /'accessToken' does not exist/],
  ["timeout: '5m'", 'timeout: 5', /'number' is not assignable/],
  ["firstName: 'Maria'", "givenName: 'Maria'", /'givenName' does not exist/],
  ["'/admin/v1/import'", "'/admin/v1/imports'", /'"\/admin\/v1\/imports"' is not assignable/],
];

interface Generator {
  default(document: unknown): Promise<readonly unknown[]>;
  astToString(types: readonly unknown[]): string;
}

/** openapi-typescript needs the programming interface of TypeScript 5, which version 7 does not have. */
async function loadGenerator(): Promise<Generator> {
  const outfile = join(folder, 'generator.mjs');
  await build({
    stdin: {
      contents: "export * from 'openapi-typescript'; export { default } from 'openapi-typescript';",
      resolveDir: repository,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { typescript: 'typescript-5' },
    external: ['typescript-5', '@redocly/openapi-core'],
  });
  return import(pathToFileURL(outfile).href);
}

/** What the compiler says in strict mode of each file with errors. */
async function compile(files: readonly string[]): Promise<Record<string, string>> {
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  };
  const modules = { target: 'es2023', lib: ['es2023', 'dom'], module: 'nodenext', types: [] };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, ...modules }, files }),
  );
  const output = await new Promise<string>((resolve) => {
    const tsc = join(repository, 'node_modules', '.bin', 'tsc');
    execFile(tsc, ['-p', folder, '--pretty', 'false'], { cwd: folder }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
  const said: Record<string, string> = {};
  let file = '';
  for (const line of output.split('\n').filter((line) => line !== '')) {
    file = /^([\w.-]+)\(\d+,\d+\): error/.exec(line)?.[1] ?? (line.startsWith(' ') ? file : 'tsc');
    said[file] = `${said[file] ?? ''}${line}\n`;
  }
  return said;
}

t.test('a generated client compiles in strict mode and uses the service', async (t) => {
  const { container, baseUrl } = await buildListeningApp(t, { workers: true });
  await mkdir(folder, { recursive: true });
  t.teardown(() => rm(folder, { recursive: true }));

  const { default: typesOf, astToString } = await loadGenerator();
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  await writeFile(join(folder, 'api.ts'), astToString(await typesOf(document)));
  const program = await readFile(written, 'utf8');
  await writeFile(join(folder, 'use-api.ts'), program);
  let faulty = program;
  for (const [right, wrong] of faults) {
    t.ok(faulty.includes(right), right);
    faulty = faulty.replace(right, wrong);
  }
  await writeFile(join(folder, 'faulty.ts'), faulty);

  const { 'faulty.ts': complaints = 'it compiles', ...others } = await compile(['use-api.ts', 'faulty.ts']);
  t.same(others, {}, 'the program compiles');
  for (const [, wrong, said] of faults) t.match(complaints, said, `refused: ${wrong}`);

  const { code } = await transform(program, { loader: 'ts' });
  await writeFile(join(folder, 'use-api.mjs'), code);
  const { useApi } = await import(pathToFileURL(join(folder, 'use-api.mjs')).href);
  const { id: orgId } = await makeOrganization(container);
  const { token } = await makeCaller(container, orgId, ['IAM_OWNER']);
  const client = await makeServiceClient(container, orgId);
  const access = { baseUrl, orgId, token, clientId: client.id, clientSecret: client.secret };
  const did = await useApi(access);
  t.equal(did.ids.length, 1);
  t.match(did, {
    title: 'Engineer',
    nickName: 'Ann',
    statuses: ['204'],
    accessToken: /./,
    summary: { created: 1, failed: 0 },
    refusal: /./,
  });
});
