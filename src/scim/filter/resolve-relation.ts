import type { AnyRelatedCondition, RelatedCondition, ResourceQuery } from '#src/people/queries/index.js';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';

/** A filter names at most so many related resources. Each needs a look-up. */
const mostLookUps = 10;
/** The most identifiers that the look-ups of one filter find together. */
export const mostFound = 10_000;

/**
 * Finds the resources that are related to one, or to any if none is given.
 * @param among if given, only these matter
 */
type FindRelated = (
  id: string | undefined,
  among: readonly string[] | undefined,
) => Promise<readonly string[]>;

/** Whether a condition needs a look-up that reads every membership of the organization. */
export function readsMemberships(query: ResourceQuery | undefined): boolean {
  switch (query?.kind) {
    case 'and':
    case 'or':
      return query.operands.some(readsMemberships);
    case 'not':
      return readsMemberships(query.operand);
    default:
      return query?.kind === 'anyRelated';
  }
}

/**
 * Replaces the conditions on related resources by conditions on the identifier, which a store can test.
 * @throws AppError `scim.filterTooCostly`, `scim.filterUnsupported`
 */
export async function resolveRelation(
  query: ResourceQuery | undefined,
  relation: RelatedCondition['relation'],
  find: FindRelated,
): Promise<ResourceQuery | undefined> {
  let left = mostLookUps;
  let room = mostFound;
  const known = new Map<string, Promise<readonly string[]>>();

  async function resolve(one: ResourceQuery, among?: readonly string[]): Promise<ResourceQuery> {
    switch (one.kind) {
      case 'and':
      case 'or': {
        const some = one.kind === 'and' ? (namedId(one.operands) ?? among) : among;
        return { kind: one.kind, operands: await inTurn(one.operands, (part) => resolve(part, some)) };
      }
      case 'not':
        return { kind: 'not', operand: await resolve(one.operand, among) };
      case 'related':
      case 'unrelated':
      case 'anyRelated':
        return lookUp(one, among);
      default:
        return one;
    }
  }

  async function lookUp(
    one: RelatedCondition | AnyRelatedCondition,
    among: readonly string[] | undefined,
  ): Promise<ResourceQuery> {
    const { kind, written } = one;
    if (left-- <= 0) {
      const detail = `A filter names ${relation} at most ${mostLookUps} times`;
      throw new AppError(scimErrors.filterTooCostly, { detail });
    }
    const id = one.kind === 'anyRelated' ? undefined : one.id;
    const key = JSON.stringify([id ?? null, among ?? null]);
    const found = known.get(key) ?? find(id, among);
    known.set(key, found);
    const values = [...(await found)];
    room -= values.length;
    if (room < 0) {
      const detail = `The conditions on ${relation} select more than ${mostFound} resources together`;
      throw new AppError(scimErrors.filterTooCostly, { detail });
    }
    return { kind: kind === 'unrelated' ? 'noneOf' : 'oneOf', field: '_id', values, written };
  }

  return query && resolve(query);
}

/** The identifier that one of the conditions names. No other resource can meet all of them. */
function namedId(conditions: readonly ResourceQuery[]): readonly string[] | undefined {
  for (const condition of conditions) {
    const isId = condition.kind === 'equal' && condition.field === '_id';
    if (isId) return [String(condition.value)];
  }
  return undefined;
}

async function inTurn(
  parts: readonly ResourceQuery[],
  work: (part: ResourceQuery) => Promise<ResourceQuery>,
): Promise<ResourceQuery[]> {
  const done: ResourceQuery[] = [];
  for (const part of parts) done.push(await work(part));
  return done;
}
