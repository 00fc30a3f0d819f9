import { plainJson, plainText } from './plain-text.js';
import { createProgress, type Progress, type Screen } from './progress.js';

/** Where a command prints. No text that it prints can control the terminal, whatever a server sent. */
export interface Output {
  /** Whether standard output gets one JSON document instead of text. */
  readonly isJson: boolean;
  /** Prints lines for a person on standard output. With `--json` it prints nothing. */
  print(text: string): void;
  /** Prints lines on standard error. */
  note(text: string): void;
  /** Prints the result as JSON. Without `--json` it prints nothing. Called once. */
  result(value: object): void;
  /** Begins to show the progress of something on standard error. */
  progress(label: string): Progress;
}

interface Streams {
  readonly stdout: Pick<Screen, 'write'>;
  readonly stderr: Screen;
}

export function createOutput({ stdout, stderr }: Streams, isJson: boolean): Output {
  let current: Progress | undefined;
  return {
    isJson,
    print(text) {
      if (isJson) return;
      current?.clear();
      stdout.write(`${plainText(text)}\n`);
    },
    note(text) {
      current?.clear();
      stderr.write(`${plainText(text)}\n`);
    },
    result(value) {
      if (isJson) stdout.write(`${plainJson(value)}\n`);
    },
    progress(label) {
      const begun = createProgress(label, stderr);
      current = begun;
      return begun;
    },
  };
}
