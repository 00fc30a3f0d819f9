import { endingKey } from '#src/directory/index.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';
import { anyCasePattern, orderPattern } from './any-case.js';
import { groupPlanner, type QueryPlanner, userPlanner } from './plan.js';
import type { RangeCondition, ResourceQuery, TextCondition, ValueCondition } from './query.js';

/** A condition on a document of MongoDB, as plain data. */
export type DocumentCondition = Record<string, unknown>;

/** What a planner says about the fields of a collection. */
type Fields = Pick<QueryPlanner, 'keyOf' | 'endingOf'>;

/** What MongoDB calls the operators. */
const rangeOperators = { gt: '$gt', ge: '$gte', lt: '$lt', le: '$lte' } as const;

/** The condition on users that a query means. */
export const userCondition = (query: ResourceQuery): DocumentCondition => conditionOf(query, userPlanner);

/** The condition on groups that a query means. */
export const groupCondition = (query: ResourceQuery): DocumentCondition => conditionOf(query, groupPlanner);

/**
 * Returns plain data that is equal for two queries that mean the same, however the client spelled the names. Processes of different
 * versions agree on it.
 */
export function comparableForm(query: ResourceQuery, of: 'user' | 'group'): unknown {
  return of === 'user' ? userCondition(query) : groupCondition(query);
}

function conditionOf(query: ResourceQuery, fields: Fields): DocumentCondition {
  switch (query.kind) {
    case 'and':
      return { $and: query.operands.map((operand) => conditionOf(operand, fields)) };
    case 'or':
      return { $or: query.operands.map((operand) => conditionOf(operand, fields)) };
    case 'not':
      return { $nor: [conditionOf(query.operand, fields)] };
    case 'element': {
      const element = { [query.field]: { $elemMatch: conditionOf(query.where, fields) } };
      const key = fields.keyOf(query);
      return key === undefined ? element : { $and: [conditionOf(key, fields), element] };
    }
    case 'equal':
    case 'unequal':
      return valueCondition(query);
    case 'oneOf':
      return { [query.field]: { $in: query.values } };
    case 'noneOf':
      return { [query.field]: { $nin: query.values } };
    case 'range':
      return rangeCondition(query);
    case 'text':
      return textCondition(query, fields);
    case 'present':
      return { [query.field]: { $exists: true } };
    case 'all':
      return { _id: { $exists: true } };
    case 'none':
      return { _id: { $exists: false } };
    // No stored document has the fields of relations.
    case 'related':
      return { [`${query.relation}.value`]: query.id };
    case 'unrelated':
      return { [`${query.relation}.value`]: { $ne: query.id } };
    case 'composed':
      return conditionOf(query.where, fields);
    case 'anyRelated':
      return { [`${query.relation}.value`]: { $exists: true } };
  }
}

function rangeCondition({ field, operator, value, anyCase }: RangeCondition): DocumentCondition {
  if (anyCase) return { [field]: { $regex: orderPattern(operator, String(value)) } };
  return { [field]: { [rangeOperators[operator]]: value } };
}

// The end of the text. `$` would also match before a line feed at the end.
const end = '(?![\\s\\S])';

function valueCondition({ kind, field, value, anyCase }: ValueCondition): DocumentCondition {
  if (!anyCase) return { [field]: kind === 'equal' ? value : { $ne: value } };
  const equal = { [field]: { $regex: `^${anyCasePattern(String(value))}${end}` } };
  return kind === 'equal' ? equal : { $nor: [equal] };
}

function textCondition(condition: TextCondition, fields: Fields): DocumentCondition {
  const { match, field, texts, isList, anyCase } = condition;
  const [text = '', ...others] = texts;
  const isOne = others.length === 0 && !anyCase;
  // In a list, one value could meet the lower bound of a range and another value the upper bound. An anchored pattern must
  // match within one value. MongoDB also turns it into a range of the index.
  if (match === 'begins' && isOne && !isList) return { [field]: prefixRange(text) };
  const ending = match === 'ends' ? fields.endingOf(field) : undefined;
  if (ending !== undefined)
    return { [ending.field]: { $regex: `^${escapePattern(endingKey(ending.name, text))}` } };
  const pattern = anyOf(texts.map(anyCase ? anyCasePattern : escapePattern));
  const anchored = `${match === 'begins' ? '^' : ''}${pattern}${match === 'ends' ? end : ''}`;
  return { [field]: { $regex: anchored } };
}

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 1 ? patterns.join('') : `(?:${patterns.join('|')})`;
}

/** A regular expression that matches the text literally. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
