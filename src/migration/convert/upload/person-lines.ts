/** A word of a name. */
const word = /[^\s,;|"'{}[\]:<>()]+/g;

/** How often a name of several words is compared with a line, so that a file of one word takes no longer. */
const mostComparisons = 200_000;

/**
 * Returns for each of these names the line, from 1, that has it first in a file. A name that the file writes in another way has none.
 * The time is that of one pass over the file.
 */
export function linesWith(text: Buffer, names: readonly string[]): ReadonlyMap<string, number> {
  const missing = namesByWord(names);
  const found = new Map<string, number>();
  let [number, comparisons] = [0, 0];
  for (const line of text.toString('utf8').toLowerCase().split('\n')) {
    if (missing.size === 0) break;
    number++;
    for (const { 0: first, index } of line.matchAll(word)) {
      const candidates = missing.get(first) ?? [];
      for (const name of candidates) {
        const isOneWord = name.length === first.length;
        if (!isOneWord && (comparisons++ >= mostComparisons || !standsAt(line, index, name))) continue;
        found.set(name, number);
        const others = candidates.filter((other) => other !== name);
        if (others.length > 0) missing.set(first, others);
        else missing.delete(first);
      }
    }
  }
  return found;
}

/** The names in lower case, by their first words. */
function namesByWord(names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of new Set(names.map((one) => one.trim().toLowerCase()))) {
    const [first] = name.match(word) ?? [];
    if (first === undefined || !name.startsWith(first)) continue;
    found.set(first, [...(found.get(first) ?? []), name]);
  }
  return found;
}

/** Whether a line has the whole name at a place, and no longer word. */
function standsAt(line: string, index: number, name: string): boolean {
  if (!line.startsWith(name, index)) return false;
  const next = line.charAt(index + name.length);
  return next === '' || next.match(word) === null;
}
