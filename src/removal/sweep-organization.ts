import { setTimeout as pause } from 'node:timers/promises';
import { forgetOrigins } from '#src/clients/applications/index.js';
import type { ConsentsStore } from '#src/clients/consents/index.js';
import type { ApplicationGrantsStore } from '#src/clients/grants/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import {
  type ContentCollection,
  type ContentItem,
  contentCollections,
  type OrganizationContentsStore,
} from './organization-contents.store.js';

interface SweepDeps {
  readonly organizationContents: OrganizationContentsStore;
  readonly applicationGrants: Pick<ApplicationGrantsStore, 'removeOfApplication'>;
  readonly consents: Pick<ConsentsStore, 'removeOfApplication'>;
  readonly sessions: { forgetAllOf(userId: string): Promise<void> };
  readonly revocations: Pick<RevocationList, 'restamp'>;
  readonly caches: Readonly<
    Record<
      'applications' | 'origins' | 'serviceUsers' | 'personalAccessTokens' | 'memberships' | 'projectClaims',
      Cache<unknown>
    >
  >;
  readonly clock: Clock;
}

/** What a sweep removed, by collection. */
export type Removed = Partial<Record<ContentCollection, number>>;

/** The pause between two sweeps while requests may still be inside. */
const betweenMs = 500;

/**
 * Removes everything that belongs to an organization which is being removed. It may be interrupted at any time, and begins anew then.
 * Requests that were inside when the organization was marked may still write. So it sweeps until this time, and once more after it.
 * @param request `before`: what earlier attempts recorded; `progress` is called after each step, records it, and returns whether to
 * go on. A step is not counted if its worker died before that
 * @returns what all attempts removed; undefined if it was interrupted
 */
export async function sweepOrganization(
  deps: SweepDeps,
  request: {
    orgId: string;
    until: Date;
    before: Removed;
    progress: (removed: Removed) => Promise<boolean>;
  },
): Promise<Removed | undefined> {
  const { orgId, until, before, progress } = request;
  const removed: Removed = { ...before };
  for (;;) {
    const isLast = deps.clock.now() > until;
    for (const collection of contentCollections) {
      for (;;) {
        const items = await deps.organizationContents.next(orgId, collection);
        if (items.length === 0) break;
        await removeItems(deps, { orgId, collection, items });
        removed[collection] = (removed[collection] ?? 0) + items.length;
        if (!(await progress(removed))) return undefined;
      }
    }
    if (isLast) {
      const projects = await deps.organizationContents.leaveAudiences(orgId);
      await Promise.all(projects.map((id) => deps.caches.projectClaims.invalidate(id)));
      return removed;
    }
    await pause(betweenMs);
    if (!(await progress(removed))) return undefined;
  }
}

/**
 * Removes objects, and what names them elsewhere. That comes first, so that an interrupted step is done again. Caches forget before and
 * after: a worker may die between, and a request may read the object between.
 */
async function removeItems(
  deps: SweepDeps,
  {
    orgId,
    collection,
    items,
  }: { orgId: string; collection: ContentCollection; items: readonly ContentItem[] },
): Promise<void> {
  const { organizationContents } = deps;
  const ids = items.map(({ id }) => id);
  if (collection === 'users' || collection === 'serviceUsers') await organizationContents.removeOfUsers(ids);
  if (collection === 'users') for (const id of ids) await deps.sessions.forgetAllOf(id);
  if (collection === 'applications') {
    for (const id of ids) {
      await deps.applicationGrants.removeOfApplication(id);
      await deps.consents.removeOfApplication(id);
    }
  }
  await forgetItems(deps, collection, items);
  await organizationContents.remove(orgId, collection, ids);
  await forgetItems(deps, collection, items);
}

/** Lets every process forget the objects that it has read. Tokens of the users end. */
async function forgetItems(
  deps: SweepDeps,
  collection: ContentCollection,
  items: readonly ContentItem[],
): Promise<void> {
  const { caches } = deps;
  const ids = items.map(({ id }) => id);
  const userIds = [...new Set(items.flatMap(({ userId }) => userId ?? []))];
  const forget = (cache: Cache<unknown>, keys: readonly string[]) =>
    Promise.all(keys.map((key) => cache.invalidate(key)));
  if (collection === 'users') {
    await deps.revocations.restamp(...ids);
  } else if (collection === 'serviceUsers') {
    await forget(caches.serviceUsers, ids);
    await forget(caches.memberships, ids);
  } else if (collection === 'applications') {
    await forget(caches.applications, ids);
    await forgetOrigins(
      deps,
      items.flatMap(({ redirectUris }) => redirectUris ?? []),
    );
  } else if (collection === 'personalAccessTokens') await forget(caches.personalAccessTokens, ids);
  else if (collection === 'memberships') await forget(caches.memberships, userIds);
  else if (collection === 'projects') await forget(caches.projectClaims, ids);
}
