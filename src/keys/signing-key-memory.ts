import type { Clock } from '#src/platform/clock.js';
import type { UsableSigningKeys } from './read-signing-keys.js';
import { keyMemoryMs } from './signing-key.js';

/** The signing keys in the memory of this process. */
interface SigningKeyMemory {
  /** The keys from memory, or from the store. While the store is away, the keys in memory are used. */
  load(): Promise<UsableSigningKeys>;
  /** Makes the next {@link load} read the store. */
  stale(): void;
  /**
   * Forgets the keys, since another process may have created the requested one. Tokens with invented key
   * identifiers make the process read the store at most once in {@link pauseMs}.
   * @returns whether the keys were forgotten
   */
  forgetUnlessPaused(): boolean;
}

/** The least time between two reads for unknown identifiers, and after a failed read, in milliseconds. */
const pauseMs = 5_000;

/** A time in milliseconds, and how long it lasts. */
interface Span {
  readonly from: number;
  readonly for: number;
}

/** @param read reads the keys from the store */
export function createSigningKeyMemory(
  clock: Clock,
  read: () => Promise<UsableSigningKeys>,
): SigningKeyMemory {
  let held: UsableSigningKeys | undefined;
  /** When the keys were last read, and for how long they are fresh. */
  let fresh: Span = { from: 0, for: 0 };
  /** The same for reads of unknown identifiers. */
  let paused: Span = { from: 0, for: 0 };
  let loading: Promise<UsableSigningKeys> | undefined;
  const now = () => clock.now().getTime();
  /** A clock that is set back does not prolong the time. */
  const lasts = (time: Span) => now() >= time.from && now() < time.from + time.for;

  function stale(): void {
    fresh = { from: 0, for: 0 };
    // A running read may have started before the change.
    loading = undefined;
  }

  return {
    async load() {
      if (held !== undefined && lasts(fresh)) return held;
      const mine = loading ?? read();
      loading = mine;
      try {
        const loaded = await mine;
        if (loading === mine) {
          held = loaded;
          fresh = { from: now(), for: keyMemoryMs };
          loading = undefined;
        } else {
          // The keys changed during this read. They are read again, and these serve if the store is away then.
          held ??= loaded;
        }
        return loaded;
      } catch (error) {
        if (loading === mine) loading = undefined;
        if (held === undefined) throw error;
        fresh = { from: now(), for: pauseMs };
        return held;
      }
    },
    stale,
    forgetUnlessPaused() {
      if (lasts(paused)) return false;
      paused = { from: now(), for: pauseMs };
      stale();
      return true;
    },
  };
}
