import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import type { Relation } from '../schema/search-rule.js';
import type { FilterQuery } from './text-query.js';

/** A filter names at most so many related resources. Each needs a look-up. */
const mostLookUps = 10;
/** The most identifiers that the look-ups of one filter find together. */
const mostFound = 10_000;

/**
 * Finds the resources that are related to one.
 * @param among if given, only these matter
 */
type FindRelated = (id: string, among: readonly string[] | undefined) => Promise<readonly string[]>;

/**
 * Replaces the conditions on related resources, such as `{ 'members.value': 'u1' }`, by conditions on the identifier. No stored
 * document has these fields.
 * @throws AppError `scim.filterTooCostly`, `scim.filterUnsupported`
 */
export async function resolveRelation(
  query: FilterQuery | undefined,
  relation: Relation,
  find: FindRelated,
): Promise<FilterQuery | undefined> {
  const field = `${relation}.value`;
  let left = mostLookUps;
  let room = mostFound;

  async function resolve(one: FilterQuery, among?: readonly string[]): Promise<FilterQuery> {
    const resolved: FilterQuery = {};
    const conditions: FilterQuery[] = [];
    const own = typeof one['_id'] === 'string' ? [one['_id']] : among;
    for (const [name, value] of Object.entries(one)) {
      if (name === field) conditions.push(await lookUp(value, own));
      else if (name === '$and') {
        const parts = value as FilterQuery[];
        const id = parts.map((part) => part['_id']).find((known) => typeof known === 'string');
        const named = typeof id === 'string' ? [id] : own;
        resolved[name] = await inTurn(parts, (part) => resolve(part, named));
      } else if (name === '$or' || name === '$nor') {
        resolved[name] = await inTurn(value as FilterQuery[], (part) => resolve(part, own));
      } else resolved[name] = value;
    }
    if (conditions.length === 0) return resolved;
    const [only] = conditions;
    return Object.keys(resolved).length === 0 && only !== undefined && conditions.length === 1
      ? only
      : { $and: [resolved, ...conditions] };
  }

  async function lookUp(condition: unknown, among: readonly string[] | undefined): Promise<FilterQuery> {
    const isNegative = typeof condition === 'object' && condition !== null && '$ne' in condition;
    const id = isNegative ? condition.$ne : condition;
    if (typeof id !== 'string')
      throw new AppError(scimErrors.filterUnsupported, { detail: `${relation} does not support pr` });
    if (left-- <= 0) {
      const detail = `A filter compares ${field} at most ${mostLookUps} times`;
      throw new AppError(scimErrors.filterTooCostly, { detail });
    }
    const found = [...(await find(id, among))];
    room -= found.length;
    if (room < 0) {
      const detail = `The conditions on ${field} select more than ${mostFound} resources together`;
      throw new AppError(scimErrors.filterTooCostly, { detail });
    }
    return { _id: isNegative ? { $nin: found } : { $in: found } };
  }

  return query && resolve(query);
}

async function inTurn(
  parts: readonly FilterQuery[],
  work: (part: FilterQuery) => Promise<FilterQuery>,
): Promise<FilterQuery[]> {
  const done: FilterQuery[] = [];
  for (const part of parts) done.push(await work(part));
  return done;
}
