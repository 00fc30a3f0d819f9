import type { Test } from 'tap';
import { openShell, type Shell } from './shell.js';

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

/**
 * Runs examples in their order in a shell of their own, and asserts that each has the output that the document promises.
 * @param given `before`: commands before the first example. `env`: variables of the shell
 */
export async function runExamples(
  t: Test,
  examples: readonly Example[],
  expectations: readonly Expectation[],
  { before = '', env }: { before?: string; env: Record<string, string> },
): Promise<void> {
  const shell = openShell(t, { env });
  await shell.run(before);
  await checkExamples(t, { examples, shell }, expectations);
}

/** Runs examples in their order, and asserts that each has the output that the document promises. */
export async function checkExamples(
  t: Test,
  { examples, shell }: { examples: readonly Example[]; shell: Shell },
  expectations: readonly Expectation[],
): Promise<void> {
  t.equal(examples.length, expectations.length, 'each example has an expectation');
  for (const [index, [sentence, check, expected]] of expectations.entries()) {
    const example = examples[index];
    t.match(example?.sentence, sentence);
    t.same(check(await shell.run(example?.script ?? 'false')), expected, sentence);
  }
}
