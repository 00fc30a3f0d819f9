const unitMs: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  μs: 0.001,
  ns: 0.000_001,
};

/** The longest timeout in milliseconds: three days. Staged data expires after seven. */
const longest = 3 * 24 * 3_600_000;

/**
 * Returns the milliseconds of a duration in the notation of Go, such as `30s`, `1.5h` or `1h30m0s`. Returns undefined
 * for any other text, for 0 and less, and for more than three days.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64 || !/^\+?(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|[\u00b5\u03bc]s|ns))+$/.test(text))
    return undefined;
  let sum = 0;
  for (const [, number, unit = ''] of text.matchAll(/(\d+\.?\d*|\.\d+)(h|ms|m|s|us|[\u00b5\u03bc]s|ns)/g)) {
    sum += Number(number) * (unitMs[unit] ?? 0);
  }
  return sum > 0 && sum <= longest ? sum : undefined;
}
