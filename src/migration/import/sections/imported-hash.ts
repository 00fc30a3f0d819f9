import type { ImportForm } from './section.js';

/** A hash that can be imported, or the code of its fault. */
export type ReadHash = { readonly hash: string } | { readonly code: 'HASH-UNREADABLE' | 'HASH-COST' };

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** The reference encoding (RFC 9106): salt of at least 8 bytes, tag of at least 16, in base64 without padding. */
const argon2id =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

/** The costs that a login can afford. */
const bounds = {
  bcryptCost: { least: 4, most: 15 },
  memoryKib: { least: 8, most: 262_144 },
  passes: { least: 1, most: 20 },
  lanes: { least: 1, most: 16 },
};

function isWithin(value: string | undefined, { least, most }: { least: number; most: number }): boolean {
  const number = Number(value);
  return number >= least && number <= most;
}

/** Reads bcrypt ($2a$, $2b$, $2y$, cost 4 to 15). In the instance form it also reads argon2id, which the export writes. */
export function readHash(text: string, form: ImportForm): ReadHash {
  const [, cost] = bcrypt.exec(text) ?? [];
  if (cost !== undefined) return isWithin(cost, bounds.bcryptCost) ? { hash: text } : { code: 'HASH-COST' };
  const [, memory, passes, lanes] = (form === 'instance' ? argon2id.exec(text) : null) ?? [];
  if (memory === undefined) return { code: 'HASH-UNREADABLE' };
  const isAffordable =
    isWithin(memory, bounds.memoryKib) && isWithin(passes, bounds.passes) && isWithin(lanes, bounds.lanes);
  return isAffordable ? { hash: text } : { code: 'HASH-COST' };
}
