/** Fields that few users share a value of, so that their index finds a page faster than any order of reading. */
const identifyingFields = new Set([
  'externalId',
  ...['userName', 'displayName', 'familyName', 'givenName'].map((name) => `search.${name}`),
  ...['emails', 'emailsByType', 'phoneNumbers'].map((name) => `search.${name}`),
]);

/**
 * The index that a filter should be answered from, where it asks for one value of an identifying field. Left to
 * themselves some engines read a whole organization in the order of the answer until the page is full.
 */
export function hintFor(filter: Record<string, unknown> | undefined): Record<string, 1> | undefined {
  const field = filter && equalField(filter);
  return field === undefined ? undefined : { orgId: 1, [field]: 1 };
}

function equalField(filter: Record<string, unknown>): string | undefined {
  for (const [name, condition] of Object.entries(filter)) {
    if (typeof condition === 'string' && identifyingFields.has(name)) return name;
    if (name === '$and') {
      const found = (condition as Record<string, unknown>[]).map(equalField);
      return found.find((field) => field !== undefined);
    }
  }
  return undefined;
}
