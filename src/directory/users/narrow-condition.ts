/** Fields that few users share a value of. */
const identifyingFields = new Set([
  'externalId',
  ...['userName', 'displayName', 'familyName', 'givenName', 'emails', 'emailsByType', 'phoneNumbers'].flatMap(
    (name) => [`search.${name}`, `search.${name}Reversed`],
  ),
]);

/** A condition that likely leaves few users: one value of an identifying field, or a range of its values. */
export interface NarrowCondition {
  readonly field: string;
  readonly exact: boolean;
}

/** The first condition of a filter that likely leaves few users; undefined when there is none. */
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

/** Bounds, or a pattern that begins at the beginning: what "starts with" and "ends with" become. */
function isRange(condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return false;
  const { $gte, $regex } = condition as { $gte?: unknown; $regex?: unknown };
  return typeof $gte === 'string' || (typeof $regex === 'string' && $regex.startsWith('^'));
}
