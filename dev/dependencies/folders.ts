import { dirname } from 'node:path';

const maxFiles = 30;

/** Folders that hold more source files than a reader can survey. One line per folder. */
export function folderViolations(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > maxFiles)
    .map(
      ([folder, count]) => `${folder} holds ${count} source files: split it by subject (at most ${maxFiles})`,
    );
}
