import { orEmpty, usableText } from '#src/directory/index.js';
import type { JsonSchema } from '#src/http/base/description.js';
import { type Attribute, isWritten, subAttributeOf } from '../schema/attribute.js';

/** The usual most values of a list in a request. */
const mostValues = 200;

/** An attribute as a response has it. */
function attributeInResponse(attribute: Attribute): JsonSchema {
  const { multiValued, description } = attribute;
  if (!multiValued) return { ...valueInResponse(attribute), description };
  return { type: 'array', description, items: valueInResponse(attribute) };
}

/** The sub-attributes of a complex attribute, or the attributes of a resource, as a response has them. */
export function partsInResponse(attributes: readonly Attribute[]): Record<string, JsonSchema> {
  const returned = attributes.filter((attribute) => attribute.returned !== 'never');
  return Object.fromEntries(returned.map((one) => [one.name, attributeInResponse(one)]));
}

function valueInResponse({ type, description, canonicalValues, subAttributes = [] }: Attribute): JsonSchema {
  if (type === 'complex') {
    const required = subAttributes.filter((sub) => sub.required).map(({ name }) => name);
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: partsInResponse(subAttributes),
      additionalProperties: false,
    };
  }
  return {
    type: jsonTypes[type],
    ...(type === 'dateTime' && { format: 'date-time' }),
    description,
    ...(canonicalValues && { examples: canonicalValues }),
  };
}

/**
 * An attribute as a request may have it. Null and an empty text unassign it (RFC 7643 section 2.5). In a list they are no value.
 */
function attributeInRequest(attribute: Attribute): JsonSchema {
  const { multiValued, description, most = mostValues } = attribute;
  const value = valueInRequest(attribute);
  if (!multiValued) return { ...value, description };
  return { type: ['array', 'null', 'string'], description, maxItems: most, ...emptyText, items: value };
}

/** The attributes that a client may write, as a request has them. */
export function partsInRequest(attributes: readonly Attribute[]): Record<string, JsonSchema> {
  return Object.fromEntries(attributes.filter(isWritten).map((one) => [one.name, attributeInRequest(one)]));
}

function valueInRequest(attribute: Attribute): JsonSchema {
  const { type, multiValued, required, canonicalValues } = attribute;
  const { shape = usableText } = attribute;
  if (type === 'complex') return objectInRequest(attribute);
  if (type === 'boolean') return booleanInRequest;
  if (type === 'integer' || type === 'decimal') return { type: [jsonTypes[type], 'string', 'null'] };
  const isNeeded = required && !multiValued;
  return {
    type: [
      'string',
      ...(takesNumbers(attribute) ? ['number', 'boolean'] : []),
      ...(isNeeded ? [] : ['null']),
    ],
    ...(takesNumbers(attribute) && largestNumbers),
    ...(type === 'dateTime' && { format: 'date-time' }),
    ...(isNeeded ? shape : orEmpty(shape)),
    ...(canonicalValues && { examples: canonicalValues }),
  };
}

/** Whether the attribute takes the text of any number and of a boolean, which some clients send. */
function takesNumbers({ type, shape = usableText }: Attribute): boolean {
  const { pattern = '', minLength = 0 } = shape;
  return type !== 'dateTime' && minLength <= 1 && new RegExp(pattern, 'u').test('1');
}

/** JSON parsers change the digits of larger numbers. */
const largestNumbers = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function objectInRequest(attribute: Attribute): JsonSchema {
  const { multiValued, subAttributes = [], bareValue, refusesIncomplete } = attribute;
  const bare = bareValue ? ['string', 'number', 'boolean'] : [];
  const bounds = bareValue ? largestNumbers : {};
  if (refusesIncomplete) {
    const required = subAttributes.filter((sub) => sub.required).map(({ name }) => name);
    const { minLength } = subAttributeOf(attribute, 'value')?.shape ?? {};
    const properties = partsInRequest(subAttributes);
    return { type: [...bare, 'object'], ...bounds, ...(minLength && { minLength }), required, properties };
  }
  // A value of a list that lacks a required part is left out.
  const parts = multiValued ? subAttributes.map((sub) => ({ ...sub, required: false })) : subAttributes;
  if (bareValue) return { type: [...bare, 'object', 'null'], ...bounds, properties: partsInRequest(parts) };
  return { type: ['object', 'null', 'string'], ...emptyText, properties: partsInRequest(parts) };
}

/** In a whole resource, the empty text is the only one that may stand for a list or an object: it unassigns the attribute. */
export const emptyText = { maxLength: 0 };

/** Some clients write the words as texts, in any letter case. */
const booleanInRequest: JsonSchema = {
  type: ['boolean', 'string', 'null'],
  pattern: '^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])?$',
};

const jsonTypes: Readonly<Record<Exclude<Attribute['type'], 'complex'>, string>> = {
  string: 'string',
  reference: 'string',
  dateTime: 'string',
  boolean: 'boolean',
  integer: 'integer',
  decimal: 'number',
};
