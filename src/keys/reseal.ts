import type { Sealer } from './sealer.js';

/** Something that lies sealed in a store. */
export interface Sealed {
  readonly sealed: Buffer;
  /** Puts the same, sealed anew, in its place, unless it was changed since it was read. */
  replace(by: Buffer): Promise<void>;
}

export interface Resealed {
  readonly resealed: number;
  /** Those that none of the master keys opens; they stay as they are. */
  readonly unreadable: number;
}

/** Seals with the present master key what was sealed with an earlier one. */
export async function reseal(
  sealer: Sealer,
  all: AsyncIterable<Sealed> | Iterable<Sealed>,
): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  for await (const { sealed, replace } of all) {
    if (sealer.isCurrent(sealed)) continue;
    const plaintext = sealer.unseal(sealed);
    if (plaintext === undefined) {
      unreadable++;
      continue;
    }
    await replace(sealer.seal(plaintext));
    resealed++;
  }
  return { resealed, unreadable };
}
