import { readFileSync } from 'node:fs';

const guide = readFileSync('docs/operations.md', 'utf8');

/** The address of the service that a reader of docs/operations.md has. */
export const host = 'id.newcomer.test';

/** What a reader writes in the place of the examples. */
export const asReader = (text: string) => text.replaceAll('example.com', 'newcomer.test');

/**
 * The `sh` blocks of docs/operations.md between two places, as somebody types them.
 * @throws Error unless there are as many
 */
export function blocks(from: string, to: string, count: number): string[] {
  const found = [...between(from, to).matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', script = '']) => asReader(script.replace(new RegExp(`^${indent}`, 'gm'), '')),
  );
  if (found.length !== count)
    throw new Error(`${from} has ${found.length} blocks of commands, not ${count}: walk all of them`);
  return found;
}

/** The command that stands in a sentence between two places and begins so. */
export function inline(from: string, to: string, beginning: string): string {
  const prose = between(from, to).replace(/^ *```[\s\S]*?^ *```$/gm, '');
  const found = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/\s+/g, ' '));
  const command = found.find((code) => code.startsWith(beginning));
  if (command === undefined) throw new Error(`${from} tells no ${beginning}`);
  return asReader(command);
}

function between(from: string, to: string): string {
  const start = guide.indexOf(from);
  const end = guide.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`The guide has no ${from} with ${to} behind it`);
  return guide.slice(start, end);
}
