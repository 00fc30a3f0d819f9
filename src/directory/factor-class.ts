import type { OwnedFactors } from './sign-in-policy.js';

/** What the document of a user says of its factors. Links to other identity providers stand elsewhere. */
export interface UserFactors extends Omit<OwnedFactors, 'connection'> {
  /** Whether the user is active. */
  readonly active: boolean;
}

/** The kinds of factors, by the letters that name them in a class. */
const letters = { p: 'password', t: 'totp', k: 'passkey', m: 'mail' } as const;
type Letter = keyof typeof letters;

const inactive = 'off';
const without = 'none';

/**
 * The class of a user: the letters of its factors, or `none` or `off`. All users of a class meet a policy alike, unless a policy asks for more than
 * their factors. An organization keeps the number of its users in each class.
 */
export type FactorClass = string;

/** Returns the class of a user. */
export function factorClassOf(factors: UserFactors): FactorClass {
  if (!factors.active) return inactive;
  return (Object.keys(letters) as Letter[]).filter((letter) => factors[letters[letter]]).join('') || without;
}

/** Returns what the active users of a class have. Undefined for the class of inactive users. */
export function factorsOfClass(factorClass: FactorClass): Omit<OwnedFactors, 'connection'> | undefined {
  if (factorClass === inactive) return undefined;
  const has = (letter: Letter) => factorClass !== without && factorClass.includes(letter);
  return { password: has('p'), totp: has('t'), passkey: has('k'), mail: has('m') };
}

/** How many users come to a class, or leave it if the number is negative. */
export type FactorChange = Readonly<Record<FactorClass, number>>;

/** Returns the change of users who were of these classes, and are now of those. Classes that stay the same are left out. */
export function factorChange(before: Iterable<FactorClass>, after: Iterable<FactorClass>): FactorChange {
  const by = new Map<FactorClass, number>();
  for (const one of before) by.set(one, (by.get(one) ?? 0) - 1);
  for (const one of after) by.set(one, (by.get(one) ?? 0) + 1);
  return Object.fromEntries([...by].filter(([, count]) => count !== 0));
}
