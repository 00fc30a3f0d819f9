import { setImmediate as turn } from 'node:timers/promises';

/** The elements of so many characters are parsed at once. */
const parsedAtOnce = 65_536;
/** After so many characters other work of the process gets its turn. */
const scannedAtOnce = 262_144;

/** The one list of an object that may be long. */
export interface LongList {
  /** Name of the member of the outermost object. Letter case does not matter. */
  readonly name: string;
  /** Reads one element. Only what it returns is kept. */
  readonly read: (element: unknown) => unknown;
  /** The most elements. */
  readonly most: number;
}

/** Thrown for a list with more elements than allowed. */
export class ListTooLong extends Error {}

/**
 * Parses the JSON text of an object of which one list may be very long. The list is parsed in parts, and other work of the process
 * gets its turn between them. Every other member is parsed at the end, together.
 * @param parse parses a JSON text within the limits of the caller, and throws if it is malformed
 * @throws ListTooLong, and what `parse` and `read` throw
 */
export async function parseLongList(
  text: string,
  { name, read, most }: LongList,
  parse: (json: string) => unknown,
): Promise<unknown> {
  const wanted = name.toLowerCase();
  let rest = '';
  let restFrom = 0;
  let depth = 0;
  let key: string | undefined;
  let stringFrom = -1;
  let partFrom = -1;
  let hasParts = false;
  let elements: unknown[] | undefined;
  let foundAs = name;

  const readPart = (end: number, isLast: boolean) => {
    const part = text.slice(partFrom, end);
    // A blank part is an empty list, or follows a comma that has nothing behind it.
    if (isLast && !hasParts && part.trim() === '') return;
    const list = parse(`[${part}]`) as unknown[];
    if (list.length === 0) parse(`[${part},]`);
    if ((elements ?? []).length + list.length > most) throw new ListTooLong();
    for (const element of list) elements?.push(read(element));
  };

  for (let i = 0, pause = scannedAtOnce; i < text.length; i++) {
    if (i >= pause) {
      pause = i + scannedAtOnce;
      await turn();
    }
    const code = text.charCodeAt(i);
    if (stringFrom >= 0) {
      if (code === 0x5c) i++;
      else if (code === 0x22) {
        if (depth === 1) key = text.slice(stringFrom, i);
        stringFrom = -1;
      }
    } else if (code === 0x22) stringFrom = i + 1;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      const begins = code === 0x5b && depth === 2 && partFrom < 0 && key?.toLowerCase() === wanted;
      if (!begins) continue;
      foundAs = key ?? name;
      rest += text.slice(restFrom, i + 1);
      partFrom = i + 1;
      hasParts = false;
      elements = [];
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
      if (partFrom < 0 || depth !== 1) continue;
      readPart(i, true);
      partFrom = -1;
      restFrom = i;
      key = undefined;
    } else if (code === 0x2c) {
      if (depth === 1) key = undefined;
      if (partFrom < 0 || depth !== 2 || i - partFrom < parsedAtOnce) continue;
      readPart(i, false);
      hasParts = true;
      partFrom = i + 1;
      await turn();
    }
  }
  const parsed = parse(partFrom < 0 ? rest + text.slice(restFrom) : text);
  if (elements === undefined || typeof parsed !== 'object' || parsed === null) return parsed;
  return { ...parsed, [foundAs]: elements };
}
