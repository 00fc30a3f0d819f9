import { PassThrough } from 'node:stream';
import t from 'tap';
import { openTerminal } from '#src/cli/terminal/terminal.js';

/** Three streams that may be terminals. */
function streams({ stdin = true, stdout = true, stderr = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: stdin });
  const written: string[] = [];
  return {
    input,
    written,
    all: {
      stdin: input as unknown as NodeJS.ReadStream,
      stdout: { isTTY: stdout },
      stderr: { isTTY: stderr, write: (text: string) => written.push(text) > 0 },
    } as Parameters<typeof openTerminal>[0],
  };
}

t.test('a question is asked on standard error, and the answer is one line', async (t) => {
  const { input, written, all } = streams();
  const answer = openTerminal(all, 'Nothing.').ask('Who \u001b[2J?');
  input.write('  admin \nother\n');
  t.equal(await answer, 'admin');
  t.same(written, ['Who \\u001b[2J? ']);
});

t.test('an input that ends is an empty answer', async (t) => {
  const { input, all } = streams();
  const answer = openTerminal(all, 'Nothing.').ask('Who?');
  input.end();
  t.equal(await answer, '');
});

t.test('without a terminal at each of the three there is none', async (t) => {
  for (const missing of ['stdin', 'stdout', 'stderr'])
    t.throws(() => openTerminal(streams({ [missing]: false }).all, 'Nothing was changed.'), {
      message: /Run this command at a terminal.* Nothing was changed\.$/,
    });
});
