const shape = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Parses a timestamp of RFC 3339 section 5.6. Undefined if it is malformed or names a day that does not exist. */
export function parseDateTime(text: string): Date | undefined {
  const [, year, month, day] = shape.exec(text) ?? [];
  if (year === undefined) return undefined;
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const instant = new Date(text.toUpperCase());
  return midnight.getUTCDate() === Number(day) && !Number.isNaN(instant.getTime()) ? instant : undefined;
}
