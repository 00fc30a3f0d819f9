import { BSON } from 'bson';
import { type Call, element } from './call.js';
import { CommandError } from './errors.js';
import type { PgPool } from './pg-pool.js';
import { STATEMENTS } from './statements.js';

/** Operators that no document without the field satisfies. */
const needingValue = new Set([
  '$eq',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$regex',
  '$type',
  '$elemMatch',
  '$all',
]);

/**
 * Refuses a read whose hint names a partial index that may lack documents which the query finds. A server has no plan for
 * it; the engine would just not find them.
 * @throws CommandError
 */
export async function requireUsableHint(pool: PgPool, call: Call): Promise<void> {
  const hint = element(call, 'hint');
  if (hint?.type !== 0x02) return;
  const { hint: name, filter, pipeline } = BSON.deserialize(call.spec);
  const [row] = await pool.run(STATEMENTS.indexByName, [call.db, call.target, String(name)]);
  const partialFilter = row?.[1];
  if (!partialFilter) return;
  const query: BSON.Document = filter ?? pipeline?.[0]?.$match ?? {};
  for (const [field, condition] of Object.entries(BSON.deserialize(partialFilter))) {
    if (!conditionsOn(query, field).some((one) => implies(one, condition)))
      throw new CommandError(
        291,
        `no plan: the query may find documents that the partial index ${name} lacks`,
      );
  }
}

/** The conditions on a field that each found document fulfils. */
function conditionsOn(query: BSON.Document, field: string): unknown[] {
  const parts = (query['$and'] ?? []) as BSON.Document[];
  const own = field in query ? [query[field]] : [];
  return [...own, ...parts.flatMap((part) => conditionsOn(part, field))];
}

function implies(condition: unknown, wanted: unknown): boolean {
  const isPresence = typeof wanted === 'object' && wanted !== null && '$exists' in wanted;
  if (!isPresence) return BSON.EJSON.stringify(condition) === BSON.EJSON.stringify(wanted);
  if (condition === null || condition === undefined) return false;
  if (typeof condition !== 'object' || condition instanceof Date || condition instanceof BSON.BSONRegExp)
    return true;
  return Object.entries(condition).some(([operator, value]) =>
    operator === '$exists'
      ? value === true
      : needingValue.has(operator) && value !== null && !(Array.isArray(value) && value.includes(null)),
  );
}
