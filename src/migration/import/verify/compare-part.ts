import { type PartComparison, sumOfSums, type VerifiedCounts } from '../../digest/part-comparison.js';
import { canonicalJson, isSameJson, keyBytes } from '../../digest/record-digest.js';
import type { RecordSums } from '../../digest/record-sums.js';
import type { Comparison, Outcome } from '../lists/section/section.js';
import { organizationKey } from '../lists/section/section-keys.js';
import { withoutPasswords } from './without-passwords.js';

/**
 * Sums up the records of a part.
 * @param part `list`: the key of their section. `comparisons`: by the place of their record; absent for a record that was not compared
 */
export async function comparePart(
  recordSums: Pick<RecordSums, 'of'>,
  part: {
    readonly list: string;
    readonly orgId: string;
    readonly records: readonly { readonly value?: unknown }[];
    readonly outcomes: readonly Outcome[];
    readonly comparisons?: ReadonlyMap<number, Comparison>;
  },
): Promise<PartComparison> {
  const { list, orgId, records, outcomes, comparisons = new Map<number, Comparison>() } = part;
  const counts = { same: 0, missing: 0, different: 0, refused: 0 };
  const [ofSource, ofTarget]: [string[], string[]] = [[], []];
  // What both sides have is summed up once.
  const ofBoth: string[] = [];
  const matched: Buffer[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const found = comparisons.get(index);
    const verdict = verdictOf(outcome);
    const key = found?.key ?? outcome.id;
    const text = (content: unknown) => `${list}\0${orgId}\0${key}\0${canonicalJson(content)}`;
    // Whatever was not read into a form without its password.
    const given = text(found === undefined ? withoutPasswords(records[index]?.value) : found.given);
    // An organization of the external form only says where its lists belong.
    if (list === organizationKey && verdict === 'same' && found === undefined) {
      ofBoth.push(given);
      continue;
    }
    counts[verdict] += 1;
    if (verdict === 'same' || verdict === 'different') {
      matched.push(keyBytes({ list, orgId, key: found?.storedKey ?? key }));
    }
    // Most records are the same. Their stored objects have no other text, so none is made.
    if (verdict === 'same' && found !== undefined && isSame(found)) {
      ofBoth.push(given);
      continue;
    }
    const stored = found === undefined ? undefined : text(found.stored);
    if (verdict === 'same' && stored === given) {
      ofBoth.push(given);
      continue;
    }
    ofSource.push(given);
    if (verdict === 'same') ofTarget.push(stored ?? `${given}\0not compared`);
    // A difference that the content does not show is a difference nevertheless.
    if (verdict === 'different')
      ofTarget.push(stored === given ? `${given}\0differs` : (stored ?? text(undefined)));
  }
  const [both, onlySource, onlyTarget] = await Promise.all([ofBoth, ofSource, ofTarget].map(recordSums.of));
  return {
    ...counts,
    source: sumOfSums([both, onlySource]),
    target: sumOfSums([both, onlyTarget]),
    matched: Buffer.concat(matched),
  };
}

function isSame({ given, stored, isSame = isSameJson(given, stored) }: Comparison): boolean {
  return isSame;
}

function verdictOf(outcome: Outcome): keyof VerifiedCounts {
  if (outcome.kind === 'skipped') return 'same';
  if (outcome.kind === 'created') return 'missing';
  return outcome.kind === 'failed' && outcome.code === 'OTHER-CONTENT' ? 'different' : 'refused';
}
