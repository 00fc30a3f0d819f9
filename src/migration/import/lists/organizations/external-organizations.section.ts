import { isJsonObject } from '#src/platform/json/json-object.js';
import { failedOutcome, RecordFailure } from '../section/record-failure.js';
import type { ImportSection, Outcome } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { organizationKey } from '../section/section-keys.js';

/** The organizations of the external form. Each one must exist already. */
export function externalOrganizationsSection({ caches }: Pick<SectionDeps, 'caches'>): ImportSection {
  const outcomeOf = async (record: unknown): Promise<Outcome> => {
    const orgId = isJsonObject(record) ? record['orgId'] : undefined;
    if (typeof orgId !== 'string' || orgId === '') {
      return failedOutcome(new RecordFailure('RECORD-INVALID', 'orgId is missing'), '');
    }
    const found = await caches.organizations.get(orgId);
    return found === undefined
      ? failedOutcome(new RecordFailure('ORG-NOT-FOUND'), orgId.slice(0, 200))
      : { kind: 'skipped', id: orgId };
  };
  return {
    key: organizationKey,
    errorType: 'org',
    phase: 0,
    forms: ['external'],
    async plan(records) {
      const outcomes: Outcome[] = [];
      // One after the other, so that a file of many organizations does not send as many queries at once.
      for (const record of records) outcomes.push(await outcomeOf(record));
      return { outcomes };
    },
  };
}
