/** Fields in which few users share a value. */
const identifyingFields = new Set([
  'externalId',
  'search.attributes',
  ...['userName', 'displayName', 'familyName', 'givenName', 'emails', 'emailsByType', 'phoneNumbers'].flatMap(
    (name) => [`search.${name}`, `search.${name}Reversed`],
  ),
]);

/** A condition that probably matches few users: one value of an identifying field, or a range of its values. */
export interface NarrowCondition {
  readonly field: string;
  readonly exact: boolean;
}

/** Returns the first condition of a filter that probably matches few users, or undefined if there is none. */
export function narrowCondition(filter: Record<string, unknown> | undefined): NarrowCondition | undefined {
  for (const [name, condition] of Object.entries(filter ?? {})) {
    if (name === '$and') {
      for (const part of condition as Record<string, unknown>[]) {
        const found = narrowCondition(part);
        if (found !== undefined) return found;
      }
    } else if (identifyingFields.has(name)) {
      if (typeof condition === 'string') return { field: name, exact: true };
      if (isRange(condition)) return { field: name, exact: false };
    }
  }
  return undefined;
}

/**
 * Returns whether the condition is a lower bound, or a pattern that is anchored at the start. The filters "starts with"
 * and "ends with" become these.
 */
function isRange(condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return false;
  const { $gte, $regex } = condition as { $gte?: unknown; $regex?: unknown };
  return typeof $gte === 'string' || (typeof $regex === 'string' && $regex.startsWith('^'));
}
