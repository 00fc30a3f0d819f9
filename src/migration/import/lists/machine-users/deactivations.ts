import { keepAnOwner } from '#src/access/memberships/index.js';
import { type RevokeUserTokensDeps, revokeUserTokens } from '#src/accounts/index.js';
import { newEvents } from '#src/audit/new-event.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { PlanOutdated } from '../section/record-failure.js';
import type { SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import type { ImportedDates } from '../shared/imported-dates.js';

export type DeactivationsDeps = RevokeUserTokensDeps &
  Pick<SectionDeps, 'serviceUsers' | 'memberships' | 'events' | 'mongo' | 'caches'>;

/**
 * Returns those of the service users that have a role of the instance. An import deactivates none of them. For an owner of the organization,
 * a role in another organization is enough.
 */
export async function withHigherRole(
  { caches }: Pick<DeactivationsDeps, 'caches'>,
  ids: readonly string[],
  { orgId: importedInto, isConfined = false }: Pick<SectionContext, 'orgId' | 'isConfined'>,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const memberships = await caches.memberships.get(id);
      return memberships.some(({ orgId }) => orgId === undefined || (isConfined && orgId !== importedInto))
        ? [id]
        : [];
    }),
  );
  return new Set(found.flat());
}

/**
 * Returns what a plan does in its transaction and after it to deactivate service users. Their tokens end too, as in `changeServiceUser`. If the record has a later
 * `lastModified` than the last change here, it is taken over.
 */
export function deactivateServiceUsers(
  deps: DeactivationsDeps,
  { orgId, editor, now }: Pick<SectionContext, 'orgId' | 'editor' | 'now'>,
  chosen: readonly { readonly current: ServiceUser; readonly dates: ImportedDates }[],
): Required<Pick<SectionPlan, 'write' | 'tried'>> {
  let isWritten = false;
  const revoke = async (transaction: Transaction) => {
    for (const { current } of chosen) await revokeUserTokens(deps, current.id, transaction);
  };
  return {
    async write(transaction) {
      isWritten = false;
      if (chosen.length === 0) return;
      for (const { current, dates } of chosen) {
        const lastModified = dates.lastModified > current.lastModified ? dates.lastModified : now;
        const user = { ...current, active: false, version: current.version + 1, lastModified };
        const change = { user, expectedVersion: current.version };
        if (!(await deps.serviceUsers.replace(orgId, change, transaction))) throw new PlanOutdated();
        const happened = [['user.deactivated', {}] as const];
        const changed = { ...user, lastModified: now };
        await deps.events.append(newEvents('user', changed, { happened, editor }), transaction);
      }
      await keepAnOwner(deps, transaction).catch((error: unknown) => {
        // One of them got a role of the instance after the plan. The next plan sees it.
        throw error instanceof AppError ? new PlanOutdated() : error;
      });
      // This step is last: see the same step in `changeUser`.
      await revoke(transaction);
      isWritten = true;
    },
    async tried() {
      await Promise.allSettled(chosen.map(({ current }) => deps.caches.serviceUsers.invalidate(current.id)));
      // Until the commit, a service user could get a token that is later than the revocation.
      if (isWritten && chosen.length > 0) await deps.mongo.transaction(revoke).catch(() => undefined);
    },
  };
}
