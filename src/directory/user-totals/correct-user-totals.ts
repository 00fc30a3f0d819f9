import type { Logger } from '#src/platform/logger.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { OrganizationsStore } from '../organizations/organizations.store.js';
import type { UserTotalsStore } from './user-totals.store.js';

export interface CorrectUserTotalsDeps {
  readonly organizations: Pick<OrganizationsStore, 'page'>;
  readonly userTotals: Pick<UserTotalsStore, 'correct'>;
  readonly logger: Logger;
}

const atOnce = 100;

/**
 * Counts the users of every organization, and corrects the totals that differ. Each of these is logged as an error, because no
 * change of this version of Muster leaves a total wrong.
 * @param options `begins`: organizations without a total get one. Set it when no process of a version without totals is left
 * @returns the number of corrected totals
 */
export async function correctUserTotals(
  { organizations, userTotals, logger }: CorrectUserTotalsDeps,
  { begins = false }: { begins?: boolean } = {},
): Promise<number> {
  let corrected = 0;
  let after: string | undefined;
  for (;;) {
    const page = await organizations.page({ ...(after !== undefined && { after }), limit: atOnce });
    for (const { id: orgId } of page) {
      try {
        const { stored, counted } = await userTotals.correct(orgId, { begins });
        if (stored === undefined || stored === counted) continue;
        corrected++;
        logger.error({ orgId, stored, counted }, 'the total of the users of an organization was wrong');
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        logger.error({ err: error, orgId }, 'the total of the users of an organization was not checked');
      }
    }
    after = page.at(-1)?.id;
    if (page.length < atOnce) return corrected;
  }
}
