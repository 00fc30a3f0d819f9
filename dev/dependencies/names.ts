import type { Source } from './sources.js';

const exported = /^export (?:async |abstract )*(?:function\*?|const|let|class|interface|type) (\w+)/gm;

/**
 * Names that two files of src or workers export, and that are not in `allowed`, and names of `allowed` that no longer occur twice.
 * Texts of pages have the name of their language in every folder. One line per name.
 */
export function nameViolations(sources: readonly Source[], allowed: readonly string[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    if (!/^(src|workers)\//.test(path) || /\/texts\/\w+\.ts$/.test(path)) continue;
    for (const [, name = ''] of text.matchAll(exported))
      files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  const shared = new Map([...files].filter(([, paths]) => paths.size > 1));
  return [
    ...[...shared]
      .filter(([name]) => !allowed.includes(name))
      .map(([name, paths]) => `${[...paths].join(', ')} export ${name}: name different things differently`),
    ...allowed
      .filter((name) => !shared.has(name))
      .map((name) => `${name} is exported once: remove it from dev/dependencies/shared-names.ts`),
  ];
}
