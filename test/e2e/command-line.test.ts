import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { freePort } from '../../dev/free-port.js';
import { notRun } from '../../dev/not-run.js';
import { findProgram } from '../../dev/programs.js';
import { until } from '../../dev/until.js';
import { startWebServer } from '../support/network/web-server.js';
import { musterMain, openMuster } from '../support/processes/muster-command.js';

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const html = (response: ServerResponse, status: number) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html>\u001b[2J</html>');

t.test('help and version go to standard output', async (t) => {
  const { run } = openMuster(t);
  for (const words of [[], ['--help'], ['-h'], ['help']]) {
    const { code, out, err } = await run(...words);
    t.match({ code, err }, { code: 0, err: '' });
    t.match(out, /^Usage: muster \[options\] \[command\]/);
  }
  t.match(await run('help', 'import'), { code: 0, out: /^Usage: muster import / });
  t.match(await run('users', 'why', '-h'), { code: 0, out: /^Usage: muster users why / });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  t.same(await run('--version'), { code: 0, out: `${version}\n`, err: '' });
});

t.test('a wrong command line is told on standard error, with exit code 2', async (t) => {
  const { run } = openMuster(t);
  t.same(await run('improt', 'x'), {
    code: 2,
    out: '',
    err: "muster: unknown command 'improt'. Did you mean import? See muster --help.\n",
  });
  t.match(await run('users'), { code: 2, out: '', err: /^Usage: muster users / });
  const { code, out, err } = await run('export', '--outptu', 'x', '--json');
  t.match({ code, err }, { code: 2, err: '' });
  t.match(JSON.parse(out), {
    error: { exitCode: 2, message: /unknown option '--outptu'\. Did you mean --output\?/ },
  });
  t.match(JSON.parse((await run('users', '--json')).out), { error: { exitCode: 2 } });
  t.match(
    await run('improt\u001b[2J'),
    { err: /improt\\u001b\[2J/ },
    'also what was typed is printed plainly',
  );
});

t.test('a command that needs no service answers in JSON', async (t) => {
  const { run } = openMuster(t);
  const key = JSON.parse((await run('new-master-key', '--id', 'k7', '--json')).out);
  t.match(key, { id: 'k7', key: /^k7:[\w-]{43}$/ });
  t.match(await run('new-master-key', '--id', 'k:7'), { code: 1, err: /--id is 1 to 16 of/ });
  const { out } = await run('completion', 'bash', '--json');
  t.match(JSON.parse(out), { shell: 'bash', script: /complete -F _muster muster/ });
});

t.test('a service that cannot be reached is told at once, after one attempt', async (t) => {
  const address = `http://127.0.0.1:${await freePort()}`;
  const refused = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: address });
  writeFileSync(refused.at('body.json'), '{}');
  t.match(await refused.run('import', 'body.json'), {
    code: 3,
    out: '',
    err: new RegExp(`^${address} cannot be reached: connect ECONNREFUSED`),
  });

  const silent = await startWebServer(t, () => undefined);
  const { start } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: silent.url });
  const commands = [start('export', '--output', 'x.json'), start('users', 'why', 'anna')];
  await until(() => silent.requests.length === 2);
  for (const answer of await Promise.all(commands.map(({ ended }) => ended))) {
    t.same(answer, { code: 3, out: '', err: `${silent.url} cannot be reached: no answer within 8 s\n` });
  }
  // Each command waits for one answer: a second attempt would make the time longer.
  t.same(silent.requests, Array(2).fill('GET /admin/v1/jobs?limit=1'));
});

t.test('an answer that does not end is given up', async (t) => {
  const endless = Buffer.alloc(64 * 1024, ' ');
  const slow = await startWebServer(t, (_, response) => void response.writeHead(200).write('{"items":['));
  const flood = await startWebServer(t, (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(endless));
    };
    response.on('drain', more);
    more();
  });
  const messages: [url: string, message: RegExp][] = [
    [slow.url, /broke off: no answer within 8 s\n$/],
    [flood.url, /is not the address of Muster\. GET .* answers with something else\n$/],
  ];
  await Promise.all(
    messages.map(async ([url, message]) => {
      const { run } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: url });
      t.match(await run('users', 'find', 'anna'), { code: 3, err: message });
    }),
  );
});

t.test('another program at the address is told', async (t) => {
  const cases: [answer: (response: ServerResponse) => unknown, message: RegExp][] = [
    [(response) => html(response, 200), /is not the address of Muster\. GET .* answers with something else/],
    [(response) => html(response, 404), /is not the address of Muster\. .*: 404 Not Found\n/],
    [(response) => html(response, 502), /: 502 Bad Gateway\n/],
    [(response) => json(response, { some: 'thing' }), /is not the address of Muster/],
    [
      (response) => response.writeHead(301, { location: 'https://id.example/' }).end(),
      /is not the address of Muster\. .*: 301 It leads to https:\/\/id\.example\/\n/,
    ],
    [(response) => response.destroy(), /cannot be reached: .+\n/],
  ];
  for (const [answer, message] of cases) {
    const server = await startWebServer(t, (_, response) => void answer(response));
    const { run } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: server.url });
    const { code, out, err } = await run('users', 'find', 'anna');
    t.match({ code, out }, { code: 3, out: '' });
    t.match(err, message);
    t.equal(server.requests.length, 1);
  }
});

t.test('a refused token is told, and is no reason to try again', async (t) => {
  const problem = { title: 'The token is not valid', detail: 'The token is not valid' };
  const server = await startWebServer(t, (_, response) => {
    response.setHeader('x-error-id', 'tokens.invalid');
    json(response, problem, 401);
  });
  const { run } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: server.url });
  const { code, out } = await run('orgs', 'create', 'x', '--json');
  t.equal(code, 1);
  t.match(JSON.parse(out), {
    error: { message: 'GET /admin/v1/jobs: 401 The token is not valid', exitCode: 1 },
  });
  t.equal(server.requests.length, 1);
});

t.test('after the first answer a command tries again, and tells it', async (t) => {
  let failures = 2;
  const server = await startWebServer(t, (request, response) => {
    if (request.url?.startsWith('/admin/v1/jobs')) return json(response, { items: [] });
    if (failures-- > 1) return response.destroy();
    if (failures === 0) {
      response.setHeader('x-error-id', 'http.unavailable').setHeader('retry-after', '1');
      return json(response, { title: 'MongoDB cannot be reached' }, 503);
    }
    return json(response, { items: [] });
  });
  const { run } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: server.url });
  const { code, err } = await run('users', 'find', 'anna');
  t.equal(code, 1);
  const [first, second, third] = err.split('\n');
  t.match(first, /cannot be reached: .+\. Attempt 2 of 50 follows in 1 s\.$/);
  t.match(
    second,
    /^GET \/admin\/v1\/orgs: 503 MongoDB cannot be reached\. Attempt 3 of 50 follows in 2 s\.$/,
  );
  t.equal(third, 'Nobody is found.');
});

t.test('an answer that breaks off is asked for again', async (t) => {
  let isFirst = true;
  const server = await startWebServer(t, (request, response) => {
    if (request.url?.startsWith('/admin/v1/jobs')) return json(response, { items: [] });
    if (!isFirst) return json(response, { items: [] });
    isFirst = false;
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"items":[', () => response.destroy());
  });
  const { run } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: server.url });
  t.match(
    (await run('users', 'find', 'anna')).err,
    /broke off: .*\. Attempt 2 of 50 follows in 1 s\.\nNobody is found/,
  );
});

t.test('a name that several have for the same time means nobody', async (t) => {
  const holder = (n: number) => ({
    userId: `u${n}`,
    orgId: `o${n}`,
    orgName: `O ${n}`,
    userName: 'anna',
    displayName: 'Anna',
  });
  const state = { active: true, locks: [], obstacles: [], steps: [], refused: [] };
  const server = await startWebServer(t, (request, response) => {
    const n = /users\/u(\d)/.exec(request.url ?? '')?.[1];
    if (n !== undefined)
      return json(response, { ...holder(Number(n)), ...state, loginNames: [`anna@o${n}`] });
    return json(response, { items: [], holders: [holder(1), holder(2)] });
  });
  const { run } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: server.url });
  const { code, out } = await run('users', 'why', 'anna');
  t.equal(code, 1);
  t.match(out, /^2 users have the name anna\. Each signs in with another name\.\n/);
  for (const n of [1, 2]) t.match(out, `Remedy: Sign in as anna@o${n}, or type the organization there too.`);
  t.match(JSON.parse((await run('users', 'why', 'anna', '--json')).out), {
    problem: 'ambiguousName',
    canSignIn: false,
  });
});

t.test('nothing that a server sends can control the terminal', async (t) => {
  const evil = 'x\u001b[2J\u001b]0;owned\u0007\u009b31m\r\b\u202e\nfake line';
  const time = `2026-01-01${evil}`;
  const user = { id: evil, userName: evil, displayName: evil, emails: [{ value: evil, primary: true }] };
  const state = {
    ...{ userId: evil, orgId: evil, userName: evil, displayName: evil, active: false },
    locks: [{ of: 'loginName', loginName: evil, failures: 1, until: time }],
    obstacles: ['inactive', 'loginNameLocked', evil],
    steps: [evil],
    loginNames: [evil],
    refused: [{ time, reason: evil }],
    lastAccepted: time,
  };
  const answers: [path: RegExp, body: unknown][] = [
    [/^GET \/admin\/v1\/jobs\?/, { items: [] }],
    [/^GET \/admin\/v1\/orgs\?/, { items: [{ id: evil }] }],
    [
      /_search$/,
      { holders: [{ userId: evil, orgId: evil, orgName: evil, userName: evil, displayName: evil }] },
    ],
    [/\.search$/, { Resources: [user] }],
    [/sign-in-state$/, state],
    [/service-users\?/, { items: [] }],
    [/service-users$/, { id: evil, userName: evil }],
    [/tokens$/, { id: evil, expires: time, token: evil }],
    [/^POST \/admin\/v1\/orgs$/, { id: evil, name: evil }],
    [
      /jobs\/j1\?/,
      { id: 'j1', state: evil, progress: { processed: evil, total: evil, errors: 1 }, result: {} },
    ],
    [/jobs\/j1\/errors$/, { type: evil, id: evil, message: evil }],
    [/./, {}],
  ];
  const server = await startWebServer(t, (request, response) => {
    const line = `${request.method} ${request.url}`;
    if (/^POST .*\/import$/.test(line)) {
      return response.writeHead(202, { location: '/admin/v1/jobs/j1' }).end();
    }
    if (/memberships$/.test(line)) {
      response.setHeader('x-error-id', 'x');
      return json(response, { title: evil, detail: evil }, 400);
    }
    return json(response, answers.find(([path]) => path.test(line))?.[1]);
  });
  const { run, at } = openMuster(t, { MUSTER_TOKEN: 'token', MUSTER_BASE_URL: server.url });
  writeFileSync(at('body.json'), '{}');
  const commands = [
    ['users', 'find', 'anna'],
    ['users', 'why', 'anna'],
    ['users', 'enable', 'anna'],
    ['users', 'unlock', 'anna'],
    ['orgs', 'create', 'x'],
    ['tokens', 'create', 'x', '--org', 'o', '--output', 'token'],
    ['tokens', 'create', 'x', '--org', 'o', '--role', 'ORG_OWNER'],
    ['import', 'body.json'],
    ['verify', 'body.json'],
    ['migrate', 'plan', 'body.json'],
  ];
  for (const words of commands) {
    for (const more of [[], ['--json']]) {
      const { out, err } = await run(...words, ...more);
      const shown = out + err;
      t.notMatch(shown, /[^\P{Cc}\t\n]|\u202e/u, `${words.join(' ')} ${more}`);
      t.notMatch(shown, /^fake line/m, 'and no name begins a line');
      if (more.length > 0) t.ok(JSON.parse(out), words.join(' '));
    }
  }
});

t.test('a reader that has seen enough does not make a command fail', async (t) => {
  const script = `set -o pipefail; '${process.execPath}' '${musterMain}' export --help | head -1`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  t.same({ status, stdout, stderr }, { status: 0, stdout: 'Usage: muster export [options]\n', stderr: '' });
});

/** Runs a script of a shell in which `muster` is on the PATH. */
function shell(t: Test, program: string, args: string[], script: string): string[] {
  const { at } = openMuster(t);
  const wrapper = `#!/bin/sh\nexec '${process.execPath}' '${musterMain}' "$@"\n`;
  writeFileSync(at('muster'), wrapper, { mode: 0o755 });
  const env = { HOME: at('.'), PATH: `${at('.')}:${process.env['PATH']}` };
  const { stdout, stderr } = spawnSync(program, [...args, script], { cwd: at('.'), env, encoding: 'utf8' });
  t.equal(stderr, '');
  return stdout.split('\n').slice(0, -1);
}

t.test('completion in bash', async (t) => {
  const at = (line: string) =>
    shell(
      t,
      'bash',
      ['-c'],
      `eval "$(muster completion bash)"
      compopt() { echo "files"; }
      COMP_WORDS=(${line}) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _muster
      [[ \${#COMPREPLY[@]} = 0 ]] || printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
  t.same(at("muster users ''"), ['find', 'why', 'disable', 'enable', 'unlock']);
  t.same(at('muster export --with'), ['--with-passwords', '--with-otp']);
  t.same(at("muster import ''"), ['files']);
  t.same(at("muster export --timeout ''"), []);
});

t.test('completion in zsh', async (t) => {
  if ((await findProgram('zsh')) === undefined) return notRun(t, 'zsh is not installed');
  const at = (line: string) =>
    shell(
      t,
      'zsh',
      ['-f', '-c'],
      `compdef() { :; }
      _describe() { print -l -- "\${(@P)2}"; }
      _files() { print files; }
      compset() { :; }
      eval "$(muster completion zsh)"
      words=(${line}) CURRENT=$#words
      _muster`,
    );
  t.same(at("muster users w ''"), ['']);
  t.same(at('muster users w'), ['why:say why a person cannot sign in']);
  t.same(at('muster tokens create --role=IM'), ['--role=IMPERSONATOR:']);
  t.same(at("muster import ''"), ['files']);
});

t.test('completion in fish', async (t) => {
  if ((await findProgram('fish')) === undefined) return notRun(t, 'fish is not installed');
  const at = (line: string) =>
    shell(t, 'fish', ['--no-config', '-c'], `muster completion fish | source; complete -C '${line}'`);
  t.same(at('muster users w'), ['why\tsay why a person cannot sign in']);
  t.same(at('muster completion '), ['bash', 'fish', 'zsh']);
  t.same(at('muster export --output=must'), ['--output=muster']);
  t.same(at('muster import mus'), ['muster']);
  t.same(at('muster tokens create --role=IM'), ['--role=IMPERSONATOR']);
});
