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

/** No call may take longer, in milliseconds: three days, for what is staged is kept for seven. */
const longest = 3 * 24 * 3_600_000;

/**
 * Milliseconds of a duration in Go's form, such as `30s`, `1.5h` or `1h30m0s`; undefined when it is none, is not longer
 * than nothing or is longer than three days.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64 || !/^\+?(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|µs|μs|ns))+$/.test(text))
    return undefined;
  let sum = 0;
  for (const [, number, unit = ''] of text.matchAll(/(\d+\.?\d*|\.\d+)(h|ms|m|s|us|µs|μs|ns)/g)) {
    sum += Number(number) * (unitMs[unit] ?? 0);
  }
  return sum > 0 && sum <= longest ? sum : undefined;
}
