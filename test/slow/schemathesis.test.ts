import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { findProgram } from '../../dev/programs.js';
import { makeFullOrganization } from '../support/app/full-organization.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeCaller } from '../support/app/make.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { installPythonTool } from '../support/processes/python-tool.js';

/**
 * Schemathesis makes requests of `/openapi.json`, right ones and wrong ones, and compares the responses with the document by all of its
 * checks. Nothing of it is ours. It needs Python 3.10 or newer with `venv`, and PyPI. `FUZZ_SEED` repeats a run. With `FUZZ_ROUNDS` it
 * sends more requests, and all kinds of them to every route. Set `TEST_SECONDS` too then.
 */

const tool = { name: 'schemathesis', version: '4.32.5', program: 'st' };
const seconds = Number(process.env['TEST_SECONDS'] ?? 600) - 30;
const { FUZZ_SEED: seed, FUZZ_ROUNDS: rounds } = process.env;
const everyKind = 'examples,coverage,fuzzing,stateful';

/** The paths, the kinds of requests, and the requests of each kind for each operation. */
const runs = [
  { paths: '^/(scim|oauth|oidc)/', phases: everyKind, examples: rounds ?? '5' },
  // The other kinds take ten minutes.
  { paths: '^/admin/', phases: rounds === undefined ? 'fuzzing' : everyKind, examples: rounds ?? '3' },
];

t.test('schemathesis finds nothing', { timeout: seconds * 1_000 }, async (t) => {
  const python = await findProgram('python3');
  if (python === undefined) return notRun(t, 'python3 is not installed');
  const schemathesis = await installPythonTool(python, tool);
  const { container, baseUrl } = await buildListeningApp(t, { workers: true, loginFailureMilliseconds: 0 });
  const { orgId } = await makeFullOrganization(container);
  const owner = await makeCaller(container, orgId, ['IAM_OWNER']);
  const { id, secret } = await makeApplication(container, orgId, { type: 'api' });
  const env = {
    ...process.env,
    TOKEN: owner.token,
    ORG_ID: orgId,
    CLIENT: Buffer.from(`${id}:${secret}`).toString('base64'),
    NO_COLOR: '1',
  };
  for (const { paths, phases, examples } of runs) {
    const given = [
      ...['--config-file', 'dev/schemathesis.toml', 'run', `${baseUrl}/openapi.json`],
      ...['--include-path-regex', paths, '--phases', phases, '-n', examples, '--continue-on-failure'],
      // On a busy machine it takes long to make up an import.
      ...['--suppress-health-check', 'too_slow'],
      ...(seed === undefined ? [] : ['--seed', seed]),
    ];
    const { code, stdout } = await outcomeOf(schemathesis, given, env);
    t.equal(code, 0, `${paths}: ${stdout.slice(-20_000)}`);
    t.match(stdout, /([1-9]\d*) generated, \1 passed/, paths);
  }
});

async function outcomeOf(program: string, given: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    const { stdout } = await promisify(execFile)(program, given, { env, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
}
