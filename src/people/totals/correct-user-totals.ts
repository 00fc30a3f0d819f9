import {
  type CountFactors,
  type EachOrganizationDeps,
  inEachOrganization,
  type UserTotalsStore,
} from '#src/organizations/index.js';

interface CorrectUserTotalsDeps extends EachOrganizationDeps {
  readonly userTotals: Pick<UserTotalsStore, 'correct' | 'correctFactors'>;
  readonly accounts: { readonly countFactors: CountFactors };
}

/**
 * Counts the users of every organization, and those of each class of factors, and corrects the totals that differ. Each of these is logged as an
 * error, because no change of this version of Muster leaves a total wrong.
 * @param options `begins`: organizations without a total get one. Set it when no process of a version without totals is left
 * @returns the number of corrected totals
 */
export async function correctUserTotals(
  deps: CorrectUserTotalsDeps,
  { begins = false }: { begins?: boolean } = {},
): Promise<number> {
  let corrected = 0;
  await inEachOrganization(
    deps,
    'the total of the users of an organization was not checked',
    async (orgId) => {
      const { stored, counted } = await deps.userTotals.correct(orgId, { begins });
      if (stored !== undefined && stored !== counted) {
        corrected++;
        deps.logger.error({ orgId, stored, counted }, 'the total of the users of an organization was wrong');
      }
      const count = deps.accounts.countFactors;
      if (await deps.userTotals.correctFactors(orgId, { begins, count })) {
        corrected++;
        deps.logger.error({ orgId }, 'the numbers of users by their factors were wrong');
      }
      return true;
    },
  );
  return corrected;
}
