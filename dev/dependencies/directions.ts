import { doors } from './doors.js';
import { allowedRooms, allowedRoots, packages, roomsWithIndexes } from './rooms.js';
import { type Import, roomOf, type Source } from './sources.js';

/** Imports that violate the directions in `rooms.ts`. One line per import. */
export function directionViolations(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap((found) => {
      const reason = forbidden(path, found);
      return reason === undefined ? [] : [`${path} imports ${found.target}: ${reason}`];
    }),
  );
}

function forbidden(path: string, { target, module }: Import): string | undefined {
  const isProduct = /^(src|workers)\//.test(path);
  const known = packages.find(([name]) => name.test(target));
  if (known !== undefined && isProduct) return known[1](path) ? undefined : `only ${known[2]} may`;
  const from = rootOf(path);
  const to = rootOf(module);
  if (to !== undefined && from !== to && allowedRoots[from ?? '']?.includes(to) === false) {
    return `${from}/ may not know ${to}/`;
  }
  const room = roomOf(path);
  const other = roomOf(module);
  if (other === undefined || room === other) return undefined;
  if (allowedRooms[room ?? '']?.includes(other) === false) return `${room}/ may not know ${other}`;
  if (!isProduct || mayEnter(path, other, module)) return undefined;
  return roomsWithIndexes.includes(other)
    ? 'enter through the index.ts of the folder'
    : `not a door of ${other}/ in dev/dependencies/doors.ts`;
}

/**
 * Whether a file of another room may import this file of a room. The files directly in `src` compose the rooms. They are doors, and need
 * none, except an index.
 */
function mayEnter(path: string, room: string, module: string): boolean {
  if (roomsWithIndexes.includes(room)) return module.endsWith('/index');
  if (composes(path)) return true;
  return module === `src/${room}` || doors[room]?.includes(module.slice(`src/${room}/`.length)) === true;
}

function composes(path: string): boolean {
  return /^src\/[^/]+$/.test(path);
}

/** Doors that no other room uses. One line per door. */
export function unusedDoors(sources: readonly Source[], list = doors): string[] {
  const entered = new Set(
    sources
      .filter(({ path }) => /^(src|workers)\//.test(path) && !composes(path))
      .flatMap(({ path, imports }) =>
        imports.filter(({ module }) => roomOf(module) !== roomOf(path)).map(({ module }) => module),
      ),
  );
  return Object.entries(list).flatMap(([room, files]) =>
    files
      .filter((file) => !entered.has(`src/${room}/${file}`))
      .map((file) => `${room}/${file} is entered by no other room: remove it from dev/dependencies/doors.ts`),
  );
}

function rootOf(path: string): string | undefined {
  const [root = ''] = path.split('/', 1);
  return path.includes('/') && Object.hasOwn(allowedRoots, root) ? root : undefined;
}
