import type { ImportPart } from '../stores/import-parts.store.js';
import { numberedId } from '../stores/numbered-ids.js';

/** Returns a part for each record of a part. Their identifiers sort where the identifier of the whole part sorts. */
export function splitPart(part: ImportPart): ImportPart[] {
  if (part.orgs > 0) {
    return Array.from({ length: part.orgs }, (_, index) => ({
      ...part,
      id: numberedId(part.id, index),
      org: part.org + index,
      first: part.first + index,
      orgs: 1,
      count: Math.min(part.count, 1),
    }));
  }
  return part.ranges.map((range, index) => ({
    ...part,
    id: numberedId(part.id, index),
    first: part.first + index,
    ranges: [range],
    count: 1,
  }));
}
