import type { Attack } from './attack.js';

/** What the attack should have got and did not get. Empty if it reached what it attacks. */
export function missingOf({ reached }: Attack, counts: Readonly<Record<string, number>>): string[] {
  return reached
    .map((what) => [what].flat())
    .filter((oneOf) => oneOf.every((what) => (counts[what] ?? 0) === 0))
    .map((oneOf) => oneOf.join(' or '));
}
