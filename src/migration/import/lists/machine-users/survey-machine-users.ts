import type { ServiceUser } from '#src/clients/service-users/index.js';
import { foldCase } from '#src/directory/index.js';
import { RecordFailure } from '../section/record-failure.js';
import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { otherContent } from '../shared/other-content.js';
import type { Surroundings } from '../shared/record-decisions.js';
import {
  type TakenIdentifiers,
  type TakenIdentifiersDeps,
  takenIdentifiers,
} from '../shared/taken-identifiers.js';
import { type DeactivationsDeps, withHigherRole } from './deactivations.js';
import { type MachineUserItem, machineUserContent, machineUserDifferences } from './machine-user-item.js';

type SurveyDeps = TakenIdentifiersDeps & DeactivationsDeps & Pick<SectionDeps, 'serviceUsers'>;

/** What the service has for the records of one part. */
interface MachineUserSurvey extends Surroundings<MachineUserItem> {
  readonly identifiers: TakenIdentifiers;
  /** The stored service users of the organization, by identifier. */
  readonly known: ReadonlyMap<string, ServiceUser>;
}

/** Looks up the service users, and the names and identifiers that are taken. */
export async function surveyMachineUsers(
  deps: SurveyDeps,
  context: Pick<SectionContext, 'orgId' | 'findReserved' | 'update' | 'isConfined'>,
  items: readonly MachineUserItem[],
): Promise<MachineUserSurvey> {
  const { orgId, findReserved, update } = context;
  const ids = items.map(({ id }) => id);
  const userNames = items.map(({ content }) => content.settings.userName);
  // Before the stored objects are read: what another import adds in between is then among them, and skipped.
  const identifiers = await takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'serviceUser' });
  const found = await deps.serviceUsers.findTaken(orgId, { ids, userNames });
  const ofOrganization = found.filter((user) => user.orgId === orgId);
  const names = new Set(ofOrganization.map(({ userName }) => foldCase(userName)));
  const known = new Map(ofOrganization.map((user) => [user.id, user]));
  const ended = items.filter(({ id, content }) => !content.settings.active && known.get(id)?.active);
  const higher = await withHigherRole(deps, update ? ended.map(({ id }) => id) : [], context);
  return {
    identifiers,
    known,
    stored: new Map(ofOrganization.map((user) => [user.id, machineUserContent(user)])),
    storedDates: known,
    admit({ id, content }) {
      if (identifiers.taken.has(id)) throw new RecordFailure('ID-TAKEN');
      const name = foldCase(content.settings.userName);
      if (names.has(name)) throw new RecordFailure('NAME-TAKEN');
      names.add(name);
    },
    merge: (item, stored) => mergedMachineUser(item, stored, { higher, ...context }),
  };
}

/**
 * The content after an update, which only deactivates.
 * @param of `higher`: the service users that have a role of the instance, or elsewhere: see {@link withHigherRole}
 * @throws RecordFailure
 */
function mergedMachineUser(
  { id, content }: MachineUserItem,
  stored: MachineUserItem['content'],
  {
    higher,
    isConfined = false,
  }: Pick<SectionContext, 'isConfined'> & { readonly higher: ReadonlySet<string> },
): MachineUserItem['content'] {
  const isEnded = stored.settings.active && !content.settings.active;
  if (isEnded && !higher.has(id)) {
    return { ...stored, settings: { ...stored.settings, active: false } };
  }
  const why = isEnded
    ? `an update deactivates no service user with a role ${isConfined ? 'outside of the organization' : 'of the instance'}`
    : 'an update does no more to a service user than deactivate it';
  throw otherContent(machineUserDifferences(stored, content), why);
}
