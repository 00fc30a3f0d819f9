import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moduleOf, roomOf, type Source } from './sources.js';

/** For each part of the container, the rooms that declare its types. The part `users` has types of `directory`. */
export type RoomsOfParts = ReadonlyMap<string, ReadonlySet<string>>;

const container = 'src/rooms.ts';

/** The compiler emits the type of the container, and this function reads the rooms from it. */
export function readRoomsOfParts(): RoomsOfParts {
  const folder = mkdtempSync(join(tmpdir(), 'muster-declarations-'));
  try {
    const options = ['--declaration', '--emitDeclarationOnly', '--noCheck', '--outDir', folder];
    const { status, stdout } = spawnSync('npx', ['tsc', '-p', 'tsconfig.build.json', ...options]);
    if (status !== 0) throw new Error(`The compiler did not declare the container: ${stdout}`);
    return roomsOfParts(readFileSync(join(folder, container.replace(/\.ts$/, '.d.ts')), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param declaration `container.d.ts`. In the type that `openContainer` resolves to, each line indented by four is a
 * part.
 */
export function roomsOfParts(declaration: string): RoomsOfParts {
  const imported = importedNames(declaration);
  const [, body = ''] = declaration.split('Promise<{\n');
  const parts = body.split(/^ {4}(?=\w)/m).slice(1);
  return new Map(
    parts.map((part) => {
      const [name = ''] = /^\w+/.exec(part) ?? [];
      const inline = [...part.matchAll(/import\("([^"]+)"\)/g)].map(([, target = '']) => target);
      const byName = [...part.matchAll(/\w+/g)].flatMap(([word]) => imported.get(word) ?? []);
      const modules = [...inline, ...byName].map((target) => moduleOf(container, target));
      return [name, new Set(modules.flatMap((module) => roomOf(module) ?? []))];
    }),
  );
}

function importedNames(declaration: string): Map<string, string> {
  const statements = declaration.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm);
  return new Map(
    [...statements].flatMap(([, names = '', target = '']) =>
      names.split(',').map((name): [string, string] => [name.replace(/\btype\b/, '').trim(), target]),
    ),
  );
}

/**
 * The parts of the container that a file uses: by type (`Container['users']`, `Pick<Container, 'users' | 'caches'>`), and
 * from a whole container (`container.users`, `{ users, caches } = container`).
 */
export function usedParts({ text }: Source): string[] {
  const indexed = [...text.matchAll(/\bContainer\['(\w+)'\]/g)].map(([, part = '']) => part);
  const picked = [...text.matchAll(/\bPick<\s*Container,([^>]*)>/g)].flatMap(([, parts = '']) =>
    [...parts.matchAll(/'(\w+)'/g)].map(([, part = '']) => part),
  );
  const read = [...text.matchAll(/(?<![/\w])container\.(\w+)/g)].map(([, part = '']) => part);
  const unpacked = [...text.matchAll(/\{([^{}]*)\}\s*=\s*container\b(?!\.)/g)].flatMap(([, parts = '']) =>
    parts.split(',').flatMap((part) => /^\s*(\w+)/.exec(part)?.[1] ?? []),
  );
  return [...new Set([...indexed, ...picked, ...read, ...unpacked])];
}
