import { join } from 'node:path';

/** The README of a room. */
export interface Readme {
  /** The folder that the README describes, such as `src/scim`. */
  readonly folder: string;
  readonly text: string;
}

/**
 * Files and folders that a README names in backticks and that do not exist. One line per name. A name is searched in
 * the room first, then in `src`. The README may omit the extension of a source file.
 * @param exists whether a path of the repository exists
 */
export function readmeViolations(readmes: readonly Readme[], exists: (path: string) => boolean): string[] {
  return readmes.flatMap(({ folder, text }) =>
    namedPaths(text)
      .filter((name) => ![folder, 'src', '.'].some((base) => isThere(join(base, name), exists)))
      .map((name) => `${folder}/README.md names ${name}: there is no such file`),
  );
}

/** Relative paths: they have a slash inside or at the end, or the extension of a source file. */
function namedPaths(text: string): string[] {
  const names = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
  return names.filter((name) => /^[\w.-]+(\/[\w.*-]+)*\/?$/.test(name) && /\/|\.ts$/.test(name));
}

function isThere(path: string, exists: (path: string) => boolean): boolean {
  return exists(path) || exists(`${path}.ts`);
}
