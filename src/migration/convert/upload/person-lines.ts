/** Parts of a text that may be a login name or an address. */
const word = /[^\s,;|"'{}[\]:<>()]+/g;

/**
 * Returns for each of these names the line, from 1, that has it first in a file. A name that the file writes in another way has none.
 * The time is that of one pass over the file.
 */
export function linesWith(text: Buffer, names: readonly string[]): ReadonlyMap<string, number> {
  const wanted = new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase()));
  const found = new Map<string, number>();
  if (wanted.size === 0) return found;
  let number = 0;
  for (const line of text.toString('utf8').split('\n')) {
    number++;
    for (const [part] of line.matchAll(word)) {
      const name = part.toLowerCase();
      if (wanted.has(name) && !found.has(name)) found.set(name, number);
    }
    if (found.size === wanted.size) break;
  }
  return found;
}
