import { join } from 'node:path';

/** A README of a room. */
export interface Readme {
  /** The folder that it describes, such as `src/scim`. */
  readonly folder: string;
  readonly text: string;
}

/**
 * Files and folders that a README names in backticks and that are not there: a line for each. A name is looked for
 * in the room first, then in `src`; the extension of a source file may be left out.
 * @param exists whether a path of the repository is there
 */
export function readmeViolations(readmes: readonly Readme[], exists: (path: string) => boolean): string[] {
  return readmes.flatMap(({ folder, text }) =>
    namedPaths(text)
      .filter((name) => ![folder, 'src', '.'].some((base) => isThere(join(base, name), exists)))
      .map((name) => `${folder}/README.md names ${name}: there is no such file`),
  );
}

/** Relative paths: with a slash inside or at the end, or with the extension of a source file. */
function namedPaths(text: string): string[] {
  const names = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
  return names.filter((name) => /^[\w.-]+(\/[\w.*-]+)*\/?$/.test(name) && /\/|\.ts$/.test(name));
}

function isThere(path: string, exists: (path: string) => boolean): boolean {
  return exists(path) || exists(`${path}.ts`);
}
