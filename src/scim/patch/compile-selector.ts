import { compareFolded, foldCase } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { type AttributeExpression, booleanOf, conjuncts, type Filter } from '../filter/ast.js';
import { textParts } from '../filter/compile-comparison.js';
import { scimErrors } from '../protocol/errors.js';
import type { ComplexValue } from '../resources/read-value.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import type { Selector } from './operation.js';
import type { PatchWork } from './patch-work.js';

type Predicate = (value: ComplexValue, work: PatchWork) => boolean;

/**
 * Compiles the filter of a value path such as `emails[type eq "work"]`. A conjunction of `eq` also determines a value that
 * matches. Clients expect that this value is created if none matches.
 * @returns undefined if the filter names an unknown sub-attribute
 * @throws AppError `scim.badPath`
 */
export function compileSelector(filter: Filter, attribute: Attribute): Selector | undefined {
  if (namesUnknown(filter, attribute)) return undefined;
  const matches = predicate(filter, attribute);
  const equalities = conjuncts(filter);
  if (!equalities.every(isEquality)) return { filter, matches };
  const seed = equalities.map((equality) => {
    const sub = namedSub(equality.name, attribute);
    return [sub.name, sub.type === 'boolean' ? wantedFlag(equality) : equality.literal];
  });
  return { filter, matches, seed: Object.fromEntries(seed) };
}

function namesUnknown(filter: Filter, attribute: Attribute): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.some((operand) => namesUnknown(operand, attribute));
    case 'not':
      return namesUnknown(filter.operand, attribute);
    case 'element':
      return false;
    default:
      return subAttributeOf(attribute, filter.name) === undefined;
  }
}

function isEquality(filter: Filter): filter is AttributeExpression {
  return filter.kind === 'compare' && filter.operator === 'eq';
}

function predicate(filter: Filter, attribute: Attribute): Predicate {
  switch (filter.kind) {
    case 'and': {
      const all = filter.operands.map((operand) => predicate(operand, attribute));
      return (value, work) => all.every((holds) => holds(value, work));
    }
    case 'or': {
      const any = filter.operands.map((operand) => predicate(operand, attribute));
      return (value, work) => any.some((holds) => holds(value, work));
    }
    case 'not': {
      const holds = predicate(filter.operand, attribute);
      return (value, work) => !holds(value, work);
    }
    case 'present': {
      const { name } = namedSub(filter.name, attribute);
      return (value, work) => {
        work.spend(1);
        return value[name] !== undefined;
      };
    }
    case 'compare':
      return comparison(filter, namedSub(filter.name, attribute));
    case 'element':
      throw badPath(`${filter.name} has no values of its own`);
  }
}

function comparison(filter: AttributeExpression, sub: Attribute): Predicate {
  const holds = sub.type === 'boolean' ? booleanComparison(filter, sub) : textComparison(filter, sub);
  return filter.operator === 'ne' ? (value, work) => !holds(value, work) : holds;
}

function booleanComparison(filter: AttributeExpression, { name }: Attribute): Predicate {
  if (filter.operator !== 'eq' && filter.operator !== 'ne') throw badPath(`${name} is compared by eq or ne`);
  const wanted = wantedFlag(filter);
  // A missing flag is false.
  return (value, work) => {
    work.spend(1);
    return (value[name] ?? false) === wanted;
  };
}

/** Means the same as the condition that a filter of a list has for stored values (`filter/element-condition.ts`). */
function textComparison({ operator, literal }: AttributeExpression, sub: Attribute): Predicate {
  const compare = textComparisons[operator];
  if (typeof literal !== 'string') throw badPath(`${sub.name} is compared with a quoted string`);
  const { foldWhole, fold = sub.caseExact ? undefined : foldCase, foldPart } = sub.search ?? {};
  const foldText = foldWhole ?? fold;
  const isPart = operator in textParts;
  const folded = (isPart ? fold : foldText)?.(literal) ?? literal;
  if (isPart && folded === '') throw badPath(`${sub.name} needs a text for ${operator}`);
  const wanted = (isPart && foldPart?.(literal)) || [folded];
  return (value, work) => {
    work.spend(wanted.length);
    const text = value[sub.name];
    if (typeof text !== 'string') return false;
    const compared = foldText === undefined ? text : work.fold(foldText, text);
    return wanted.some((one) => {
      if (operator === 'co') work.spendSearch(compared, one);
      else if (isOrder(operator)) work.spendOrder(compared, one);
      return compare(compared, one);
    });
  };
}

const textComparisons: Readonly<
  Record<AttributeExpression['operator'], (text: string, wanted: string) => boolean>
> = {
  eq: (text, wanted) => text === wanted,
  ne: (text, wanted) => text === wanted,
  co: (text, wanted) => text.includes(wanted),
  sw: (text, wanted) => text.startsWith(wanted),
  ew: (text, wanted) => text.endsWith(wanted),
  gt: (text, wanted) => compareFolded(text, wanted) > 0,
  ge: (text, wanted) => compareFolded(text, wanted) >= 0,
  lt: (text, wanted) => compareFolded(text, wanted) < 0,
  le: (text, wanted) => compareFolded(text, wanted) <= 0,
};

function isOrder(operator: AttributeExpression['operator']): boolean {
  return operator === 'gt' || operator === 'ge' || operator === 'lt' || operator === 'le';
}

function wantedFlag({ name, literal }: AttributeExpression): boolean {
  const flag = booleanOf(literal);
  if (flag === undefined) throw badPath(`${name} is compared with true or false`);
  return flag;
}

function namedSub(name: string, attribute: Attribute): Attribute {
  const sub = subAttributeOf(attribute, name);
  if (sub === undefined) throw badPath(`${name} is no sub-attribute of ${attribute.name}`);
  return sub;
}

/** The error for a path that is malformed or names an unknown attribute. */
export function badPath(detail: string): AppError {
  return new AppError(scimErrors.badPath, { detail });
}
