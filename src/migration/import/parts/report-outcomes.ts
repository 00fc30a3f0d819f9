import type { ImportSection, Outcome } from '../lists/section/section.js';
import type { ImportPart, PartCounts } from '../stores/import-parts.store.js';
import type { PartResult, ReportedError } from '../stores/import-results.store.js';

/** The counts of a part without records. */
export const noCounts: PartCounts = { created: 0, updated: 0, skipped: 0, failed: 0 };

/** Counts the outcomes of a part by kind. */
export function countOutcomes(outcomes: readonly Outcome[]): PartCounts {
  const counts = { ...noCounts };
  for (const { kind } of outcomes) counts[kind] += 1;
  return counts;
}

/** Returns what the report says of a part: the created records, and an error for each record that failed. */
export function reportOutcomes(
  outcomes: readonly Outcome[],
  { part, section }: { part: ImportPart; section: ImportSection },
): PartResult {
  const errors = outcomes.flatMap((outcome, index): ReportedError[] => {
    if (outcome.kind !== 'failed') return [];
    const { id, type = section.errorType, code, message, place, identifiers } = outcome;
    // A record without an identifier is named by its number in the list.
    const number = id === '' ? ` (${section.key} ${part.first + index})` : '';
    const named = identifiers !== undefined && Object.keys(identifiers).length > 0 && { identifiers };
    return [{ type, id, message: `${code}: ${message}${number}`, ...place, ...named }];
  });
  const created = outcomes.flatMap(({ kind, id }) => (kind === 'created' ? [id] : []));
  return { partId: part.id, org: part.org, section: part.section, created, errors };
}
