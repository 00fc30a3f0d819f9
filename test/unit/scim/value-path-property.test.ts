import fc from 'fast-check';
import t from 'tap';
import { userCondition } from '#src/people/queries/condition.js';
import { elementCondition } from '#src/scim/filter/element-condition.js';
import { FilterParser } from '#src/scim/filter/parse.js';
import { compileSelector } from '#src/scim/patch/compile-selector.js';
import { PatchWork } from '#src/scim/patch/patch-work.js';
import { scimErrors } from '#src/scim/protocol/errors.js';
import { subAttributeOf } from '#src/scim/schema/attribute.js';
import { userAttributes } from '#src/scim/schema/user-attributes.js';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { matchesQuery } from './support/matches-query.js';
import { outcome } from './support/outcome.js';

/** A value path selects the same values in the filter of a list, which MongoDB tests, and in a PATCH, which the process tests. */

const attributes = userAttributes.filter(
  ({ name, multiValued, type }) => multiValued && type === 'complex' && name !== 'groups',
);
const words = [
  'a',
  'A',
  'ab',
  'B',
  'é',
  'É',
  'ß',
  'ẞ',
  'ſ',
  's',
  '\u212a',
  'k',
  'ς',
  'Σ',
  '😀',
  '\uffff',
  '.*',
  '"',
  '-',
];
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(''));
const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];

const cases = fc.constantFrom(...attributes).chain((attribute) => {
  const subs = attribute.subAttributes ?? [];
  const flags = subs.filter(({ type }) => type === 'boolean');
  const texts = subs.filter(({ type }) => type !== 'boolean');
  const value = fc.record(
    Object.fromEntries([
      ...texts.map(({ name }) => [name, text]),
      ...flags.map(({ name }) => [name, fc.boolean()]),
    ]) as Record<string, fc.Arbitrary<string | boolean>>,
    { requiredKeys: [] },
  );
  const test = fc.oneof(
    fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom(...operators), text)
      .map(([{ name }, operator, literal]) => `${name} ${operator} ${JSON.stringify(literal)}`),
    fc.constantFrom(...subs).map(({ name }) => `${name} pr`),
    fc
      .tuple(fc.constantFrom(...flags), fc.constantFrom('eq', 'ne'), fc.boolean())
      .map(([{ name }, operator, flag]) => `${name} ${operator} ${flag}`),
  );
  const negated = fc.oneof(
    test,
    test.map((one) => `not (${one})`),
  );
  const filter = fc
    .tuple(negated, fc.constantFrom('and', 'or'), negated)
    .map(([a, word, b]) => `${a} ${word} ${b}`);
  return fc.tuple(fc.constant(attribute), value, fc.oneof(test, filter));
});

t.test('a filter and a PATCH agree on each value', async (t) => {
  const settings = fuzzing(3_000);
  let selected = 0;
  const property = fc.property(cases, ([attribute, value, written]) => {
    const filter = new FilterParser(written, scimErrors.filterSyntax).disjunction();
    const rule = subAttributeOf(attribute, 'value')?.search;
    const inList = outcome(() => {
      const query = userCondition(elementCondition(filter, attribute, rule));
      return matchesQuery(value, query);
    });
    const inPatch = outcome(
      () => compileSelector(filter, attribute)?.matches(value, new PatchWork()) ?? 'unknown',
    );
    // A literal that nothing can contain is an error in both, each with its own type.
    const isRefused = typeof inList === 'string' && typeof inPatch === 'string';
    if (!isRefused && inList !== inPatch)
      throw new Error(`${attribute.name}[${written}] of ${JSON.stringify(value)}: ${inList}, ${inPatch}`);
    if (inList === true) selected++;
  });
  fc.assert(property, settings);
  t.ok(selected > settings.numRuns / 10, `${selected} values were selected`);
});
