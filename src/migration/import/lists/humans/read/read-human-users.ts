import { newOrganization } from '../../organizations/new-organization.js';
import { failedOutcome } from '../../section/record-failure.js';
import { reservedName } from '../../section/reservations.js';
import type { Outcome, SectionContext } from '../../section/section.js';
import type { SectionDeps } from '../../section/section-deps.js';
import { organizationKey } from '../../section/section-keys.js';
import {
  type HumanUserInput,
  idOfHumanUser,
  type RulesOfUsers,
  readHumanUser,
  requireComplete,
} from './human-user-input.js';

/** The records of a part, as far as they could be read, and the rules that they were read by. */
interface ReadUsers {
  readonly rules: RulesOfUsers | undefined;
  /** One for each record. An outcome stands for a record that broke a rule. */
  readonly inputs: readonly (HumanUserInput | Outcome)[];
}

/** Reads the records of a part by the rules of the organization. */
export async function readHumanUsers(
  deps: Pick<SectionDeps, 'caches'>,
  records: readonly unknown[],
  context: SectionContext,
): Promise<ReadUsers> {
  const rules = await rulesOf(deps, context);
  const read = (record: unknown): HumanUserInput | Outcome => {
    try {
      const input = readHumanUser(record, context, rules);
      // A user that exists has what the record of an update leaves out.
      if (!context.update) requireComplete(input, context, rules);
      return input;
    } catch (error) {
      return failedOutcome(error, idOfHumanUser(record));
    }
  };
  return { rules, inputs: records.map(read) };
}

/** Whether the record could be read. */
export function isRead(input: HumanUserInput | Outcome): input is HumanUserInput {
  return 'profile' in input;
}

/** The organization. If a dry run would add it, the one of its record. */
async function rulesOf(
  { caches }: Pick<SectionDeps, 'caches'>,
  { orgId, findReservingRecords }: SectionContext,
): Promise<RulesOfUsers | undefined> {
  const organization = await caches.organizations.get(orgId);
  if (organization !== undefined) return organization;
  const [record] = await findReservingRecords([reservedName.org(orgId)], organizationKey);
  return record === undefined ? undefined : newOrganization(orgId, record);
}
