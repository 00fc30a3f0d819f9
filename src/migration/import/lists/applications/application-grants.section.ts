import {
  type ApplicationGrant,
  applicationGrantEvent,
  applicationGrantKey,
} from '#src/clients/grants/index.js';
import { newId } from '#src/platform/ids.js';
import { applicationGrantRecord } from '../../../format/application-grant.record.js';
import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection, SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

type ApplicationGrantsSectionDeps = Pick<
  SectionDeps,
  'applicationGrants' | 'applications' | 'events' | 'caches'
>;

const read = createRecordReader(applicationGrantRecord);

/**
 * `applicationGrants`: the applications of other organizations that serve the users of this one without asking each of them. An application
 * may be in the same file, or in the service already. It must be open, as for a grant of an administrator.
 */
export function applicationGrantsSection(deps: ApplicationGrantsSectionDeps): ImportSection {
  return {
    key: 'applicationGrants',
    errorType: 'application_grant',
    phase: 6,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      const { outcomes, created, reservations } = await planRecords<RecordItem<true>>(records, context, {
        nameOf: nameBy('clientId'),
        read(record) {
          const { clientId } = read(record);
          // A grant has nothing but its application.
          return { id: clientId, key: clientId, content: true };
        },
        async survey(items, findReserved) {
          const clientIds = items.map(({ key }) => key);
          const [found, requireOpen] = await Promise.all([
            deps.applicationGrants.findMany(orgId, clientIds),
            createOpenCheck(deps, { orgId, findReserved, clientIds }),
          ]);
          return {
            stored: new Map(found.map(({ clientId }) => [clientId, true as const])),
            admit: ({ key }) => requireOpen(key),
          };
        },
        ownReservations: ({ key }) => [reservedName.applicationGrant(orgId, key)],
      });
      const added = created.map(
        ({ key: clientId }): ApplicationGrant => ({ id: newId(), orgId, clientId, created: now }),
      );
      return {
        outcomes,
        reservations,
        async write(transaction) {
          await deps.applicationGrants.insert(orgId, added, transaction);
          await deps.events.append(
            added.map((grant) => applicationGrantEvent('application.grant.added', grant, editor, now)),
            transaction,
          );
        },
        async tried() {
          await Promise.all(
            added.map((grant) => deps.caches.applicationGrants.invalidate(applicationGrantKey(grant))),
          );
        },
      };
    },
  };
}

/**
 * Looks up which of these applications another organization has opened, or would have opened after the parts of a dry run.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for any other application
 */
async function createOpenCheck(
  { applications }: Pick<SectionDeps, 'applications'>,
  {
    orgId,
    findReserved,
    clientIds,
  }: Pick<SectionContext, 'orgId' | 'findReserved'> & { clientIds: readonly string[] },
): Promise<(clientId: string) => void> {
  const [stored, reserved] = await Promise.all([
    applications.findMany([...clientIds]),
    findReserved(
      clientIds.flatMap((id) => [reservedName.openApplication(id), reservedName.applicationOf(orgId, id)]),
    ),
  ]);
  const open = new Set(
    stored.filter((one) => !one.orgOnly && one.orgId !== orgId).map((application) => application.id),
  );
  return (clientId) => {
    const isReserved =
      reserved.has(reservedName.openApplication(clientId)) &&
      !reserved.has(reservedName.applicationOf(orgId, clientId));
    if (open.has(clientId) || isReserved) return;
    throw new RecordFailure(
      'REFERENCE-UNKNOWN',
      `No other organization has opened an application ${clientId}`,
    );
  };
}
