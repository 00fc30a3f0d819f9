import { reservedName } from '../section/reservations.js';
import type { DoubtfulValue, ImportSection, Outcome } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { type PlannedRecords, planRecords } from '../shared/plan-records.js';
import { nameBy } from '../shared/record-reader.js';
import type { TakenIdentifiersDeps } from '../shared/taken-identifiers.js';
import { type DeactivationsDeps, deactivateServiceUsers } from './deactivations.js';
import { type MachineUserItem, machineUserDifferences, readMachineUser } from './machine-user-item.js';
import { surveyMachineUsers } from './survey-machine-users.js';
import { addMachineUsers } from './write-machine-users.js';

type MachineUsersDeps = TakenIdentifiersDeps &
  DeactivationsDeps &
  Pick<SectionDeps, 'config' | 'serviceUsers' | 'events'>;

/**
 * `machineUsers`: service users. The file has their public keys, and none of their personal access tokens. An import that updates does no
 * more than deactivate those that exist. The report warns of what else their records would change.
 */
export function machineUsersSection(deps: MachineUsersDeps): ImportSection {
  return {
    key: 'machineUsers',
    errorType: 'machine_user',
    quota: 'serviceUsers',
    successKey: 'machineUserIds',
    phase: 5,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, update, isConfined, now } = context;
      const thisIssuer = deps.config.baseUrl;
      const planned = await planRecords(records, context, {
        nameOf: nameBy('userId'),
        read: (record) => readMachineUser(record, { thisIssuer, now }),
        survey: (items: readonly MachineUserItem[], findReserved) =>
          surveyMachineUsers(deps, { orgId, findReserved, update, ...(isConfined && { isConfined }) }, items),
        ownReservations: ({ id, content }) => [
          reservedName.userOf(orgId, id),
          reservedName.clientName(orgId, content.settings.userName),
        ],
        sharedReservations: ({ id }) => [reservedName.user(id)],
        differences: machineUserDifferences,
      });
      const { outcomes, created, updated, reservations, survey } = planned;
      const { identifiers, known } = survey;
      const deactivated = updated.flatMap(({ item: { id, dates } }) => {
        const current = known.get(id);
        return current === undefined ? [] : [{ current, dates }];
      });
      const deactivation = deactivateServiceUsers(deps, context, deactivated);
      const add = addMachineUsers(deps, context, { created, identifiers, thisIssuer });
      return {
        outcomes,
        doubts: [...foreignAudiences(planned, thisIssuer), ...keptValues(planned)],
        reservations,
        async write(transaction) {
          await add(transaction);
          await deactivation.write(transaction);
        },
        tried: deactivation.tried,
      };
    },
  };
}

/** The trusts of new service users whose audience is another service. A person should look at them. */
function foreignAudiences(
  { outcomes, created }: Pick<PlannedRecords<MachineUserItem>, 'outcomes' | 'created'>,
  thisIssuer: string,
): DoubtfulValue[] {
  const places = placesOf(outcomes, 'created');
  return created.flatMap(({ content: { trusts = [] } }, index) =>
    trusts
      .filter(({ audience }) => audience !== thisIssuer)
      .map(() => ({ record: places[index] ?? 0, path: 'user.federatedCredentials[].audience' })),
  );
}

/** The values in which a service user that was deactivated still differs from its record. */
function keptValues({
  outcomes,
  updated,
}: Pick<PlannedRecords<MachineUserItem>, 'outcomes' | 'updated'>): DoubtfulValue[] {
  const places = placesOf(outcomes, 'updated');
  return updated.flatMap(({ item, content }, index) =>
    machineUserDifferences(content, item.content).map((name) => ({
      record: places[index] ?? 0,
      path: `user.${name}`,
    })),
  );
}

/** The records with an outcome, in the order of the file. */
function placesOf(outcomes: readonly Outcome[], wanted: Outcome['kind']): number[] {
  return outcomes.flatMap(({ kind }, record) => (kind === wanted ? [record] : []));
}
