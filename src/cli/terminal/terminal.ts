import { createInterface } from 'node:readline';
import { StartError } from '#src/platform/start-error.js';
import { plainText } from './plain-text.js';

/** A person who reads and types at a terminal. */
export interface Terminal {
  /** Returns the line that the person types, without blanks at its ends. Empty if the input ends. */
  ask(question: string): Promise<string>;
}

interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Pick<NodeJS.WriteStream, 'isTTY'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
}

/**
 * Opens the terminal of a process.
 * @param otherwise what the error says about the state that it leaves, such as `Nothing was changed.`
 * @throws StartError unless input, output and errors are a terminal: what is printed must not end in a file, a pipe or a log
 */
export function openTerminal({ stdin, stdout, stderr }: Streams, otherwise: string): Terminal {
  if (!stdin.isTTY || !stdout.isTTY || !stderr.isTTY)
    throw new StartError(`Run this command at a terminal, without a pipe or a file. ${otherwise}`);
  return {
    async ask(question) {
      stderr.write(`${plainText(question)} `);
      // The terminal edits the line itself, and Ctrl-C ends the process.
      const lines = createInterface({ input: stdin, terminal: false });
      try {
        for await (const line of lines) return line.trim();
        return '';
      } finally {
        lines.close();
        stdin.pause();
      }
    },
  };
}
