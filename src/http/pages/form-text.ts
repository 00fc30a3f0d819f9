/** Longest value of a form or a query, in characters. */
const maxText = 4_000;

/**
 * One value of a form or a query. It is '' when the value is absent or repeated, and cut at a length that no
 * accepted value reaches.
 */
export function formText(source: unknown, name: string): string {
  const fields = (source ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value.slice(0, maxText) : '';
}
