import fc, { type Arbitrary } from 'fast-check';
import type { User } from '#src/directory/user.js';

/** A filter, and the condition that it states. */
export interface MeantFilter {
  readonly text: string;
  readonly holds: (user: User) => boolean;
  /** The filter is an `or`. It binds less tightly than `and`, so it needs parentheses inside an `and`. */
  readonly isDisjunction?: boolean;
}

// Few and short texts, so that filters and users share them. Some are texts that a careless pattern or quotation would
// damage.
const words = ['a', 'A', 'ab', 'B', 'ba', 'é', 'É', '.*', 'a.b', '$', '\\', '"', '(', '😀', 'aa'];
const word = fc.constantFrom(...words);
const text = fc.tuple(word, word).map((parts) => parts.join(''));

/** The stored attributes in which users differ. Their values are made of the same words as the filters. */
export const wordyUsers = fc.record(
  {
    userName: text,
    name: fc.record({ givenName: text, familyName: text }, { requiredKeys: [] }),
    emails: fc.array(
      fc.record(
        {
          value: text,
          primary: fc.constant(false),
          type: fc.constantFrom('work', 'home', 'Work'),
        },
        { requiredKeys: ['value', 'primary'] },
      ),
      { maxLength: 3 },
    ),
    title: text,
    employeeNumber: text,
    department: text,
    active: fc.boolean(),
  },
  { requiredKeys: ['userName', 'name', 'emails', 'active'] },
);

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const fold = (value: string) => value.toLowerCase();

const operators: Record<string, (value: string, literal: string) => boolean> = {
  eq: (value, literal) => value === literal,
  co: (value, literal) => value.includes(literal),
  sw: (value, literal) => value.startsWith(literal),
  ew: (value, literal) => value.endsWith(literal),
  gt: (value, literal) => order(value, literal) > 0,
  ge: (value, literal) => order(value, literal) >= 0,
  lt: (value, literal) => order(value, literal) < 0,
  le: (value, literal) => order(value, literal) <= 0,
};

/** The order of code points, which is that of bytes in UTF-8. */
function order(value: string, literal: string): number {
  return Buffer.compare(Buffer.from(value), Buffer.from(literal));
}

function compares(operator: string, value: string, literal: string): boolean {
  return operators[operator]?.(fold(value), fold(literal)) ?? false;
}

const readers: Record<string, (user: User) => string[]> = {
  userName: (user) => [user.userName],
  'name.givenName': ({ name }) => (name.givenName === undefined ? [] : [name.givenName]),
  title: (user) => (user.title === undefined ? [] : [user.title]),
  [`${enterprise}:employeeNumber`]: ({ employeeNumber }) =>
    employeeNumber === undefined ? [] : [employeeNumber],
  [`${enterprise}:department`]: ({ department }) => (department === undefined ? [] : [department]),
  emails: (user) => user.emails.map(({ value }) => value),
};

const not =
  (holds: MeantFilter['holds']): MeantFilter['holds'] =>
  (user) =>
    !holds(user);

const attributes = fc.constantFrom(...Object.entries(readers));

const presences = attributes.map(
  ([name, read]): MeantFilter => ({ text: `${name} pr`, holds: (user) => read(user).length > 0 }),
);

const comparisons = fc
  .tuple(attributes, fc.constantFrom('ne', ...Object.keys(operators)), fc.oneof(word, text))
  .map(([[name, read], operator, literal]): MeantFilter => {
    const positive = operator === 'ne' ? 'eq' : operator;
    const holds = (user: User) => read(user).some((value) => compares(positive, value, literal));
    return {
      text: `${name} ${operator} ${JSON.stringify(literal)}`,
      holds: operator === 'ne' ? not(holds) : holds,
    };
  });

/** Two conditions that the same address must fulfil, in each notation that SCIM has for that. */
const valuePaths = fc
  .tuple(
    fc.constantFrom('work', 'HOME', 'other'),
    fc.constantFrom(...Object.keys(operators)),
    word,
    fc.nat(4),
  )
  .map(([type, operator, literal, phrase]): MeantFilter => {
    const quoted = JSON.stringify(literal);
    const holds = ({ emails }: User) =>
      emails.some((one) => fold(one.type ?? '') === fold(type) && compares(operator, one.value, literal));
    const phrases = [
      `emails[type eq "${type}"].value ${operator} ${quoted}`,
      `emails[type eq "${type}" and value ${operator} ${quoted}]`,
      `emails[value ${operator} ${quoted} and (type eq "${type}")]`,
      `emails[not (type ne "${type}" or not (value ${operator} ${quoted}))]`,
    ];
    const said = phrases[phrase];
    if (said !== undefined) return { text: said, holds };
    return operator === 'eq'
      ? { text: `emails[type eq "${type}"].value ne ${quoted}`, holds: not(holds) }
      : { text: `not (${phrases[0]})`, holds: not(holds) };
  });

/** Two filters, in parentheses where they are required or make no difference. */
function pairs(filter: Arbitrary<MeantFilter>, mustGroup: (one: MeantFilter) => boolean) {
  const part = fc
    .tuple(filter, fc.boolean())
    .map(([one, grouped]) => ({ ...one, text: grouped || mustGroup(one) ? `(${one.text})` : one.text }));
  return fc.tuple(part, part);
}

/** Filters up to three levels deep. */
export const meantFilters: Arbitrary<MeantFilter> = fc.letrec<{ filter: MeantFilter }>((tie) => {
  const filter = tie('filter');
  const negations = filter.map(
    (inner): MeantFilter => ({ text: `not (${inner.text})`, holds: not(inner.holds) }),
  );
  const conjunctions = pairs(filter, ({ isDisjunction = false }) => isDisjunction).map(
    ([a, b]): MeantFilter => ({
      text: `${a.text} and ${b.text}`,
      holds: (user) => a.holds(user) && b.holds(user),
    }),
  );
  const disjunctions = pairs(filter, () => false).map(
    ([a, b]): MeantFilter => ({
      text: `${a.text} or ${b.text}`,
      holds: (user) => a.holds(user) || b.holds(user),
      isDisjunction: true,
    }),
  );
  const simple = fc.oneof({ weight: 4, arbitrary: comparisons }, { weight: 1, arbitrary: presences });
  return {
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      simple,
      valuePaths,
      negations,
      { weight: 2, arbitrary: conjunctions },
      disjunctions,
    ),
  };
}).filter;
