import t from 'tap';
import { nearest } from '#src/cli/base/nearest.js';

t.test('the nearest word', async (t) => {
  const words = ['import', 'export', 'init', '--with-passwords', '--with-otp', '--email-verified'];
  const cases: [typed: string, meant: string | undefined][] = [
    ['imprt', 'import'],
    ['exprot', 'export'],
    ['IMPORT', 'import'],
    ['inti', 'init'],
    ['--with-password', '--with-passwords'],
    ['--verified', '--email-verified'],
    ['with-otp', '--with-otp'],
    ['zzz', undefined],
    ['--', undefined],
    ['', undefined],
  ];
  for (const [typed, meant] of cases) t.equal(nearest(typed, words), meant, typed);
  t.equal(nearest('x', []), undefined);
});
