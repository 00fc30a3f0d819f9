/** The exit codes of every command. docs/cli.md lists them. */
export const exitCodes = {
  done: { code: 0, meaning: 'The command did everything that you asked for' },
  failed: {
    code: 1,
    meaning:
      'The command failed, did only a part, or its answer is no: a record was not imported, nobody was found, the person cannot ' +
      'sign in, a check of `doctor` failed',
  },
  usage: { code: 2, meaning: 'The command line is wrong. Nothing was done' },
  unreachable: {
    code: 3,
    meaning: 'The service does not answer at its address, or another program answers there',
  },
} as const satisfies Record<string, { code: number; meaning: string }>;

/** Makes the process end with a code when its work is done. */
export function endWith(name: keyof typeof exitCodes): void {
  process.exitCode = exitCodes[name].code;
}
