import { directoryErrors } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { createFairLru } from '#src/platform/fair-lru.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import type { ClientKey } from './client-key.js';

/** The signing keys that outside issuers publish. */
export interface IssuerKeys {
  /**
   * The keys of an issuer. They are read anew when they are 10 minutes old, or when a JWT names another `kid`, but at most
   * once in 30 seconds. If the issuer cannot be reached, the known ones serve for an hour.
   * @param orgId the organization that asks. It may wait for {@link maxReads} issuers at once
   * @param issuer the text by which the keys are read: the issuer, or the address of its keys
   * @throws AppError `directory.issuerUnavailable`. Its cause says why the keys could not be read
   */
  find(orgId: string, issuer: string, kid: string | undefined): Promise<readonly ClientKey[]>;
  /**
   * Checks that the keys of an issuer can be read.
   * @throws AppError `directory.issuerUnusable` with the reason, and the error of `readKeys` as its cause; `directory.issuerUnavailable` while the
   * organization reads as many others as it may
   */
  requireUsable(orgId: string, issuer: string): Promise<void>;
}

const freshMs = 10 * 60_000;
const usableMs = 60 * 60_000;
/** The time between two readings of one issuer. */
const pauseMs = 30_000;
/** The most issuers whose keys a process remembers. An organization with many pushes out none of the others. */
const maxIssuers = 500;
/** The most issuers that one organization reads at once. A slow issuer may keep each for ten seconds. */
const maxReads = 4;

interface Known {
  keys: readonly ClientKey[];
  /** When the keys were read, in milliseconds. */
  readAt: number;
  /** When the last reading began. */
  triedAt: number;
  /** Why the last reading failed. */
  failed?: Error | undefined;
  reading?: Promise<void> | undefined;
}

/**
 * Remembers the keys that outside issuers publish, within the bounds of {@link IssuerKeys}.
 * @param deps `readKeys` reads the keys of an issuer. Its error has a message for people
 */
export function createPublishedKeys({
  readKeys,
  clock,
}: {
  readKeys: (issuer: string, now: Date) => Promise<readonly ClientKey[]>;
  clock: Clock;
}): IssuerKeys {
  const issuers = createFairLru<Known>({ max: maxIssuers });
  const shares = createKeyedSemaphore({
    atOnce: maxReads,
    waiting: 0,
    longestWaitMs: 0,
    refuse: () => unavailable(),
  });

  function knownOf(orgId: string, issuer: string): Known {
    const known = issuers.get(orgId, issuer);
    if (known !== undefined) return known;
    const unread = { keys: [], readAt: -Infinity, triedAt: -Infinity };
    issuers.set(orgId, issuer, unread);
    return unread;
  }

  /** Reads the keys, unless they are being read. It ends without an error, which `failed` has. */
  function read(orgId: string, issuer: string, known: Known): Promise<void> {
    known.reading ??= shares
      .run(orgId, async () => {
        known.triedAt = clock.now().getTime();
        try {
          known.keys = await readKeys(issuer, clock.now());
          known.readAt = clock.now().getTime();
          known.failed = undefined;
        } catch (error) {
          known.failed = error as Error;
        }
      })
      .finally(() => {
        known.reading = undefined;
      });
    return known.reading;
  }

  return {
    async find(orgId, issuer, kid) {
      const known = knownOf(orgId, issuer);
      const now = clock.now().getTime();
      const isKnown = kid === undefined || known.keys.some((key) => key.kid === kid);
      const isUsable = now - known.readAt < usableMs;
      const mayRead = now - known.triedAt >= pauseMs;
      if (mayRead && !(isKnown && now - known.readAt < freshMs)) {
        const reading = read(orgId, issuer, known);
        // Known keys do not wait for newer ones.
        if (isKnown && isUsable) reading.catch(() => undefined);
        else await reading;
      } else if (known.reading !== undefined && !(isKnown && isUsable)) await known.reading;
      if (clock.now().getTime() - known.readAt < usableMs) return known.keys;
      throw unavailable(known.failed);
    },
    async requireUsable(orgId, issuer) {
      const known = knownOf(orgId, issuer);
      const age = clock.now().getTime() - known.triedAt;
      if (known.reading !== undefined || age >= pauseMs || known.failed !== undefined)
        await read(orgId, issuer, known);
      const { failed: cause } = known;
      if (cause === undefined) return;
      throw new AppError(directoryErrors.issuerUnusable, { detail: cause.message, cause });
    },
  };
}

function unavailable(cause?: Error): AppError {
  return new AppError(directoryErrors.issuerUnavailable, { retryAfterSeconds: pauseMs / 1000, cause });
}
