import {
  directoryErrors,
  type Organization,
  type QuotaConfig,
  type QuotaKind,
  quotaKinds,
  quotaLimits,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { createQuotaCounts, type QuotaCounts } from './quota-counts.js';
import type { QuotaOf, QuotaReservations } from './quota-reservations.store.js';

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
  /** Returns how many more objects fit into the organization. It reserves nothing. Infinity without a quota. */
  left(orgId: string, kind: QuotaKind): Promise<number>;
  /** The error of a full quota. */
  exceeded(orgId: string, kind: QuotaKind): Promise<AppError>;
  /** Call this after a change of the quotas of an organization. It never fails. */
  changed(orgId: string): Promise<void>;
}

interface QuotasDeps {
  readonly caches: { readonly organizations: Cache<Organization | undefined> };
  readonly config: QuotaConfig;
  readonly reservations: QuotaReservations;
  /** Count the stored objects of an organization. */
  readonly counts: Readonly<Record<QuotaKind, (orgId: string) => Promise<number>>>;
}

const names: Readonly<Record<QuotaKind, string>> = {
  users: 'users',
  groups: 'groups',
  serviceUsers: 'service users',
  projects: 'projects',
  applications: 'applications',
  connections: 'connections',
  metadata: 'metadata entries',
  openJobs: 'open jobs',
};

const tries = 10;

interface Reservations {
  readonly granted: number;
  /** Call this when the work has ended. It never fails. */
  settle(unused: number): Promise<void>;
}

/**
 * Removed objects free their reservations when the quota seems full and the objects are counted again. Reservations of objects that
 * are being stored at that time count as well, so that parallel creations do not pass the quota.
 */
export function createQuotas({ caches, config, reservations, counts: stored }: QuotasDeps): Quotas {
  const counts = createQuotaCounts(reservations, stored);
  const taking: TakingDeps = { reservations, counts, limitOf };

  async function limitOf({ orgId, kind }: QuotaOf): Promise<number> {
    const organization = await caches.organizations.get(orgId);
    return quotaLimits(config, organization?.quotas)[kind];
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
      const taken: Reservations[] = [];
      let isUnused = false;
      try {
        for (const kind of quotaKinds) {
          const wanted = adds[kind] ?? 0;
          const found = await take(taking, { orgId, kind }, wanted);
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
      const { granted, settle } = await take(taking, { orgId, kind }, count);
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
      return Math.max(0, limit - (await counts.taken(of)));
    },
    async changed(orgId) {
      counts.forget(orgId);
      await reservations.forget(orgId).catch(() => undefined);
    },
  };
}

interface TakingDeps {
  readonly reservations: QuotaReservations;
  readonly counts: QuotaCounts;
  readonly limitOf: (of: QuotaOf) => Promise<number>;
}

/** Makes as many of the wanted reservations as fit. @throws AppError `directory.changing` if too many callers reserve */
async function take(
  { reservations, counts, limitOf }: TakingDeps,
  of: QuotaOf,
  wanted: number,
): Promise<Reservations> {
  const limit = wanted === 0 ? 0 : await limitOf(of);
  if (limit === 0) return { granted: wanted, settle: async () => undefined };
  const held: HeldReservations[] = [];
  let granted = 0;
  for (let attempt = 0; attempt < tries && granted < wanted; attempt++) {
    const taken = await reservations.take(of, { limit, wanted: wanted - granted });
    if ('holder' in taken) {
      held.push(taken);
      granted += taken.granted;
      continue;
    }
    if (taken.known !== undefined && counts.isRecent(of))
      return { granted, settle: settleAll(reservations, of, held) };
    await counts.renew(of, taken.known);
  }
  if (granted === 0) {
    const detail = `Too many callers add ${names[of.kind]} of the organization at the same time; try again`;
    throw new AppError(directoryErrors.changing, { detail, retryAfterSeconds: 1 });
  }
  return { granted, settle: settleAll(reservations, of, held) };
}

interface HeldReservations {
  readonly granted: number;
  readonly holder: string;
}

/** Settles the reservations of several holders. The unused ones are taken from the first holders. */
function settleAll(
  reservations: QuotaReservations,
  of: QuotaOf,
  held: readonly HeldReservations[],
): Reservations['settle'] {
  return async (unused) => {
    let left = unused;
    for (const { granted, holder } of held) {
      const free = Math.min(left, granted);
      left -= free;
      await reservations.settle(of, holder, free).catch(() => undefined);
    }
  };
}

/** Whether the work certainly added nothing. After any other error, a transaction may have been committed. */
function wroteNothing(error: unknown): boolean {
  return isDuplicateKey(error) || (error instanceof AppError && error.definition.kind !== 'unavailable');
}
