import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { pathOf } from '#src/cli/base/command.js';
import { createProgram } from '#src/cli/program.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { table } from './markdown-table.js';

/** Options that docs/cli.md describes once. */
const shared = ['--help', '--json', '--base-url', '--token-file'];

/** Returns the sections of docs/cli.md about the commands, in the order and under the headings of `muster help`. */
export function describeCommands(): string {
  const nowhere = { write: () => true };
  const { commands } = createProgram(createOutput({ stdout: nowhere, stderr: nowhere }, false));
  const chapters = new Map<string, string[]>();
  for (const command of commands.filter((one) => one.name() !== 'help')) {
    const heading = command.helpGroup().replace(/:$/, '');
    chapters.set(heading, [...(chapters.get(heading) ?? []), ...sectionsOf(command)]);
  }
  return [...chapters].map(([heading, sections]) => `## ${heading}\n\n${sections.join('\n')}`).join('\n');
}

/** Returns a section for each command that runs. Commands of one group that take the same share a section. */
function sectionsOf(command: CommandUnknownOpts): string[] {
  const alike = new Map<string, CommandUnknownOpts[]>();
  for (const leaf of leavesOf(command)) {
    const key = JSON.stringify([leaf.parent?.name(), rowsOf(leaf), firstWords(leaf)]);
    alike.set(key, [...(alike.get(key) ?? []), leaf]);
  }
  return [...alike.values()].map(describe);
}

function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Commands that take the same are alike only if they do the same: converting, or changing a user. */
function firstWords(command: CommandUnknownOpts): string {
  return command.summary().split(' ').slice(0, 2).join(' ');
}

function describe(alike: readonly CommandUnknownOpts[]): string {
  const [first] = alike;
  if (first === undefined) return '';
  const group = pathOf(first).slice(0, -1).join(' ');
  const rows = rowsOf(first);
  const texts = alike.map((command) => sentence(command.description() || `${command.summary()}.`));
  const [text = ''] = texts;
  const list = alike.map((command) => `- ${sentence(command.summary())}: \`${usageOf(command)}\``);
  return [
    `### ${group} ${alike.map((command) => command.name()).join(', ')}\n`,
    alike.length === 1 ? `${text}\n\n\`${usageOf(first)}\`\n` : `${list.join('\n')}\n\n${text}\n`,
    ...(rows.length === 0 ? [] : [table(['argument or option', 'meaning'], rows)]),
  ].join('\n');
}

function usageOf(command: CommandUnknownOpts): string {
  const names = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  return [...pathOf(command), ...names, '[options]'].join(' ');
}

function rowsOf(command: CommandUnknownOpts): string[][] {
  const help = command.createHelp();
  return [
    ...command.registeredArguments.map((argument) => [
      `\`<${argument.name()}>\``,
      help.argumentDescription(argument),
    ]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => !shared.includes(long ?? ''))
      .map((option) => [`\`${option.flags}\``, describeOption(option)]),
  ];
}

function describeOption({ description, mandatory, defaultValue, argChoices }: Option): string {
  const isShown = typeof defaultValue === 'string';
  const notes = [
    ...(mandatory ? ['required'] : []),
    ...(isShown ? [`default \`${defaultValue}\``] : []),
    ...(argChoices ? [`one of ${argChoices.join(', ')}`] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join(', ')})`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
