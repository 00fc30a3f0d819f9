import { isDotSegment } from '#src/platform/path-segment.js';
import { pathTo, segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { ownsInstance } from '../http/visit.js';
import type { FoundEvents } from '../log/event-list.js';
import { type JobList, kindOf, pathOfJob } from '../migration/jobs.js';
import { jobTexts } from '../migration/texts/jobs.js';
import type { ListedSigningKey } from '../service/signing-keys-card.js';
import type { AttentionKind } from './texts/shape.js';

/** Something that an administrator should look at, and where. */
export interface Attention {
  readonly kind: AttentionKind;
  readonly name: string;
  readonly path: string;
  readonly time: string;
}

/** `GET /admin/v1/expiring`: credentials that end soon. */
interface Expiring {
  readonly items: readonly {
    readonly of: 'application' | 'serviceUser' | 'connection';
    readonly id: string;
    readonly orgId: string;
    readonly name: string;
    readonly expires: string;
  }[];
}

const dayMs = 24 * 3600 * 1000;
/** A signing key that is older should be changed. */
const oldKeyMs = 180 * dayMs;
const most = 5;

/** @param orgId absent for the whole service */
export async function readAttention(visit: ConsoleVisit, orgId: string | undefined): Promise<Attention[]> {
  const all = await Promise.all([
    lockedUsers(visit, orgId),
    expiring(visit, orgId),
    ...(ownsInstance(visit) ? [failedJobs(visit), oldKeys(visit)] : []),
  ]);
  return all.flat();
}

/** People who were locked within a day. They may have been unlocked since, which their pages say. */
async function lockedUsers({ api }: ConsoleVisit, orgId: string | undefined): Promise<Attention[]> {
  const { events, names = [] } = await api.send<FoundEvents>('POST', '/admin/v1/events/_search', {
    eventTypes: ['user.locked', 'user.unlocked'],
    range: { since: new Date(Date.now() - dayMs).toISOString() },
    limit: 50,
    names: true,
    ...(orgId !== undefined && { resourceOwner: orgId }),
  });
  const latest = new Map<string, (typeof events)[number]>();
  for (const event of events) if (!latest.has(event.aggregate.id)) latest.set(event.aggregate.id, event);
  return [...latest.values()]
    .filter(({ type }) => type === 'user.locked')
    .slice(0, most)
    .map(({ aggregate, creationDate }) => ({
      kind: 'locked',
      name: names.find(({ id }) => id === aggregate.id)?.name ?? aggregate.id,
      path: objectPath(`${organizationPath(aggregate.resourceOwner)}/users`, aggregate.id),
      time: creationDate,
    }));
}

/** The list of the console that has the owner of a credential. */
const listOf = {
  application: 'applications',
  serviceUser: 'service-users',
  connection: 'connections',
} as const;

async function expiring({ api }: ConsoleVisit, orgId: string | undefined): Promise<Attention[]> {
  const { items } = await api.get<Expiring>('/admin/v1/expiring', { orgId, limit: 10 });
  return items.map(({ of, id, orgId: owner, name, expires }) => ({
    kind: Date.parse(expires) < Date.now() ? 'expired' : 'expiring',
    name,
    path: objectPath(`${organizationPath(owner)}/${listOf[of]}`, id),
    time: expires,
  }));
}

async function failedJobs({ api, language }: ConsoleVisit): Promise<Attention[]> {
  const { items } = await api.get<JobList>('/admin/v1/jobs', { limit: most, state: 'failed,expired' });
  return items.map(({ finished, created, ...job }) => ({
    kind: 'failedJob',
    name: kindOf(job, jobTexts[language]),
    path: pathOfJob(job.id),
    time: finished ?? created,
  }));
}

async function oldKeys({ api }: ConsoleVisit): Promise<Attention[]> {
  const { items } = await api.get<{ items: ListedSigningKey[] }>('/admin/v1/signing-keys');
  return items
    .filter(
      ({ state, activated }) => state === 'active' && Date.now() - Date.parse(activated ?? '') > oldKeyMs,
    )
    .map(({ kid, activated, created }) => ({
      kind: 'oldKey',
      name: kid,
      path: '/console/service',
      time: activated ?? created,
    }));
}

/** The page of an object, or the list that has it if no address can have its identifier. */
function objectPath(list: string, id: string): string {
  return isDotSegment(id) ? list : pathTo(list, id);
}

function organizationPath(orgId: string): string {
  return `/console/orgs/${segmentOf(orgId)}`;
}
