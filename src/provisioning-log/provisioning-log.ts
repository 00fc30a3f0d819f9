import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import type { EntryKind, LogEntry, LogPlace } from './entry.js';
import type { ProvisioningLogStore, StoredEntry } from './provisioning-log.store.js';

/**
 * Notes SCIM requests. The requests of a second are written together, in the background. What exceeds the limits of a second is
 * dropped, so that a flood of requests costs no flood of writes.
 */
export interface ProvisioningLog {
  /** Notes a request. It returns at once. Only a request that is kept is described. */
  note(place: LogPlace, describe: () => Omit<LogEntry, keyof LogPlace>): void;
  /** Writes what was noted and not written yet. */
  flush(): Promise<void>;
  /** Flushes, and stops the timer. */
  close(): Promise<void>;
}

const gatherMs = 1_000;
/** The most entries that a process writes in a second. */
const maxWaiting = 1_000;
/** The most entries of each kind that a process writes of one organization in a second. */
const mostOf: Readonly<Record<EntryKind, number>> = { success: 5, failure: 50, refused: 2 };

export function createProvisioningLog({
  store,
  organizations,
  days,
  logger,
}: {
  store: Pick<ProvisioningLogStore, 'add'>;
  /** Requests without a valid token may name an organization that does not exist. They are dropped. */
  organizations: { takenIds(ids: readonly string[]): Promise<Set<string>> };
  /** How long entries are kept. 0 keeps none. */
  days: number;
  logger: Logger;
}): ProvisioningLog {
  let waiting: StoredEntry[] = [];
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    counts = new Map();
    if (entries.length === 0) return;
    try {
      const doubtful = entries.filter(({ kind }) => kind === 'refused').map(({ orgId }) => orgId);
      const known = doubtful.length > 0 ? await organizations.takenIds([...new Set(doubtful)]) : undefined;
      const recorded = entries.filter(({ kind, orgId }) => kind !== 'refused' || known?.has(orgId));
      await store.add(recorded, days * 24 * 3_600_000);
    } catch (error) {
      logger.warn({ err: error }, 'SCIM requests could not be noted in the provisioning log');
    }
  }

  return {
    note(place, describe) {
      if (days === 0 || waiting.length >= maxWaiting) return;
      const key = `${place.kind} ${place.orgId}`;
      const count = counts.get(key) ?? 0;
      if (count >= mostOf[place.kind]) return;
      counts.set(key, count + 1);
      waiting.push({ ...place, ...describe(), id: newId() });
      timer ??= setTimeout(() => void flush(), gatherMs);
    },
    flush,
    close: flush,
  };
}
