import type { ImportPart } from '../stores/import-parts.store.js';
import { numberedId } from '../stores/numbered-ids.js';

/** A part of each record; their identifiers sort in the place of the whole. */
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
  return part.places.map((place, index) => ({
    ...part,
    id: numberedId(part.id, index),
    first: part.first + index,
    places: [place],
    count: 1,
  }));
}
