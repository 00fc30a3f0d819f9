import type { ResourceQuery } from '#src/people/queries/index.js';
import type { AttributePath, ResourceSchema } from '../schema/resource-schema.js';
import { targetOf } from '../schema/resource-schema.js';
import type { AttributeExpression } from './ast.js';
import { compileComparison } from './compile-comparison.js';
import { compilePresent } from './compile-present.js';
import { storedCondition } from './element-condition.js';

const field = 'name.formatted';

/** Whether the path is `name.formatted`. A user with another part of a name, but without this one, shows the displayName there. */
export function isNameFormatted({ attribute, sub }: AttributePath): boolean {
  return attribute.name === 'name' && sub?.name === 'formatted';
}

/**
 * Compiles a comparison of `name.formatted` as clients see it: with the stored text, or else with the displayName of a user who has
 * another part of a name. It reads every user, because the stored text has no index.
 */
export function compileNameFormatted(comparison: AttributeExpression, schema: ResourceSchema): ResourceQuery {
  if (comparison.operator === 'ne')
    return { kind: 'not', operand: compileNameFormatted({ ...comparison, operator: 'eq' }, schema) };
  const { name } = comparison;
  const formatted = targetOf(schema.find(field) as AttributePath);
  const displayName = targetOf(schema.find('displayName') as AttributePath);
  const stored = storedCondition(comparison, formatted, { field, isList: false });
  const rule = displayName.search;
  if (rule === undefined) return stored;
  const shown = compileComparison(comparison, { type: 'string', rule, isList: false, isNaming: false });
  const isGiven: ResourceQuery = { kind: 'present', field, written: comparison };
  const hasName = compilePresent(
    name,
    { attribute: (schema.find('name') as AttributePath).attribute },
    schema,
  );
  const isMade: ResourceQuery = {
    kind: 'and',
    operands: [{ kind: 'not', operand: isGiven }, hasName, shown],
  };
  return { kind: 'composed', where: { kind: 'or', operands: [stored, isMade] }, written: comparison };
}
