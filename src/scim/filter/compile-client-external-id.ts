import { clientExternalIdKey } from '#src/directory/index.js';
import type { LeafCondition, ResourceQuery } from '#src/people/queries/index.js';
import type { AttributePath, ResourceSchema } from '../schema/resource-schema.js';
import type { AttributeExpression, Filter } from './ast.js';
import { requireTextLiteral } from './compile-comparison.js';
import { storedCondition } from './element-condition.js';

type Present = Extract<Filter, { kind: 'present' }>;

const shared = 'externalId';
const own = 'clientExternalIds';

/** Whether the path is the externalId for a client that has its own. */
export function isClientExternalId({ attribute, sub }: AttributePath, schema: ResourceSchema): boolean {
  return schema.externalIdsOf !== undefined && attribute.name === shared && sub === undefined;
}

/**
 * Compiles a test of the externalId as a client sees it: its own, or the shared one of a user to whom it gave none. Indexes serve `eq` alone.
 * @throws AppError `scim.filterUnsupported`
 */
export function compileClientExternalId(
  test: AttributeExpression | Present,
  schema: ResourceSchema,
): ResourceQuery {
  const { externalIdsOf: client = '' } = schema;
  const isOfOthers = (written: LeafCondition['written']): LeafCondition => {
    const field = `${own}.serviceUserId`;
    return { kind: 'unequal', field, value: client, anyCase: false, isNaming: false, written };
  };
  if (test.kind === 'compare' && test.operator === 'ne') {
    const operand = compileClientExternalId({ ...test, operator: 'eq' }, schema);
    return { kind: 'composed', where: { kind: 'not', operand }, written: test };
  }
  if (test.kind === 'compare' && test.operator === 'eq') {
    const value = requireTextLiteral(test);
    const equal = { kind: 'equal', anyCase: false, isNaming: true, written: test } as const;
    const seesShared: ResourceQuery = {
      kind: 'and',
      operands: [{ ...equal, field: shared, value }, isOfOthers(test)],
    };
    const key = clientExternalIdKey(client, value);
    return { kind: 'or', operands: [{ ...equal, field: 'search.attributes', value: key }, seesShared] };
  }
  const written = test.kind === 'compare' ? test : { name: test.name, operator: 'pr' };
  const testOf = (field: string) => conditionOn(field, test, schema);
  const isOwn: LeafCondition = {
    ...{ kind: 'equal', field: 'serviceUserId', value: client },
    ...{ anyCase: false, isNaming: false, written },
  };
  const where: ResourceQuery = { kind: 'and', operands: [isOwn, testOf('value')] };
  const operands: ResourceQuery[] = [
    { kind: 'element', field: own, name: test.name, where, keys: [] },
    { kind: 'and', operands: [testOf(shared), isOfOthers(written)] },
  ];
  return { kind: 'composed', where: { kind: 'or', operands }, written };
}

/** The test of a stored text. */
function conditionOn(
  field: string,
  test: AttributeExpression | Present,
  schema: ResourceSchema,
): LeafCondition {
  if (test.kind === 'present')
    return { kind: 'present', field, written: { name: test.name, operator: 'pr' } };
  const path = schema.find(shared) as AttributePath;
  return storedCondition(test, path.attribute, { field, isList: false });
}
