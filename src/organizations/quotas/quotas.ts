import {
  directoryErrors,
  type Organization,
  type QuotaConfig,
  type QuotaKind,
  quotaKinds,
  quotaLimits,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { createLru } from '#src/platform/lru.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';

import type { Cache } from '#src/platform/redis/cache.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import type { Known, QuotaOf, QuotaPlaces } from './quota-places.store.js';

/** Keeps the number of objects of each organization within its quotas. */
export interface Quotas {
  /** Whether the organization has a quota of this kind. It asks only a cache. */
  isLimited(orgId: string, kind: QuotaKind): Promise<boolean>;
  /**
   * Runs work that adds objects to an organization. Without a quota it only runs the work.
   * @param adds how many objects the work adds at most
   * @throws AppError `directory.quotaExceeded` before the work begins
   */
  within<T>(
    orgId: string,
    adds: Readonly<Partial<Record<QuotaKind, number>>>,
    work: () => Promise<T>,
  ): Promise<T>;
  /**
   * Runs work that adds as many of the wanted objects as the quota allows.
   * @param work gets the number of objects that it may add, from 0. It returns how many it added.
   */
  upTo(
    orgId: string,
    wanted: { readonly kind: QuotaKind; readonly count: number },
    work: (allowed: number) => Promise<number>,
  ): Promise<void>;
  /** Returns how many more objects fit into the organization. It takes no places. Infinity without a quota. */
  left(orgId: string, kind: QuotaKind): Promise<number>;
  /** The error of a full quota. */
  exceeded(orgId: string, kind: QuotaKind): Promise<AppError>;
  /** Call this after a change of the quotas of an organization. It never fails. */
  changed(orgId: string): Promise<void>;
}

interface QuotasDeps {
  readonly caches: { readonly organizations: Cache<Organization | undefined> };
  readonly config: QuotaConfig;
  readonly places: QuotaPlaces;
  /** Count the stored objects of an organization. */
  readonly counts: Readonly<Record<QuotaKind, (orgId: string) => Promise<number>>>;
}

const names: Readonly<Record<QuotaKind, string>> = {
  users: 'users',
  groups: 'groups',
  serviceUsers: 'service users',
  projects: 'projects',
  applications: 'applications',
  metadata: 'metadata entries',
  openJobs: 'open jobs',
};

/** A quota is counted again after this many times the time of the last count, so that refusals cost little. */
const pauseFactor = 20;
const tries = 10;

interface Places {
  readonly granted: number;
  /** Call this when the work has ended. It never fails. */
  settle(unused: number): Promise<void>;
}

/**
 * Removed objects give their places back when too few places are free and the objects are counted again. Places of objects that
 * are being stored at that time count as well, so that parallel creations do not pass the quota.
 */
export function createQuotas({ caches, config, places, counts }: QuotasDeps): Quotas {
  const nameOf = ({ orgId, kind }: QuotaOf) => `${kind} ${orgId}`;
  const countOnce = createSingleFlight<string, void>();
  /** When a quota may be counted again, by `performance.now()`. */
  const nextCounts = createLru<number>({ max: 10_000 });

  async function limitOf({ orgId, kind }: QuotaOf): Promise<number> {
    const organization = await caches.organizations.get(orgId);
    return quotaLimits(config, organization?.quotas)[kind];
  }

  /** Counts the stored objects, and those that are being stored. */
  async function countTaken(of: QuotaOf): Promise<number> {
    // Before the count: what is stored in between may count twice, but is never missed.
    const unsettled = await places.unsettled(of);
    return (await counts[of.kind](of.orgId)) + unsettled;
  }

  async function countAgain(of: QuotaOf, known: Known): Promise<void> {
    const began = performance.now();
    await places.replace(of, known, await countTaken(of));
    const ended = performance.now();
    nextCounts.set(nameOf(of), ended + pauseFactor * (ended - began));
  }

  /** Callers that find the same number count together. */
  function countTogether(of: QuotaOf, known: Known): Promise<void> {
    return countOnce(nameOf(of), () => countAgain(of, known));
  }

  async function take(of: QuotaOf, wanted: number): Promise<Places> {
    const limit = wanted === 0 ? 0 : await limitOf(of);
    if (limit === 0) return { granted: wanted, settle: async () => undefined };
    const held: { granted: number; holder: string }[] = [];
    let granted = 0;
    for (let attempt = 0; attempt < tries && granted < wanted; attempt++) {
      const taken = await places.take(of, { limit, wanted: wanted - granted });
      if ('holder' in taken) {
        held.push(taken);
        granted += taken.granted;
        continue;
      }
      const isTooEarly = performance.now() < (nextCounts.get(nameOf(of)) ?? 0);
      if (taken.known !== undefined && isTooEarly) return { granted, settle: settleAll(of, held) };
      await countTogether(of, taken.known);
    }
    if (granted === 0) {
      const detail = `Too many callers add ${names[of.kind]} of the organization at the same time; try again`;
      throw new AppError(directoryErrors.changing, { detail, retryAfterSeconds: 1 });
    }
    return { granted, settle: settleAll(of, held) };
  }

  function settleAll(of: QuotaOf, held: readonly { granted: number; holder: string }[]): Places['settle'] {
    return async (unused) => {
      let left = unused;
      for (const { granted, holder } of held) {
        const free = Math.min(left, granted);
        left -= free;
        await places.settle(of, holder, free).catch(() => undefined);
      }
    };
  }

  async function exceeded(orgId: string, kind: QuotaKind): Promise<AppError> {
    const limit = await limitOf({ orgId, kind });
    const detail = `The organization has a quota of ${limit} ${names[kind]} (${kind}), and it is used up`;
    return new AppError(directoryErrors.quotaExceeded, { detail });
  }

  return {
    exceeded,
    isLimited: async (orgId, kind) => (await limitOf({ orgId, kind })) > 0,
    async within(orgId, adds, work) {
      const taken: Places[] = [];
      let isUnused = false;
      try {
        for (const kind of quotaKinds) {
          const wanted = adds[kind] ?? 0;
          const found = await take({ orgId, kind }, wanted);
          taken.push(found);
          if (found.granted < wanted) throw await exceeded(orgId, kind);
        }
        return await work();
      } catch (error) {
        isUnused = wroteNothing(error);
        throw error;
      } finally {
        for (const { granted, settle } of taken) await settle(isUnused ? granted : 0);
      }
    },
    async upTo(orgId, { kind, count }, work) {
      const { granted, settle } = await take({ orgId, kind }, count);
      let unused = 0;
      try {
        unused = granted - (await work(granted));
      } catch (error) {
        if (wroteNothing(error)) unused = granted;
        throw error;
      } finally {
        await settle(unused);
      }
    },
    async left(orgId, kind) {
      const of = { orgId, kind };
      const limit = await limitOf(of);
      if (limit === 0) return Number.POSITIVE_INFINITY;
      return Math.max(0, limit - (await countTaken(of)));
    },
    async changed(orgId) {
      for (const kind of quotaKinds) nextCounts.delete(nameOf({ orgId, kind }));
      await places.forget(orgId).catch(() => undefined);
    },
  };
}

/** Whether the work certainly added nothing. After any other error, a transaction may have been committed. */
function wroteNothing(error: unknown): boolean {
  return isDuplicateKey(error) || (error instanceof AppError && error.definition.kind !== 'unavailable');
}
