import { foldCase, requireEmail, requireText } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { valueRules } from '../reading/check-item.js';
import type { ListTarget } from './list-targets.js';
import type { MappingRules } from './mapping-schema.js';

type User = HumanUserRecord['user'];
type Scim = NonNullable<User['scim']>;
type Address = NonNullable<Scim['addresses']>[number];

interface Listed {
  readonly value: string;
  readonly type?: string;
  readonly verified?: boolean;
}

/** An import takes no longer list. */
const mostItems = 100;

/** Rules of values in lists. A value that breaks one is left out with a note: the person must not be lost for it. */
const rulesOf: Partial<Readonly<Record<ListTarget, (value: string) => unknown>>> = {
  emails: requireEmail,
  phoneNumbers: (value) => requireText('phoneNumbers.value', value),
  photos: valueRules.photo,
};

/** What a mapping adds to the lists of one person. */
export class ListedValues {
  readonly #lists = new Map<ListTarget, Listed[]>();
  readonly #addresses = new Map<string | undefined, Record<string, string>>();

  /** @param notes gets a note if the value is left out */
  add(target: ListTarget, item: Listed, notes: string[]): void {
    if (!isTaken(target, item.value, notes)) return;
    const list = this.#lists.get(target) ?? [];
    this.#lists.set(target, list);
    // A directory trusts an address or number that says nothing about it.
    list.push(isContact(target) ? { ...item, verified: item.verified === true } : item);
  }

  /** Adds a part of the address of a type. */
  addAddress(part: string, { value, type }: { value: string; type: string | undefined }): void {
    const known = this.#addresses.get(type) ?? {};
    this.#addresses.set(type, { ...known, [part]: value });
  }

  /**
   * Returns the user with the lists. The rule for addresses of mail holds for all of them. If the mapping has `email` or `phone`, their lists
   * begin with this value.
   * @param notes gets a note for each value that is left out
   */
  into(
    user: User,
    { rules, named }: { readonly rules: MappingRules; readonly named: ReadonlySet<string> },
    notes: string[],
  ): User {
    const { unverifiedEmail: rule = 'keep' } = rules;
    const { emails, phoneNumbers } = user.scim ?? {};
    const namesEmail = this.#lists.has('emails') || (emails !== undefined && named.has('email'));
    const namesPhone = this.#lists.has('phoneNumbers') || (phoneNumbers !== undefined && named.has('phone'));
    const isRuled = emails !== undefined && rule !== 'keep';
    const isChanged = this.#lists.size > 0 || this.#addresses.size > 0 || namesEmail || namesPhone || isRuled;
    if (!isChanged) return user;
    const { email, phone } = user;
    const scim: Scim = { ...user.scim };
    for (const target of this.#lists.keys()) {
      if (!isContact(target)) scim[target] = this.#listOf(target, user, notes);
    }
    if (this.#lists.has('photos') && scim.photos !== undefined) scim.photos = firstPrimary(scim.photos);
    if (namesEmail) {
      const list = withFirst(email?.email, email?.isEmailVerified, this.#listOf('emails', user, notes));
      scim.emails = firstPrimary(byRule(rule, list));
    } else if (isRuled) scim.emails = byRule(rule, emails);
    if (scim.emails?.length === 0) delete scim.emails;
    if (namesPhone) {
      const list = this.#listOf('phoneNumbers', user, notes);
      scim.phoneNumbers = firstPrimary(withFirst(phone?.phone, phone?.isPhoneVerified, list));
    }
    if (this.#addresses.size > 0) scim.addresses = this.#addressesOf(user);
    return { ...user, scim };
  }

  /** What the user has already, and what the mapping adds. */
  #listOf(target: ListTarget, { scim }: User, notes: string[]): Listed[] {
    const known: readonly Listed[] = scim?.[target] ?? [];
    const added = this.#lists.get(target) ?? [];
    const all = new Map<string, Listed>();
    for (const item of [...known, ...added]) {
      const key = foldCase(item.value);
      if (!all.has(key)) all.set(key, item);
    }
    if (all.size > mostItems)
      notes.push(`${target} has more than ${mostItems} values; the others are left out`);
    return [...all.values()].slice(0, mostItems);
  }

  #addressesOf({ scim }: User): Address[] {
    const known = scim?.addresses ?? [];
    const added = [...this.#addresses].map(([type, parts], place) => ({
      ...parts,
      ...(type !== undefined && { type }),
      ...(known.length === 0 && place === 0 && { primary: true }),
    }));
    return [...known, ...added].slice(0, mostItems);
  }
}

function isContact(target: ListTarget): boolean {
  return target === 'emails' || target === 'phoneNumbers';
}

function isTaken(target: ListTarget, value: string, notes: string[]): boolean {
  try {
    rulesOf[target]?.(value);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(`${error.message}; left out`);
    return false;
  }
}

/** The list with the user's own value first. What the list says of this value beside stays. */
function withFirst(primary: string | undefined, isVerified = false, list: readonly Listed[]): Listed[] {
  if (primary === undefined) return [...list];
  const same = list.find(({ value }) => foldCase(value) === foldCase(primary));
  const first = { verified: isVerified, ...same, value: primary };
  return [isVerified ? { ...first, verified: true } : first, ...list.filter((item) => item !== same)].slice(
    0,
    mostItems,
  );
}

function byRule(rule: 'keep' | 'trust' | 'drop', list: readonly Listed[]): Listed[] {
  if (rule === 'drop') return list.filter(({ verified }) => verified !== false);
  return list.map((item) => (rule === 'trust' ? { ...item, verified: true } : item));
}

/** Only the first value of a list is its primary one. */
function firstPrimary<Item extends Listed>(list: readonly Item[]): (Item & { primary: boolean })[] {
  return list.map((item, place) => ({ ...item, primary: place === 0 }));
}
