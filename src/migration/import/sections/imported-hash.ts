import type { ImportForm } from './section.js';

/** A hash that is taken over, or the code of what is wrong with it. */
export type ReadHash = { readonly hash: string } | { readonly code: 'HASH-UNREADABLE' | 'HASH-COST' };

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** The reference encoding (RFC 9106): salt of at least 8 bytes, tag of at least 16, in base64 without padding. */
const argon2id =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

/** Costs that logins can bear. */
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

/** bcrypt ($2a$, $2b$, $2y$, cost 4 to 15) in both forms; in the instance form argon2id too, as the export has it. */
export function readHash(text: string, form: ImportForm): ReadHash {
  const [, cost] = bcrypt.exec(text) ?? [];
  if (cost !== undefined) return isWithin(cost, bounds.bcryptCost) ? { hash: text } : { code: 'HASH-COST' };
  const [, memory, passes, lanes] = (form === 'instance' ? argon2id.exec(text) : null) ?? [];
  if (memory === undefined) return { code: 'HASH-UNREADABLE' };
  const bearable =
    isWithin(memory, bounds.memoryKib) && isWithin(passes, bounds.passes) && isWithin(lanes, bounds.lanes);
  return bearable ? { hash: text } : { code: 'HASH-COST' };
}
