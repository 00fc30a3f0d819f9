#!/usr/bin/env node
import { inspect } from 'node:util';
import { CommanderError } from '@commander-js/extra-typings';
import { StartError } from '#src/platform/start-error.js';
import { Unreachable } from './base/answers.js';
import { helpWanted, UsageError } from './base/command.js';
import { endWith, exitCodes } from './base/exit-codes.js';
import { candidateLines } from './completion/candidates.js';
import { createProgram } from './program.js';
import { createOutput, type Output } from './terminal/output.js';

async function main(words: readonly string[]): Promise<void> {
  // A reader that has seen enough, such as `head`, closes the pipe. The command does its work to the end.
  process.stdout.on('error', () => undefined);
  const output = createOutput(process, words.includes('--json'));
  try {
    const program = createProgram(output);
    // The shell asks for what could stand at the cursor.
    if (words[0] === '__complete') {
      for (const line of candidateLines(program, words.slice(1))) console.log(line);
      return;
    }
    const asked = helpWanted(program, words);
    if (asked !== undefined) asked.outputHelp();
    else await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    await fail(error, output);
  }
}

/** Tells an error, and sets the exit code. */
async function fail(error: unknown, output: Output): Promise<void> {
  // commander ends `--version` and a group without a command in this way.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return;
    output.result({ error: { message: 'A command is missing', exitCode: exitCodes.usage.code } });
    endWith('usage');
    return;
  }
  const kind =
    error instanceof UsageError ? 'usage' : error instanceof Unreachable ? 'unreachable' : 'failed';
  const message = await messageOf(error);
  if (output.isJson) output.result({ error: { message, exitCode: exitCodes[kind].code } });
  else output.note(message);
  endWith(kind);
  // A connection that was given up, or a name that is being looked up, would keep the process for seconds.
  if (kind === 'unreachable') process.exit();
}

/** Loads the drivers of the stores only if the error may be of one of them. */
async function messageOf(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return inspect(error);
  if ([UsageError, StartError].some((kind) => error instanceof kind)) return error.message;
  const { describeStartFailure } = await import('#src/platform/start-failure.js');
  return describeStartFailure(error);
}

await main(process.argv.slice(2));
