import { spawn } from 'node:child_process';
import type { Test } from 'tap';
import { killIfLeft } from '../../../dev/leftovers.js';

/** An example of a document: its commands, and the text above them. */
export interface Example {
  readonly sentence: string;
  readonly script: string;
}

/** What comes of the example below each sentence. */
export type Expectation = readonly [sentence: string, check: (output: string) => unknown, expected: unknown];

/** The `sh` blocks of a Markdown text, with the paragraph before each. */
export function examplesIn(markdown: string): Example[] {
  const blocks = markdown.matchAll(/([^\n]+(?:\n[^\n]+)*)\n\n```sh\n([\s\S]*?)```/g);
  return [...blocks].map(([, sentence = '', script = '']) => ({ sentence, script }));
}

const mark = '=====next=====';

/**
 * Runs examples in their order in one shell, and asserts that each has the output that the document promises.
 * @param given `before`: commands before the first example. `env`: variables of the shell
 */
export async function runExamples(
  t: Test,
  examples: readonly Example[],
  expectations: readonly Expectation[],
  { before = '', env }: { before?: string; env: Record<string, string> },
): Promise<void> {
  t.equal(examples.length, expectations.length, 'each example has an expectation');
  const script = examples.map((example) => `${example.script}\necho; echo ${mark}`).join('\n');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `${before}\n${script}`], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killIfLeft(shell);
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  t.equal(await new Promise((done) => shell.once('close', done)), 0, 'no example fails');
  const outputs = output.split(mark).map((part) => part.trim());
  for (const [index, [sentence, check, expected]] of expectations.entries()) {
    t.match(examples[index]?.sentence, sentence);
    t.same(check(outputs[index] ?? ''), expected, sentence);
  }
}
