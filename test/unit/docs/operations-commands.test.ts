import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { helpWanted } from '#src/cli/base/command.js';
import { createProgram } from '#src/cli/program.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { render } from '../../../dev/kubernetes/render.js';
import { notRun } from '../../../dev/not-run.js';

/**
 * The commands of docs/operations.md exist, accept their flags, and name objects that exist. Bash runs all of them in
 * order, with programs that only write down their arguments.
 */

const guide = readFileSync('docs/operations.md', 'utf8');
const programs = ['kubectl', 'docker', 'make', 'curl', 'muster', 'redis-cli', 'mongodump', 'mongorestore'];
/** The output of a program, where a later command reads it. */
const prints: Record<string, string> = { kubectl: '{\n  "orgId": "ORG",\n  "adminToken": "TOKEN"\n}' };
const folder = t.testdir({});
const calls = callsOf([...shellBlocks(), ...inlineCommands()].join('\n'));
const callsTo = (program: string) => calls.filter(([name]) => name === program).map(([, ...args]) => args);

t.test('every program is called', async (t) => {
  for (const name of programs) t.ok(callsTo(name).length > 0, name);
});

t.test('kubectl has the commands and flags', async (t) => {
  for (const args of callsTo('kubectl')) {
    const dashes = args.indexOf('--');
    const own = dashes < 0 ? args : args.slice(0, dashes);
    const { error, status, stdout } = spawnSync('kubectl', [...own, '--help'], { encoding: 'utf8' });
    if (error !== undefined) return notRun(t, 'kubectl is not to be had');
    // A group of commands, such as `kubectl rollout`, shows its help for an unknown command.
    t.ok(status === 0 && !/^Usage:\n.*SUBCOMMAND/m.test(stdout), own.join(' '));
  }
});

t.test('objects, labels and files are those of the overlays', async (t) => {
  const overlays = { muster: 'k8s/overlays/prod', 'muster-dev': 'k8s/overlays/dev' };
  const inNamespace = new Map(
    Object.entries(overlays).map(([name, path]) => [name, render(path).objects] as const),
  );
  const shortNames: Record<string, string> = { hpa: 'horizontalpodautoscaler' };
  for (const args of callsTo('kubectl')) {
    const command = `kubectl ${args.join(' ')}`;
    const namespace = optionOf(args, '-n');
    const objects = inNamespace.get(namespace ?? 'muster') ?? [];
    const names = objects.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
    for (const word of namespace === undefined ? [] : args) {
      const [, kind = '', name = ''] = /^([a-z]+)\/([a-z-]+)$/.exec(word) ?? [];
      if (name !== '') t.ok(names.includes(`${shortNames[kind] ?? kind}/${name}`), `${word}: ${command}`);
    }
    const [made, secret] = [args.indexOf('secret'), args.findIndex((word) => /^muster-/.test(word))];
    if (made >= 0) t.match(JSON.stringify(objects), `"${args[secret]}"`, command);
    const [, label = '', values = ''] =
      /^(\S+?)(?:=| notin \()([^)]*)\)?$/.exec(optionOf(args, '--selector') ?? '') ?? [];
    for (const value of label === '' ? [] : values.split(', '))
      t.match(JSON.stringify(objects), `"${label}":"${value}"`, command);
    for (const path of [optionOf(args, '-k'), optionOf(args, '-f')])
      if (path !== undefined) t.ok(existsSync(path), command);
  }
});

t.test('muster has the commands and flags', async (t) => {
  const inContainers = [
    ...callsTo('kubectl').map((args) => args.slice(args.indexOf('--') + 1)),
    ...callsTo('docker').map(([, , , ...command]) => command),
  ].filter(([name]) => name === 'muster');
  const nowhere = { write: () => true };
  const program = createProgram(createOutput({ stdout: nowhere, stderr: nowhere }, false));
  for (const args of [...inContainers.map(([, ...args]) => args), ...callsTo('muster')]) {
    // It throws for a command that does not exist.
    const help = helpWanted(program, ['help', ...args])?.helpInformation() ?? '';
    for (const flag of args.filter((word) => word.startsWith('--')))
      t.match(help, new RegExp(`${flag}\\b`), `muster ${args.join(' ')}`);
  }
});

t.test('make has the targets', async (t) => {
  for (const [target = ''] of callsTo('make'))
    t.match(readFileSync('Makefile', 'utf8'), new RegExp(`^${target}:`, 'm'), target);
});

t.test('the service has the routes', async (t) => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const routes = Object.entries(paths).map(
    ([path, methods]) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), methods] as const,
  );
  for (const args of callsTo('curl')) {
    const { pathname } = new URL(args.find((word) => word.startsWith('https://')) ?? '');
    const method = optionOf(args, '-X') ?? (args.includes('-d') ? 'POST' : 'GET');
    const isThere = routes.some(([path, methods]) => path.test(pathname) && method.toLowerCase() in methods);
    t.ok(isThere, `${method} ${pathname}`);
  }
});

function shellBlocks(): string[] {
  return [...guide.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, script = '']) => script);
}

/** Commands within sentences. */
function inlineCommands(): string[] {
  const prose = guide.replace(/^ *```[\s\S]*?^ *```$/gm, '');
  return [...prose.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code.replace(/\s+/g, ' '))
    .filter((code) => programs.some((name) => code.startsWith(`${name} `)));
}

/** @returns the programs that a script calls, each with its arguments */
function callsOf(script: string): string[][] {
  const record = (name: string) =>
    `#!/bin/sh\n{ printf '%s\\037' ${name} "$@"; printf '\\036'; } >> '${folder}/calls'\necho '${prints[name] ?? ''}'\n`;
  for (const name of programs) writeFileSync(join(folder, name), record(name), { mode: 0o755 });
  // The variables that the reader has set, according to the guide.
  const given = { MONGODB_URL: 'mongodb://mongo', REDIS_URL: 'redis://redis' };
  const env = { ...given, PATH: `${folder}:${process.env['PATH']}` };
  const { status, stderr } = spawnSync('bash', ['-u'], { cwd: folder, env, input: script, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The commands of the guide end with ${status}: ${stderr}`);
  const lines = readFileSync(join(folder, 'calls'), 'utf8').split('\x1e').slice(0, -1);
  return [...new Set(lines)].map((line) => line.split('\x1f').slice(0, -1));
}

function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}
