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

/** The most indexes of the rooms of the directory. */
const mostIndexes = 60;

/** Indexes of the rooms of the directory that no other room enters, and more of them than a reader can know. One line for each. */
export function indexViolations(sources: readonly Source[], most = mostIndexes): string[] {
  const entered = enteredBy(sources, () => true);
  const indexes = sources
    .map(({ path }) => path)
    .filter((path) => path.endsWith('/index.ts') && roomsWithIndexes.includes(roomOf(path) ?? ''));
  return [
    ...indexes
      .filter((path) => !entered.has(path.replace(/\.ts$/, '')))
      .map((path) => `${path} is entered by no other room: remove it`),
    ...(indexes.length > most
      ? [`the rooms of the directory have ${indexes.length} doors, at most ${most} may be`]
      : []),
  ];
}

/** Doors that no other room uses. One line per door. */
export function unusedDoors(sources: readonly Source[], list = doors): string[] {
  const entered = enteredBy(sources, (path) => !composes(path));
  return Object.entries(list).flatMap(([room, files]) =>
    files
      .filter((file) => !entered.has(`src/${room}/${file}`))
      .map((file) => `${room}/${file} is entered by no other room: remove it from dev/dependencies/doors.ts`),
  );
}

/** The modules of src that these files of other rooms import. */
function enteredBy(sources: readonly Source[], counts: (path: string) => boolean): ReadonlySet<string> {
  return new Set(
    sources
      .filter(({ path }) => /^(src|workers)\//.test(path) && counts(path))
      .flatMap(({ path, imports }) =>
        imports.filter(({ module }) => roomOf(module) !== roomOf(path)).map(({ module }) => module),
      ),
  );
}

function rootOf(path: string): string | undefined {
  const [root = ''] = path.split('/', 1);
  return path.includes('/') && Object.hasOwn(allowedRoots, root) ? root : undefined;
}
