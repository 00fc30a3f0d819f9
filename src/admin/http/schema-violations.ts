import type { FastifySchemaValidationError } from 'fastify';
import { ruleId, type ValueRule } from '#src/directory/index.js';
import type { Violation, ViolationParams } from '#src/platform/errors.js';

type SchemaError = Pick<FastifySchemaValidationError, 'keyword' | 'instancePath' | 'message' | 'params'> & {
  readonly schemaPath: string;
};

/** The longest name of an unknown property that an error repeats, in characters. */
const longestName = 100;

/** What a schema refuses of a value, each place by itself. A union of schemas counts as the one that the value was meant for. */
export function schemaViolations(errors: readonly FastifySchemaValidationError[]): Violation[] {
  const meant = errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .toSorted((one, other) => other.schemaPath.length - one.schemaPath.length)
    .reduce<readonly SchemaError[]>(withoutUnion, errors.filter(isOfOnePlace));
  return meant.flatMap(violationsOf);
}

/** An unknown property has an error at its own place. The one for all unknown properties of an object says nothing more. */
function isOfOnePlace({ keyword, schemaPath }: SchemaError): boolean {
  return keyword === 'boolean'
    ? schemaPath.endsWith('/additionalProperties')
    : keyword !== 'additionalProperties';
}

/** The errors with those of one branch of a union instead of those of all. */
function withoutUnion(errors: readonly SchemaError[], union: SchemaError): readonly SchemaError[] {
  const inside = `${union.schemaPath}/anyOf/`;
  const others = errors.filter((error) => error !== union && !error.schemaPath.startsWith(inside));
  const branches = new Map<string, SchemaError[]>();
  for (const error of errors) {
    if (!error.schemaPath.startsWith(inside)) continue;
    const branch = error.schemaPath.slice(inside.length).split('/', 1)[0] ?? '';
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const isWholly = ({ keyword, instancePath }: SchemaError) =>
    instancePath === union.instancePath && ['type', 'const', 'enum'].includes(keyword);
  const all = [...branches.values()];
  const fitting = all.filter((branch) => !branch.some((error) => isWholly(error) || isOfOther(union, error)));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return [...others, ...only];
  const ofKind = all.flat().filter((error) => error.instancePath === kindOf(union));
  if (fitting.length === 0 && ofKind.length > 0)
    return [...others, mergedError({ ...union, instancePath: kindOf(union) }, ofKind)];
  return [...others, mergedError(union, all.flat().filter(isWholly))];
}

/** The property by which the branches of a union of objects differ. */
const kindProperty = 'protocol';

function kindOf({ instancePath }: SchemaError): string {
  return `${instancePath}/${kindProperty}`;
}

/** Whether a branch is for objects of another kind. */
function isOfOther(union: SchemaError, { keyword, instancePath, params }: SchemaError): boolean {
  if (keyword === 'required')
    return instancePath === union.instancePath && names(params['requiredProperties']).includes(kindProperty);
  return instancePath === kindOf(union);
}

/** One error for a value that fits no branch of a union. */
function mergedError(union: SchemaError, errors: readonly SchemaError[]): SchemaError {
  const allowedValues = errors.flatMap(({ keyword, params }) =>
    keyword === 'const'
      ? [params['allowedValue']]
      : keyword === 'enum'
        ? (params['allowedValues'] as unknown[])
        : [],
  );
  if (allowedValues.length > 0) return { ...union, keyword: 'enum', params: { allowedValues } };
  const type = errors.flatMap(({ params }) => (params['type'] as string | string[] | undefined) ?? []);
  return type.length > 0 ? { ...union, keyword: 'type', params: { type } } : union;
}

function violationsOf(error: SchemaError): Violation[] {
  const { keyword, instancePath, params } = error;
  const message = keyword === 'boolean' ? 'is unknown' : (error.message ?? 'is not valid');
  const path = instancePath.split('/').slice(1).map(decoded);
  if (keyword === 'required')
    return names(params['requiredProperties']).map((name) => ({
      path: [...path, name],
      id: ruleId('required'),
      detail: 'is required',
    }));
  const [rule, given] = ruleOf(keyword, params);
  return [{ path, id: ruleId(rule), ...(given && { params: given }), detail: message }];
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The bounds of JSON Schema, and the rules that they are. */
const bounds: Readonly<Record<string, readonly [rule: ValueRule, name: 'least' | 'most']>> = {
  minLength: ['tooShort', 'least'],
  maxLength: ['tooLong', 'most'],
  minItems: ['tooFew', 'least'],
  minProperties: ['tooFew', 'least'],
  maxItems: ['tooMany', 'most'],
  maxProperties: ['tooMany', 'most'],
  minimum: ['tooSmall', 'least'],
  maximum: ['tooLarge', 'most'],
};

const formatRules: Readonly<Record<string, ValueRule>> = {
  'date-time': 'moment',
  date: 'moment',
  email: 'emailAddress',
  uri: 'webAddress',
};

function ruleOf(
  keyword: string,
  params: Readonly<Record<string, unknown>>,
): readonly [ValueRule, ViolationParams?] {
  const bound = bounds[keyword];
  if (bound !== undefined) return [bound[0], { [bound[1]]: Number(params['limit']) }];
  switch (keyword) {
    case 'boolean':
      return ['unknown'];
    case 'type': {
      const types = [params['type']].flat().map(String);
      return ['type', { expected: types.find((type) => type !== 'null') ?? 'null' }];
    }
    case 'enum':
      return ['notOffered', { allowed: names(params['allowedValues']) }];
    case 'const':
      return ['notOffered', { allowed: [String(params['allowedValue'])] }];
    case 'uniqueItems':
      return ['duplicate'];
    case 'format':
      return [formatRules[String(params['format'])] ?? 'malformed'];
    default:
      return ['malformed'];
  }
}

/** A segment of a JSON pointer, as TypeBox writes it in a fragment. */
function decoded(segment: string): string {
  const text = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text).slice(0, longestName);
  } catch {
    return text.slice(0, longestName);
  }
}
