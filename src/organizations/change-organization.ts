import { isDeepStrictEqual } from 'node:util';
import { keptChanges } from '#src/audit/changes.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { compareAndSwap, directoryErrors, type Organization, orConflict } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { organizationEvent, policyInWords } from './organization-events.js';
import { changedOrganization, type OrganizationChange } from './organization-rules.js';
import type { OrganizationsStore } from './organizations.store.js';
import type { Quotas } from './quotas/quotas.js';

export interface ChangeOrganizationDeps {
  readonly mongo: Mongo;
  readonly organizations: OrganizationsStore;
  readonly events: EventsStore;
  readonly caches: { readonly organizations: Cache<unknown> };
  readonly quotas: Pick<Quotas, 'changed'>;
  readonly clock: Clock;
  /** The uploaded logo goes when the organization shows another one. */
  readonly logos: { remove(orgId: string, transaction: Transaction): Promise<void> };
}

/** The parts of an organization whose values are in its events. The migration hook and the pepper have secrets, and schemas are long. */
const shownParts = [
  'name',
  'domains',
  'unverifiedDomains',
  'passwordPolicy',
  'login',
  'signInPolicy',
  'plainScimErrors',
  'uniqueExternalId',
  'quotas',
] as const;

/** The organization with its policy in the form of an event: each demand is a text. */
function told({ signInPolicy, ...organization }: Organization) {
  return { ...organization, ...(signInPolicy && { signInPolicy: policyInWords(signInPolicy) }) };
}

/**
 * The change, or a function that computes it from the current organization. The function may run again with a newer
 * state.
 */
export type Change = OrganizationChange | ((current: Organization) => OrganizationChange);

/**
 * Changes the given parts of an organization. If nothing differs, nothing is written.
 * @throws AppError `directory.organizationNotFound`, `directory.organizationExists` for a domain that is taken,
 * `directory.valueInvalid`, `directory.valueMissing`, `directory.changing`
 */
export async function changeOrganization(
  deps: ChangeOrganizationDeps,
  {
    orgId,
    change,
    editor,
    alongside,
  }: {
    orgId: string;
    change: Change;
    editor: Editor;
    /** Makes further writes in the same transaction. They are made even if nothing of the organization differs. */
    alongside?: (transaction: Transaction) => Promise<void>;
  },
): Promise<Organization> {
  const changed = await compareAndSwap(['organization', orgId, editor.userId], async () => {
    const current = await deps.organizations.find(orgId);
    if (current === undefined) throw new AppError(directoryErrors.organizationNotFound);
    const wanted = typeof change === 'function' ? change(current) : change;
    const next = changedOrganization(current, wanted);
    const attributes = (Object.keys(next) as (keyof typeof next)[]).filter(
      (attribute) => !isDeepStrictEqual(next[attribute], current[attribute]),
    );
    if (attributes.length === 0 && alongside === undefined) return current;
    const organization = {
      ...current,
      ...next,
      version: current.version + 1,
      lastModified: deps.clock.now(),
    };
    const event = organizationEvent('org.changed', organization, {
      editor,
      payload: { attributes, ...keptChanges(told(current), told(organization), shownParts) },
    });
    return deps.mongo
      .transactionOf(orgId, async (transaction) => {
        if (!(await deps.organizations.replace(organization, current.version, transaction))) return undefined;
        if (next.login?.logoUrl !== current.login.logoUrl) await deps.logos.remove(orgId, transaction);
        await alongside?.(transaction);
        await deps.events.append([event], transaction);
        return organization;
      })
      .catch(orConflict(directoryErrors.organizationExists));
  });
  await deps.caches.organizations.invalidate(orgId);
  await deps.quotas.changed(orgId);
  return changed;
}
