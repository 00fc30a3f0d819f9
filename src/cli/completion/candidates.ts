import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** Asks the shell for the names of files. */
const files = ':files';

/** A word that could stand at the cursor, and what it is. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

/**
 * Returns the lines with which `muster __complete` answers: see `scripts.ts`.
 * @param typed the words of the line after `muster`. The last one is at the cursor, and may be empty
 */
export function candidateLines(program: CommandUnknownOpts, typed: readonly string[]): string[] {
  // Bash makes three words of `--output=x`. The other shells leave one word, and want it whole.
  const [prefix = ''] = /^--[^=]+=/.exec(typed.at(-1) ?? '') ?? [];
  const words = typed.flatMap((word) =>
    word === '=' ? [] : word.startsWith('--') ? word.split(/=(.*)/s).slice(0, 2) : [word],
  );
  if (typed.at(-1) === '=') words.push('');
  const current = words.at(-1) ?? '';
  const { command, given, awaits } = walk(program, words.slice(0, -1));
  const found =
    awaits !== undefined
      ? valuesOf(awaits)
      : current.startsWith('-')
        ? optionsOf(command, given)
        : operandsOf(command, given);
  if (found === files) return [files];
  return found
    .filter(({ word }) => word.startsWith(current))
    .map(({ word, about }) => `${prefix}${word}\t${about.replace(/\s+/g, ' ')}`);
}

/** What stands before the cursor. */
interface Completed {
  readonly command: CommandUnknownOpts;
  /** The options and arguments of the command. */
  readonly given: readonly string[];
  /** The option whose value is at the cursor. */
  readonly awaits?: Option;
}

function walk(program: CommandUnknownOpts, words: readonly string[]): Completed {
  let command = program;
  let given: string[] = [];
  let awaits: Option | undefined;
  for (const word of words) {
    if (awaits !== undefined) {
      awaits = undefined;
      continue;
    }
    // `muster help import` completes like `muster import`.
    if (word === 'help' && command === program) continue;
    const found = word.startsWith('-') ? undefined : command.commands.find((one) => one.name() === word);
    if (found !== undefined) {
      command = found;
      given = [];
      continue;
    }
    given.push(word);
    const option = command.options.find(({ long, short }) => word === long || word === short);
    awaits = option?.required ? option : undefined;
  }
  return { command, given, ...(awaits && { awaits }) };
}

function valuesOf({ argChoices, flags }: Option): Candidate[] | typeof files {
  if (argChoices !== undefined) return argChoices.map((word) => ({ word, about: '' }));
  return /<(?:file|path)>/.test(flags) ? files : [];
}

function optionsOf(command: CommandUnknownOpts, given: readonly string[]): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => isRepeatable(option) || !given.includes(option.long ?? ''))
    .flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : []));
}

/** Only an option that collects its values has this function. */
function isRepeatable({ parseArg }: Option): boolean {
  return parseArg !== undefined;
}

function operandsOf(command: CommandUnknownOpts, given: readonly string[]): Candidate[] | typeof files {
  const position = given.filter((word) => !word.startsWith('-')).length;
  if (command.commands.length > 0) {
    if (position > 0) return [];
    return command
      .createHelp()
      .visibleCommands(command)
      .map((one) => ({ word: one.name(), about: one.summary() || one.description() }));
  }
  const argument = command.registeredArguments[position];
  if (argument === undefined) return [];
  if (argument.argChoices !== undefined) return argument.argChoices.map((word) => ({ word, about: '' }));
  return argument.name() === 'file' ? files : [];
}
