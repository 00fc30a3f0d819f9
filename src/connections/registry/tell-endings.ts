import type { Clock } from '#src/platform/clock.js';
import type { ConnectionsStore } from './connections.store.js';
import { toldBeforeMs } from './credential-ends.js';

/** The connections that are read at once. */
const atOnce = 100;
/** The most connections of one run. The next run goes on. */
const mostTold = 10_000;

/**
 * Tells the owners of organizations once of each connection whose secret or certificate ends within 30 days. It is told again only of another end.
 * @param deps `tellOwners` is called before the mark is written, so that a crash between both tells twice, and never not at all
 */
export async function tellEndings({
  connections,
  clock,
  tellOwners,
}: {
  connections: Pick<ConnectionsStore, 'endingUntold' | 'markTold'>;
  clock: Clock;
  tellOwners: (orgId: string, at: Date) => Promise<void>;
}): Promise<void> {
  const now = clock.now();
  const span = { from: now, until: new Date(now.getTime() + toldBeforeMs) };
  for (let told = 0; told < mostTold; ) {
    const page = await connections.endingUntold({ ...span, limit: atOnce });
    if (page.length === 0) return;
    for (const { id, orgId, ends } of page) {
      await tellOwners(orgId, now);
      await connections.markTold(orgId, { id, ends });
    }
    told += page.length;
  }
}
