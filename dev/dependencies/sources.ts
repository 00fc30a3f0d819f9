import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A TypeScript file of the project. Paths are relative to the root of the repository. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** One import or re-export of a file. */
export interface Import {
  /** As written in the file: `./x.js`, `#src/x.js` or the name of a package. */
  readonly target: string;
  /** The path of a file of the project without its extension, or the name of a package. */
  readonly module: string;
}

const statement =
  /^(?:import|export)\s+(?:type\s+)?(?:[\w*]+(?:\s+as\s+\w+)?\s*,?\s*)?(?:\{[^}]*\}\s*)?from\s+'([^']+)'/gm;
const sideEffect = /^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Reads the TypeScript files of these folders. */
export function readSources(folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((entry) => entry.endsWith('.ts'))
      .map((entry) => toSource(join(folder, entry), readFileSync(join(folder, entry), 'utf8'))),
  );
}

export function toSource(path: string, text: string): Source {
  const found = (target: string): Import => ({ target, module: moduleOf(path, target) });
  return {
    path,
    text,
    imports: [
      ...[...text.matchAll(statement)].map(([, target = '']) => found(target)),
      ...[...text.matchAll(sideEffect)].map(([, plain, dynamic = '']) => found(plain ?? dynamic)),
    ],
  };
}

/** The path of the imported module, without its extension. A package keeps its name. */
function moduleOf(path: string, target: string): string {
  if (!/^(\.|#src\/|#workers\/)/.test(target)) return target;
  const inProject = target.startsWith('#') ? target.slice(1) : normalize(join(dirname(path), target));
  return inProject.replace(/\.(js|ts)$/, '');
}

/** The folder of `src` that contains a module, such as `scim`. A file directly in `src` is a room of its own. */
export function roomOf(module: string): string | undefined {
  return /^src\/([^/.]+)/.exec(module)?.[1];
}
