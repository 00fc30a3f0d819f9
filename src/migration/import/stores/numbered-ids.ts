/** Returns `{textId}.{number}`, with nine digits, so that the identifiers of one text sort by their numbers. */
export function numberedId(textId: string, number: number): string {
  return `${textId}.${String(number).padStart(9, '0')}`;
}

/** Selects the identifiers that {@link numberedId} makes of a text, and those of its split parts. */
export function numberedIdsOf(textId: string): { $gte: string; $lt: string } {
  return { $gte: `${textId}.`, $lt: `${textId}/` };
}
