import t from 'tap';
import { candidateLines } from '#src/cli/completion/candidates.js';
import { createProgram } from '#src/cli/program.js';
import { createOutput } from '#src/cli/terminal/output.js';

const nowhere = { write: () => true };
const program = createProgram(createOutput({ stdout: nowhere, stderr: nowhere }, false));
const words = (...typed: string[]) => candidateLines(program, typed).map((line) => line.split('\t', 1)[0]);

t.test('what could stand at the cursor', async (t) => {
  const cases: [typed: string[], expected: string[]][] = [
    [['im'], ['import']],
    [
      ['users', ''],
      ['find', 'why', 'disable', 'enable', 'unlock'],
    ],
    [['users', 'w'], ['why']],
    [['help', 'users', 'w'], ['why']],
    [
      ['convert', 'k'],
      ['keycloak', 'kratos'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', 'zsh', ''], []],
    [['import', ''], [':files']],
    [['import', 'a', ''], []],
    [
      ['import', '--dr'],
      ['--dry-run', '--drop-hashes'],
    ],
    [['import', '--dry-run', '--dry'], []],
    [['export', '--org', '1', '--org'], ['--org']],
    [['export', '--output', ''], [':files']],
    [['export', '--output', '=', 'x'], [':files']],
    [['export', '--output='], [':files']],
    [['export', '--timeout', ''], []],
    [
      ['tokens', 'create', 'x', '--role', 'ORG_U'],
      ['ORG_USER_MANAGER', 'ORG_USER_VIEWER'],
    ],
    [['tokens', 'create', '--role=IM'], ['--role=IMPERSONATOR']],
    [['tokens', 'create', '--role', '=', 'IM'], ['IMPERSONATOR']],
    [['nothing', ''], []],
  ];
  for (const [typed, expected] of cases) t.same(words(...typed), expected, typed.join(' '));
  t.ok(words('').includes('doctor'), 'all commands at the beginning');
  t.notOk(words('').includes('__complete'));
});

t.test('each candidate says what it is', async (t) => {
  t.same(candidateLines(program, ['doc']), ['doctor\tcheck settings, stores, clock, mail and bucket']);
  t.match(candidateLines(program, ['export', '--with-o'])[0], /^--with-otp\t\w/);
});
