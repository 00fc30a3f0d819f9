import type { Account } from '#src/accounts/index.js';
import { type ExtensionSchemas, foldCase, type UserProfile, uniqueValueKeys } from '#src/directory/index.js';
import { conflictOf, type UniqueKey } from '#src/people/users/index.js';
import { RecordFailure } from '../section/record-failure.js';
import type { TakenIdentifiers } from '../shared/taken-identifiers.js';
import type { HumanUserInput } from './read/human-user-input.js';

/**
 * The users that the records of one part may be about: those that are stored, those that earlier parts of a dry run would add, and
 * those that earlier records of the part add.
 */
export class KnownUsers {
  readonly #orgId: string;
  /** By identifier, of all organizations. */
  readonly #byId = new Map<string, Account>();
  /** By folded userName, of the organization. */
  readonly #byName = new Map<string, Account>();
  /** The users about whom a record has decided. */
  readonly #decided = new Set<string>();
  /** The users that records of this part add. */
  readonly #added = new Set<Account>();
  /** Which identifiers of records are taken. Undefined if none was asked for. */
  identifiers: TakenIdentifiers | undefined;
  /** The users whom records of this part deactivate. */
  readonly deactivated = new Set<string>();
  /** Keys of values that one user has and no other may have. */
  takenKeys = new Set<UniqueKey>();

  constructor(orgId: string) {
    this.#orgId = orgId;
  }

  /** Adds a user that is stored, or that an earlier part of a dry run adds. Takes the place of an earlier one with the identifier. */
  remember(account: Account): void {
    const { user } = account;
    this.#byId.set(user.id, account);
    if (user.orgId === this.#orgId) this.#byName.set(foldCase(user.userName), account);
  }

  /** Adds a user that a record adds. */
  add(account: Account): void {
    this.remember(account);
    this.#added.add(account);
  }

  /** Whether a record of this part adds the user. */
  isAdded(account: Account): boolean {
    return this.#added.has(account);
  }

  /** Notes that a record has decided about the user. */
  setDecided({ user }: Account): void {
    this.#decided.add(user.id);
  }

  /** Whether a record of this part, or of an earlier part of a dry run, has decided about the user. */
  isDecided({ user }: Account): boolean {
    return this.#decided.has(user.id);
  }

  /** Whether a user has the identifier, in any organization. */
  hasId(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Whether a user of the organization has the userName. */
  hasName(userName: string): boolean {
    return this.#byName.has(foldCase(userName));
  }

  /**
   * The user that a record is about: the one with its identifier. If the record has none, the one with its userName.
   * @throws RecordFailure `ID-TAKEN` if another object, or a user of another organization, has the identifier
   */
  find({ id, profile }: HumanUserInput): Account | undefined {
    if (id === undefined) return this.#byName.get(foldCase(profile.userName));
    const account = this.#byId.get(id);
    const isElsewhere = account !== undefined && account.user.orgId !== this.#orgId;
    const isTaken = account === undefined && this.identifiers?.taken.has(id);
    if (isElsewhere || isTaken) throw new RecordFailure('ID-TAKEN');
    return account;
  }

  /** Puts a user who has changed in the place of what was known of the user. A former userName is free again. */
  replace(before: Account, after: Account): void {
    this.#byName.delete(foldCase(before.user.userName));
    this.remember(after);
  }

  /**
   * Takes the values that no two users may have.
   * @param of `before`: the profile of the user so far. `registered`: the attributes of the organization
   * @throws RecordFailure `VALUE-TAKEN` if another user has one
   */
  takeValues(
    profile: UserProfile,
    { before, registered }: { before?: UserProfile; registered: ExtensionSchemas | undefined },
  ): void {
    const formerKeys = new Set(before && uniqueValueKeys(before));
    const fresh = uniqueValueKeys(profile).filter((key) => !formerKeys.has(key));
    const taken = new Set(fresh.filter((key) => this.takenKeys.has(key)));
    const conflict = conflictOf(profile, taken, registered);
    if (conflict !== undefined) throw new RecordFailure('VALUE-TAKEN', conflict.message);
    for (const key of fresh) this.takenKeys.add(key);
  }
}
