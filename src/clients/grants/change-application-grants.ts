import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { directoryErrors, inLine } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Application } from '../applications/application.js';
import { type ApplicationGrant, applicationGrantKey } from './application-grant.js';
import type { ApplicationGrantsStore } from './application-grants.store.js';

interface ApplicationGrantDeps {
  readonly mongo: Mongo;
  readonly applicationGrants: ApplicationGrantsStore;
  readonly events: EventsStore;
  readonly caches: {
    readonly applications: Cache<Application | undefined>;
    readonly applicationGrants: Cache<unknown>;
  };
  readonly clock: Clock;
}

/** An organization, and the application of another organization that it lets in. */
interface GrantTarget {
  readonly orgId: string;
  readonly clientId: string;
  readonly editor: Editor;
}

/**
 * Lets the people of an organization sign in to an application of another organization without asking each of them. To
 * grant it again changes nothing.
 * @throws AppError `directory.applicationNotFound` unless the application belongs to another organization and is open
 */
export async function addApplicationGrant(
  deps: ApplicationGrantDeps,
  { orgId, clientId, editor }: GrantTarget,
): Promise<ApplicationGrant> {
  const application = await deps.caches.applications.get(clientId);
  if (application === undefined || application.orgOnly || application.orgId === orgId) {
    throw new AppError(directoryErrors.applicationNotFound);
  }
  const found = await deps.applicationGrants.find(orgId, clientId);
  if (found !== undefined) return found;
  const grant: ApplicationGrant = { id: newId(), orgId, clientId, created: deps.clock.now() };
  try {
    await inLine(['application grant', applicationGrantKey(grant), editor.userId], () =>
      deps.mongo.transactionOf(orgId, async (transaction) => {
        await deps.applicationGrants.insert(orgId, [grant], transaction);
        await deps.events.append(
          [applicationGrantEvent('application.grant.added', grant, editor, grant.created)],
          transaction,
        );
      }),
    );
  } catch (error) {
    // Somebody else granted it at the same time.
    const other = isDuplicateKey(error) ? await deps.applicationGrants.find(orgId, clientId) : undefined;
    if (other === undefined) throw error;
    return other;
  }
  await deps.caches.applicationGrants.invalidate(applicationGrantKey(grant));
  return grant;
}

/** Takes a grant back. @throws AppError `directory.applicationGrantNotFound` */
export async function removeApplicationGrant(
  deps: ApplicationGrantDeps,
  { orgId, clientId, editor }: GrantTarget,
): Promise<void> {
  const key = applicationGrantKey({ orgId, clientId });
  await inLine(['application grant', key, editor.userId], () =>
    deps.mongo.transactionOf(orgId, async (transaction) => {
      const grant = await deps.applicationGrants.remove(orgId, clientId, transaction);
      if (grant === undefined) throw new AppError(directoryErrors.applicationGrantNotFound);
      const event = applicationGrantEvent('application.grant.removed', grant, editor, deps.clock.now());
      await deps.events.append([event], transaction);
    }),
  );
  await deps.caches.applicationGrants.invalidate(key);
}

/** A grant has two events: version 1 when it is added, version 2 when it is removed. */
export function applicationGrantEvent(
  type: 'application.grant.added' | 'application.grant.removed',
  { id, orgId, clientId }: ApplicationGrant,
  editor: Editor,
  date: Date,
) {
  const sequence = type === 'application.grant.added' ? 1 : 2;
  const about = { aggregate: 'application_grant', id, orgId, editor, sequence, date } as const;
  return newEvent(type, { ...about, payload: { clientId } });
}
