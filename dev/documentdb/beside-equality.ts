import { BSON } from 'bson';
import { encode } from './wire.js';

/**
 * Rewrites regular expressions for a field beside an equality of the same field. The engine looks the equality up in an index
 * and then leaves the expression out. It evaluates the double negation, which means the same.
 * @param spec a command document. Those of `find`, `count` and `distinct` have one query, and that of `aggregate` has stages
 * @returns the same bytes if nothing is to be rewritten
 */
export function keepExpressions(spec: Buffer): Buffer {
  if (!spec.includes('$regex')) return spec;
  const command = BSON.deserialize(spec, { promoteValues: false, bsonRegExp: true });
  let isChanged = false;
  const rewritten = (query: unknown): unknown => {
    if (!isDocument(query)) return query;
    const kept = keepIn(query, new Set());
    isChanged ||= kept !== query;
    return kept;
  };
  for (const name of ['filter', 'query']) {
    if (name in command) command[name] = rewritten(command[name]);
  }
  const { pipeline } = command;
  if (Array.isArray(pipeline)) {
    command['pipeline'] = pipeline.map((stage) =>
      isDocument(stage) && '$match' in stage ? { ...stage, $match: rewritten(stage['$match']) } : stage,
    );
  }
  return isChanged ? encode(command) : spec;
}

/** The query with its expressions rewritten. The same object if it has none. @param outer fields that must equal something besides */
function keepIn(query: BSON.Document, outer: ReadonlySet<string>): BSON.Document {
  const fields = new Set([...outer, ...equalFields(query)]);
  const negated: BSON.Document[] = [];
  const kept: BSON.Document = {};
  let isChanged = false;
  for (const [key, value] of Object.entries(query)) {
    if (isList(key, value)) {
      const operands = value.map((operand) => keepIn(operand, fields));
      isChanged ||= operands.some((operand, at) => operand !== value[at]);
      kept[key] = operands;
    } else if (fields.has(key) && isDocument(value) && '$regex' in value) {
      negated.push({ $nor: [{ [key]: { $not: value } }] });
    } else kept[key] = value;
  }
  if (negated.length === 0) return isChanged ? kept : query;
  return { ...kept, $and: [...((kept['$and'] as BSON.Document[] | undefined) ?? []), ...negated] };
}

/** The fields that must equal something, also within further conjunctions. */
function equalFields(query: BSON.Document): string[] {
  return Object.entries(query).flatMap(([key, value]) => {
    if (key === '$and' && isList(key, value)) return value.flatMap(equalFields);
    const isEqual = typeof value === 'string' || (isDocument(value) && ('$eq' in value || '$in' in value));
    return isEqual && !key.startsWith('$') ? [key] : [];
  });
}

function isList(key: string, value: unknown): value is BSON.Document[] {
  return ['$and', '$or', '$nor'].includes(key) && Array.isArray(value) && value.every(isDocument);
}

function isDocument(value: unknown): value is BSON.Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
