import { joinComparisons } from '../../digest/part-comparison.js';
import { LossCount } from '../records/find-losses.js';
import { type ConfinedRecordsDeps, openConfinedRecords } from '../records/read-confined-records.js';
import type { ClaimedPart } from './claimed-part.js';
import { type PartPlan, type PlanPartDeps, planPart } from './plan-part.js';

type PlanSlicesDeps = PlanPartDeps & ConfinedRecordsDeps;

/** One slice is looked up while another is compared. */
const slicesAtOnce = 2;

/**
 * Plans the records of a part, some at a time. Only for sections that compare each record by itself: those with `comparedAtOnce`.
 * @param of `orgId`: the organization that has the records. `sliceLength`: the records of a slice
 */
export async function planSlices(
  deps: PlanSlicesDeps,
  claimed: ClaimedPart,
  { orgId, sliceLength }: { readonly orgId: string; readonly sliceLength: number },
): Promise<PartPlan> {
  const { length } = claimed.part.ranges;
  const read = await openConfinedRecords(deps, claimed.details, claimed.part);
  const plans: PartPlan[] = [];
  let next = 0;
  const lane = async () => {
    for (let from = next; from < length; from = next) {
      next = from + sliceLength;
      const records = await read(from, from + sliceLength);
      plans[from / sliceLength] = await planPart(deps, claimed, { records, orgId });
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: slicesAtOnce }, () =>
      lane().catch((error: unknown) => {
        // The part is tried again, so the other lane ends too.
        next = length;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return joinPlans(plans, sliceLength);
}

function joinPlans(plans: readonly PartPlan[], sliceLength: number): PartPlan {
  const losses = new LossCount();
  for (const plan of plans) for (const loss of plan.losses ?? []) losses.add(loss);
  return {
    outcomes: plans.flatMap(({ outcomes }) => outcomes),
    losses: losses.list(),
    aliases: plans.flatMap(({ aliases = [] }) => aliases),
    reservations: plans.flatMap(({ reservations = [] }, slice) =>
      reservations.map(({ record, names }) => ({ record: slice * sliceLength + record, names })),
    ),
    comparison: joinComparisons(plans.flatMap(({ comparison = [] }) => comparison)),
  };
}
