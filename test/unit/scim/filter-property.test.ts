import t from 'tap';
import type { User } from '#src/directory/user.js';
import { compileFilter } from '#src/scim/filter/compile-filter.js';
import { matchesQuery } from './support/matches-query.js';
import { documentOf, userOf } from './support/users.js';

/** Random filters over random users: what the compiled query selects is what the words of the filter say. */

type Meaning = (user: User) => boolean;
interface RandomFilter {
  readonly text: string;
  readonly holds: Meaning;
  /** An `or`, which binds less than `and` and needs parentheses in one. */
  readonly isDisjunction?: boolean;
}

const seed = Number(process.env['FILTER_SEED'] ?? Date.now() % 1_000_000);

function generator(state: number): (below: number) => number {
  let s = state >>> 0;
  return (below) => {
    s = (s + 0x6d2b79f5) >>> 0;
    let x = Math.imul(s ^ (s >>> 15), s | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % below;
  };
}

const random = generator(seed);
const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;

const words = ['a', 'A', 'ab', 'B', 'ba', 'é', 'É', '.*', 'a.b', '$', '\\', '"', '(', '😀', 'aa'];
const text = () => pick(words) + pick(words);

function randomUser(id: number): User {
  const types = ['work', 'home', 'Work', undefined];
  const emails = Array.from({ length: 1 + random(3) }, () => {
    const type = pick(types);
    return { value: text(), primary: false, ...(type !== undefined && { type }) };
  });
  return {
    ...userOf({ active: pick([true, false]) }, `id${id}`),
    userName: text(),
    name: { givenName: text(), familyName: text() },
    ...(random(2) === 0 && { title: text() }),
    emails,
  };
}

const fold = (value: string) => value.toLowerCase();
const operators: Record<string, (value: string, literal: string) => boolean> = {
  eq: (value, literal) => value === literal,
  co: (value, literal) => value.includes(literal),
  sw: (value, literal) => value.startsWith(literal),
  ew: (value, literal) => value.endsWith(literal),
};

const readers: Record<string, (user: User) => string[]> = {
  userName: (user) => [user.userName],
  'name.givenName': (user) => [user.name.givenName],
  title: (user) => (user.title === undefined ? [] : [user.title]),
  emails: (user) => user.emails.map(({ value }) => value),
};

function comparison(): RandomFilter {
  const name = pick(Object.keys(readers));
  const read = readers[name] as (user: User) => string[];
  const operator = pick(['eq', 'ne', 'co', 'sw', 'ew', 'pr']);
  if (operator === 'pr') return { text: `${name} pr`, holds: (user) => read(user).length > 0 };
  const literal = text();
  const positive: Meaning = (user) =>
    read(user).some((value) => operators[operator === 'ne' ? 'eq' : operator]?.(fold(value), fold(literal)));
  return {
    text: `${name} ${operator} ${JSON.stringify(literal)}`,
    holds: operator === 'ne' ? (user) => !positive(user) : positive,
  };
}

function valuePath(): RandomFilter {
  const type = pick(['work', 'HOME', 'other']);
  const operator = pick(Object.keys(operators));
  const literal = pick(words);
  const compare = operators[operator] as (value: string, literal: string) => boolean;
  const phrase = pick([
    `emails[type eq "${type}" and value ${operator} ${JSON.stringify(literal)}]`,
    `emails[value ${operator} ${JSON.stringify(literal)} and (type eq "${type}")]`,
    `emails[type eq "${type}"].value ${operator} ${JSON.stringify(literal)}`,
    `emails[not (type ne "${type}" or not (value ${operator} ${JSON.stringify(literal)}))]`,
  ]);
  const positive: Meaning = (user) =>
    user.emails.some(
      (email) => fold(email.type ?? '') === fold(type) && compare(fold(email.value), fold(literal)),
    );
  return operator === 'eq' && random(2) === 0
    ? {
        text: `emails[type eq "${type}"].value ne ${JSON.stringify(literal)}`,
        holds: (user) => !positive(user),
      }
    : { text: phrase, holds: positive };
}

function randomFilter(depth: number): RandomFilter {
  const form = depth === 0 ? random(2) : random(6);
  if (form === 0) return comparison();
  if (form === 1) return valuePath();
  if (form === 2) {
    const inner = randomFilter(depth - 1);
    return { text: `not (${inner.text})`, holds: (user) => !inner.holds(user) };
  }
  const [a, b] = [randomFilter(depth - 1), randomFilter(depth - 1)];
  const parts = (mustGroup: (one: RandomFilter) => boolean) =>
    [a, b].map((one) => (mustGroup(one) || random(2) === 0 ? `(${one.text})` : one.text));
  return form % 2 === 1
    ? {
        text: parts(({ isDisjunction = false }) => isDisjunction).join(' and '),
        holds: (user) => a.holds(user) && b.holds(user),
      }
    : {
        text: parts(() => false).join(' or '),
        holds: (user) => a.holds(user) || b.holds(user),
        isDisjunction: true,
      };
}

t.test(`random filters mean what they say (FILTER_SEED=${seed})`, async (t) => {
  const users = Array.from({ length: 60 }, (_, index) => randomUser(index));
  const documents = users.map(documentOf);
  let selectedAtAll = 0;
  for (let round = 0; round < 1500; round++) {
    const filter = randomFilter(3);
    if (Array.from(filter.text).length > 1000) continue;
    const query = compileFilter(filter.text);
    const selected = documents.filter((document) => matchesQuery(document, query)).map(({ _id }) => _id);
    const expected = users.filter(filter.holds).map(({ id }) => id);
    if (selected.join() !== expected.join()) t.strictSame(selected, expected, filter.text);
    if (selected.length > 0 && selected.length < users.length) selectedAtAll++;
  }
  t.ok(selectedAtAll > 300, 'most filters select some users and not others');
});
