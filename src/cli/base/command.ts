import { Command, type CommandUnknownOpts, type ParseOptionsResult } from '@commander-js/extra-typings';
import { nearest } from './nearest.js';

/** The command line is wrong. The message says what, and what the person may have meant. */
export class UsageError extends Error {}

/** A command whose mistakes are {@link UsageError}s that name the nearest command or option. */
export class MusterCommand extends Command {
  /** A group of commands has no description of its own. Its help begins with its summary, as a sentence. */
  override description(): string;
  override description(text: string): this;
  override description(text?: string): this | string {
    if (text !== undefined) return super.description(text);
    const description = super.description();
    const summary = this.summary();
    if (description !== '' || summary === '') return description;
    return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  }

  override createCommand(name?: string): Command {
    return new MusterCommand(name);
  }

  /** commander would tell first that a required option is missing, although its name has only a typing error. */
  override parseOptions(words: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(words);
    const [unknown] = parsed.unknown;
    if (this.commands.length === 0 && unknown?.startsWith('-')) {
      this.error(`error: unknown option '${unknown}'`, { code: unknownOption });
    }
    return parsed;
  }

  /** commander calls this for every mistake. */
  override error(message: string, { code = '' } = {}): never {
    const said = message.replace(/^error: /, '');
    const [, word = ''] = /'([^']*)'/.exec(said) ?? [];
    const path = pathOf(this).join(' ');
    const known = knownWords(this, code);
    const meant = nearest(word, known);
    const isListed = code === unknownCommand && meant === undefined;
    const advice = isListed ? `It knows ${known.join(', ')}.` : `See ${path} --help.`;
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new UsageError(`${path}: ${said.replace(/\.$/, '')}.${question} ${advice}`);
  }
}

const unknownCommand = 'commander.unknownCommand';
const unknownOption = 'commander.unknownOption';

/** Returns the words of a command, such as `muster users find`. */
export function pathOf(command: CommandUnknownOpts): string[] {
  return [...(command.parent ? pathOf(command.parent) : []), command.name()];
}

/** Returns what could have been meant instead of an unknown word. */
function knownWords(command: CommandUnknownOpts, code: string): string[] {
  if (code === unknownCommand) return namesOf(command);
  if (code !== unknownOption) return [];
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => (long ? [long] : []));
}

/** Returns the names of the commands of a group. */
function namesOf(command: CommandUnknownOpts): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name());
}

/**
 * Returns the command whose help the words ask for, or undefined if they ask for none. `muster help users find` and
 * `muster users find -h` mean the same.
 * @throws UsageError if there is no such command
 */
export function helpWanted(
  program: CommandUnknownOpts,
  words: readonly string[],
): CommandUnknownOpts | undefined {
  const end = words.indexOf('--');
  const asked = end < 0 ? words : words.slice(0, end);
  const isAsked =
    asked.length === 0 || asked[0] === 'help' || asked.includes('--help') || asked.includes('-h');
  if (!isAsked) return undefined;
  const names = asked.filter((word) => !word.startsWith('-'));
  return find(program, names[0] === 'help' ? names.slice(1) : names);
}

/** Returns the command of these names. What follows a command without further ones is an argument. */
function find(command: CommandUnknownOpts, [name, ...others]: readonly string[]): CommandUnknownOpts {
  if (name === undefined || command.commands.length === 0) return command;
  const found = command.commands.find((one) => one.name() === name);
  if (found === undefined) command.error(`error: unknown command '${name}'`, { code: unknownCommand });
  return find(found, others);
}
