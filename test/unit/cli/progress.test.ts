import t from 'tap';
import { createOutput } from '#src/cli/terminal/output.js';
import { createProgress, progressLine } from '#src/cli/terminal/progress.js';

const half = { done: 500_000, total: 1_000_000, unit: 'MiB', note: '3 errors, 4000/s, 125 s left' };

t.test('the line fits every width', async (t) => {
  for (let width = 1; width <= 200; width++) {
    const line = progressLine('import', half, width);
    t.ok(line.length <= width, `${width}: ${line}`);
    t.notMatch(line, '\n');
  }
});

t.test('the bar is at most thirty long, becomes shorter, and gives way to the numbers', async (t) => {
  const numbers = '500000 of 1000000 MiB, 3 errors, 4000/s, 125 s left';
  t.equal(progressLine('import', half, 200), `import [${'#'.repeat(15)}${'.'.repeat(15)}] ${numbers}`);
  t.equal(progressLine('import', half, 71), `import [#####.....] ${numbers}`);
  t.equal(progressLine('import', half, 60), `import ${numbers}`);
  t.equal(progressLine('import', half, 30), 'import 500000 of 1000000 MiB');
  t.equal(progressLine('import', half, 25), '500000 of 1000000 MiB');
  t.equal(progressLine('import', half, 5), '50000');
  t.equal(progressLine('import', { done: 0, total: 0 }, 60), `import [${'.'.repeat(30)}] 0 of 0`);
});

/** A terminal that shows what it got as lines, and reports a line that is too long for it. */
function terminal(columns: number) {
  const lines = [''];
  let at = 0;
  let isWrapped = false;
  return {
    isTTY: true,
    columns,
    lines,
    isWrapped: () => isWrapped,
    write(text: string) {
      // The progress uses one command: it erases the rest of the line.
      for (const letter of text.replaceAll('\u001b[K', '\u0000')) {
        if (letter === '\u0000') lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, at);
        else if (letter === '\r') at = 0;
        else if (letter === '\n') {
          lines.push('');
          at = 0;
        } else {
          const last = (lines.at(-1) ?? '').padEnd(at);
          lines[lines.length - 1] = last.slice(0, at) + letter + last.slice(at + 1);
          at += 1;
          isWrapped ||= at >= columns;
        }
      }
      return true;
    },
  };
}

t.test('a terminal has one line, also when it becomes narrower', async (t) => {
  const screen = terminal(120);
  const progress = createProgress('import', screen);
  progress.show(half);
  screen.columns = 40;
  progress.show({ ...half, done: 600_000 });
  progress.show({ done: 1, total: 2 });
  progress.end();
  t.equal(screen.lines.length, 2);
  t.match(screen.lines[0], /^import \[#+\.+\] 1 of 2$/);
  t.notOk(screen.isWrapped());
});

t.test('a note stands above the bar, whole', async (t) => {
  const screen = terminal(60);
  const output = createOutput({ stdout: screen, stderr: screen }, false);
  const progress = output.progress('import');
  progress.show({ done: 1, total: 2 });
  output.note('The service is away.');
  progress.show({ done: 2, total: 2 });
  progress.end();
  t.match(screen.lines, ['The service is away.', /^import \[#+\] 2 of 2$/, '']);
});

t.test('without a terminal there is a plain line for each tenth', async (t) => {
  let text = '';
  const write = (piece: string) => (text += piece);
  const progress = createProgress('import', { write });
  for (let done = 0; done <= 1_000; done++) progress.show({ done, total: 1_000, note: '5/s' });
  progress.end();
  const expected = Array.from({ length: 11 }, (_, tenth) => `import: ${tenth * 100} of 1000, 5/s\n`);
  t.equal(text, expected.join(''));
});
