import type { Comparison, Outcome } from '../import/sections/section.js';
import { organizationKey } from '../import/sections/section-keys.js';
import { canonicalJson, keyBytes, RecordSum } from './record-digest.js';
import { withoutPasswords } from './without-passwords.js';

/** The number of records of a list by what a verification found. The names are those of the report. */
export interface VerifiedCounts {
  /** The service has the record as the file says. */
  readonly same: number;
  /** The service does not have the record. */
  readonly missing: number;
  /** The service has the record with other values. */
  readonly different: number;
  /** The service could not have the record. */
  readonly refused: number;
}

/** What a verification found in one part. */
export interface PartComparison extends VerifiedCounts {
  /** Sum of the records of the file: see {@link RecordSum}. */
  readonly source: Buffer;
  /** Sum of what the service has for them. */
  readonly target: Buffer;
  /** The keys of the records that the service has, `keyBytes` of each. */
  readonly matched: Buffer;
}

/**
 * Sums up the records of a part.
 * @param part `list`: the key of their section. `comparisons`: by the place of their record; absent for a record that was not compared
 */
export function comparePart(part: {
  readonly list: string;
  readonly orgId: string;
  readonly records: readonly { readonly value?: unknown }[];
  readonly outcomes: readonly Outcome[];
  readonly comparisons?: ReadonlyMap<number, Comparison>;
}): PartComparison {
  const { list, orgId, records, outcomes, comparisons = new Map<number, Comparison>() } = part;
  const counts = { same: 0, missing: 0, different: 0, refused: 0 };
  const [source, target] = [new RecordSum(), new RecordSum()];
  // What both sides have is hashed once.
  const common = new RecordSum();
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
      common.add(given);
      continue;
    }
    counts[verdict] += 1;
    const stored = found === undefined ? undefined : text(found.stored);
    if (verdict === 'same' && stored === given) {
      common.add(given);
    } else {
      source.add(given);
      if (verdict === 'same') target.add(stored ?? `${given}\0not compared`);
      // A difference that the content does not show is a difference nevertheless.
      if (verdict === 'different')
        target.add(stored === given ? `${given}\0differs` : (stored ?? text(undefined)));
    }
    if (verdict === 'same' || verdict === 'different') {
      matched.push(keyBytes({ list, orgId, key: found?.storedKey ?? key }));
    }
  }
  source.addBytes(common.bytes());
  target.addBytes(common.bytes());
  return { ...counts, source: source.bytes(), target: target.bytes(), matched: Buffer.concat(matched) };
}

function verdictOf(outcome: Outcome): keyof VerifiedCounts {
  if (outcome.kind === 'skipped') return 'same';
  if (outcome.kind === 'created') return 'missing';
  return outcome.kind === 'failed' && outcome.code === 'OTHER-CONTENT' ? 'different' : 'refused';
}
