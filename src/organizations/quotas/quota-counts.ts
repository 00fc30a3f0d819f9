import { type QuotaKind, quotaKinds } from '#src/directory/index.js';
import { createLru } from '#src/platform/lru.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import type { Known, QuotaOf, QuotaReservations } from './quota-reservations.store.js';

/** Counts the objects that count against quotas. */
export interface QuotaCounts {
  /** The number of stored objects, and of those that are being stored. */
  taken(of: QuotaOf): Promise<number>;
  /** Replaces a known number of reservations by counting the objects again. Callers that find the same number count together. */
  renew(of: QuotaOf, known: Known): Promise<void>;
  /** Whether the last count is so recent that the objects are not counted again. */
  isRecent(of: QuotaOf): boolean;
  /** Lets all objects of an organization be counted again at once. */
  forget(orgId: string): void;
}

/** A quota is counted again after this many times the time of the last count, so that refusals cost little. */
const pauseFactor = 20;

/** @param stored count the stored objects of an organization */
export function createQuotaCounts(
  reservations: QuotaReservations,
  stored: Readonly<Record<QuotaKind, (orgId: string) => Promise<number>>>,
): QuotaCounts {
  const countOnce = createSingleFlight<string, void>();
  /** When a quota may be counted again, by `performance.now()`. */
  const nextCounts = createLru<number>({ max: 10_000 });

  async function taken(of: QuotaOf): Promise<number> {
    // Before the count: what is stored in between may count twice, but is never missed.
    const unsettled = await reservations.unsettled(of);
    return (await stored[of.kind](of.orgId)) + unsettled;
  }

  async function countAgain(of: QuotaOf, known: Known): Promise<void> {
    const began = performance.now();
    await reservations.replace(of, known, await taken(of));
    const ended = performance.now();
    nextCounts.set(nameOf(of), ended + pauseFactor * (ended - began));
  }

  return {
    taken,
    renew: (of, known) => countOnce(nameOf(of), () => countAgain(of, known)),
    isRecent: (of) => performance.now() < (nextCounts.get(nameOf(of)) ?? 0),
    forget(orgId) {
      for (const kind of quotaKinds) nextCounts.delete(nameOf({ orgId, kind }));
    },
  };
}

function nameOf({ orgId, kind }: QuotaOf): string {
  return `${kind} ${orgId}`;
}
