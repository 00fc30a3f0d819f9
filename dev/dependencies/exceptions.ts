import type { Source } from './sources.js';

/** The most lines of exceptions from all rules together. */
const mostLines = 10;

/** The settings that may hold exceptions. */
interface RuleSettings {
  /** Of `biome.json`. */
  readonly overrides?: readonly unknown[];
  /** Of `knip.json`: `ignore`, `ignoreDependencies` and the like. */
  readonly [name: string]: unknown;
}

const comment = /^\s*(?:\/\/|\/\*+) (?:biome-ignore|@ts-(?:ignore|expect-error|nocheck))\b/;

/**
 * More lines of exceptions from the rules of `make lint` than a reader can know: comments that turn a rule off, overrides and `ignore` of
 * the settings, and the lines of `shared-names.ts`. One line for each, if they are too many.
 */
export function exceptionViolations(
  sources: readonly Source[],
  { settings, sharedNames }: { settings: Readonly<Record<string, RuleSettings>>; sharedNames: Source },
): string[] {
  const lines = [
    ...sources.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (comment.test(line) ? [`${path}:${at + 1}`] : [])),
    ),
    ...Object.entries(settings).flatMap(([file, { overrides = [], ...others }]) => [
      ...overrides.map(() => `${file} has an override`),
      ...Object.keys(others).flatMap((name) => (name.startsWith('ignore') ? [`${file} has ${name}`] : [])),
    ]),
    ...nameLines(sharedNames.text).map((line) => `${sharedNames.path}: ${line}`),
  ];
  if (lines.length <= mostLines) return [];
  return lines.map((line) => `${line}: one of ${lines.length} exceptions, at most ${mostLines} may be`);
}

/** The lines with names, between the backticks. */
function nameLines(text: string): string[] {
  const [, names = ''] = text.split('`');
  return names.split('\n').flatMap((line) => line.trim() || []);
}
