/** The identifier of something of a text by its place there; numbers of up to nine digits sort as texts. */
export function numberedId(textId: string, number: number): string {
  return `${textId}.${String(number).padStart(9, '0')}`;
}

/** All identifiers that {@link numberedId} makes of a text, and of what those are split into. */
export function numberedIdsOf(textId: string): { $gte: string; $lt: string } {
  return { $gte: `${textId}.`, $lt: `${textId}/` };
}
