import type { Comparison } from '../lists/section/section.js';
import { comparePart } from '../verify/compare-part.js';
import { finishVerification } from '../verify/finish-verification.js';
import type { ComparerDeps, ImportMode, PartComparer } from './mode.js';
import { rehearseMode } from './rehearse.js';
import { reservingRecords } from './reserving-records.js';

/** Records that are compared at a time. What they take is garbage while it is young. */
const sliceLength = 250;

/**
 * A verification: a dry run that compares each record with the service, and looks for what the file does not have. The parts of one phase
 * are compared at once, so they know only of records of earlier phases. It adds nothing, so no quota matters.
 */
export const verifyMode: ImportMode = {
  ...rehearseMode,
  isInOrder: false,
  // The file has the same digest whether or not the service can have its organizations.
  readsRefused: true,
  namesAsGiven: true,
  sliceOf: ({ comparedAtOnce }) => (comparedAtOnce === undefined ? undefined : sliceLength),
  reserve(deps, { part: { stagingId }, details: { orgId }, section }) {
    const scope = orgId === undefined ? {} : { orgId };
    const sections = deps.importSections.before(section.phase);
    return {
      findReserved: (names) => deps.importResults.findReserved(stagingId, names, { sections }),
      findReservingRecords: async (names, key = section.key) =>
        sections.includes(key)
          ? reservingRecords(deps, { stagingId, ...scope }, { names, section: key })
          : [],
    };
  },
  compare: createComparer,
  async admit(_deps, _part, { count }, commit) {
    await commit(count);
  },
  note: ({ comparison, ...plan }) => ({ ...rehearseMode.note(plan), ...(comparison && { comparison }) }),
  finish: finishVerification,
  done: 'compared',
  // After its last record, a verification still looks for what the file does not have.
  isWhole: ({ verified }) => verified !== undefined,
};

function createComparer(
  { recordSums }: ComparerDeps,
  { list, orgId }: { readonly list: string; readonly orgId: string },
): PartComparer {
  const comparisons = new Map<number, Comparison>();
  return {
    listen: (placeOf) => (record, comparison) => comparisons.set(placeOf(record), comparison),
    end: (records, outcomes) => comparePart(recordSums, { list, orgId, records, outcomes, comparisons }),
  };
}
