import type { Sealer } from './sealer.js';

/** A sealed value in a store. */
export interface Sealed {
  readonly sealed: Buffer;
  /** Replaces the value by the same value, sealed anew, unless it was changed since the read. */
  replace(by: Buffer): Promise<void>;
}

export interface Resealed {
  readonly resealed: number;
  /** Values that none of the master keys opens. They stay as they are. */
  readonly unreadable: number;
}

/** Seals with the first master key what an earlier one has sealed. */
export async function resealValues(
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
