import { allowedRooms, allowedRoots, packages, roomsWithDoors } from './rooms.js';
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
  const isInside = room === other || !isProduct;
  if (!isInside && roomsWithDoors.includes(other ?? '') && !module.endsWith('/index'))
    return 'enter through the index.ts of the folder';
  const may = allowedRooms[room ?? ''];
  if (may === undefined || other === undefined || room === other) return undefined;
  return may.includes(other) ? undefined : `${room}/ may not know ${other}`;
}

function rootOf(path: string): string | undefined {
  const [root = ''] = path.split('/', 1);
  return path.includes('/') && Object.hasOwn(allowedRoots, root) ? root : undefined;
}
