import { directoryErrors } from '#src/directory/errors.js';
import { requireAuthority } from '#src/directory/memberships/require-authority.js';
import type { Account } from '#src/directory/sign-in/account.js';
import { codeSubject } from '#src/directory/sign-in/check-password.js';
import { requireGoodPassword } from '#src/directory/sign-in/password-policy.js';
import { sealTotpSecret } from '#src/directory/sign-in/second-factor/totp.js';
import { loginNamesFrom } from '#src/directory/users/login-names.js';
import { foldCase, uniqueValueKeys } from '#src/directory/users/search/search-keys.js';
import { conflictOf, type UniqueKey } from '#src/directory/users/unique-values.js';
import type { UserProfile } from '#src/directory/users/user.js';
import type { NewUser } from '#src/directory/users/users.store.js';
import {
  type ChangedUser,
  revokeChangedUsers,
  writeChangedUsers,
} from '#src/directory/users/write-changed-users.js';
import { writeNewUsers } from '#src/directory/users/write-new-users.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { givenContent, isTouchedSince, storedContent } from './differences/compared-user.js';
import { isFromSource } from './differences/imported-credentials.js';
import { otherContent } from './differences/other-content.js';
import { userDifferences } from './differences/user-differences.js';
import {
  accountAfter,
  changesSignIn,
  type UserUpdate,
  updatedUser,
  updateOf,
} from './differences/user-update.js';
import {
  type HumanUserInput,
  idOfHumanUser,
  type RulesOfUsers,
  readHumanUser,
  requireComplete,
} from './human-user-input.js';
import { differingDates, importedAt } from './imported-dates.js';
import { newOrganization } from './organizations.section.js';
import { failedOutcome, PlanOutdated, RecordFailure } from './record-failure.js';
import { reservedName } from './reservations.js';
import type {
  ImportSection,
  KeptValue,
  Outcome,
  Reservation,
  SectionContext,
  SectionPlan,
} from './section.js';
import type { SectionDeps } from './section-deps.js';
import { organizationKey } from './section-keys.js';
import { type TakenIdentifiers, type TakenIdentifiersDeps, takenIdentifiers } from './taken-identifiers.js';

export type HumanUsersDeps = TakenIdentifiersDeps &
  Pick<
    SectionDeps,
    | 'accounts'
    | 'caches'
    | 'clock'
    | 'codeAttempts'
    | 'config'
    | 'events'
    | 'hashFingerprints'
    | 'mongo'
    | 'oneTimeLinks'
    | 'passwords'
    | 'projectMembers'
    | 'refreshTokens'
    | 'revocations'
    | 'totpSealer'
    | 'userCounter'
    | 'users'
  >;

/** The most passwords that one part hashes at once. Several parts share the queue of the hasher. */
const hashesAtOnce = 4;

/**
 * `humanUsers`: people with their password hashes and second factors. Each user that is added has one event
 * `user.human.added`. A user that exists with the same content is skipped: see differences/user-differences.ts. In an import that updates,
 * a user that exists with other content takes it over: see differences/user-update.ts.
 */
export function humanUsersSection(deps: HumanUsersDeps): ImportSection {
  return {
    key: 'humanUsers',
    errorType: 'human_user',
    quota: 'users',
    successKey: 'humanUserIds',
    phase: 4,
    forms: ['external', 'instance'],
    plan: (records, context) => new HumanUsersPlan(deps, context).make(records),
  };
}

/** What becomes of a record. A user that is skipped is decided too, so that the first of two records counts. */
type Decision =
  | { readonly kind: 'created'; readonly account: Account }
  | { readonly kind: 'skipped'; readonly account: Account; readonly kept?: UserUpdate['kept'] }
  | {
      readonly kind: 'updated';
      readonly account: Account;
      readonly kept: UserUpdate['kept'];
      readonly update: UserUpdate;
    };

function idsOf(inputs: readonly HumanUserInput[]): string[] {
  return inputs.flatMap(({ id }) => (id === undefined ? [] : [id]));
}

/** Plans the records of one part. */
class HumanUsersPlan {
  readonly #deps: HumanUsersDeps;
  readonly #context: SectionContext;
  /** Users that are stored or that this part adds, by identifier and by folded userName. */
  readonly #byId = new Map<string, Account>();
  readonly #byName = new Map<string, Account>();
  /** The users about whom a record of this part, or of an earlier part of a dry run, has decided. */
  readonly #decided = new Set<string>();
  /** Identifiers of the records that are taken. */
  #identifiers: TakenIdentifiers | undefined;
  /** Keys of values that stored users, or users that this part adds, have and no other may have. */
  #takenKeys = new Set<UniqueKey>();
  /** The users that this part adds. */
  readonly #added = new Set<Account>();
  #organization: RulesOfUsers | undefined;

  constructor(deps: HumanUsersDeps, context: SectionContext) {
    this.#deps = deps;
    this.#context = context;
  }

  async make(records: readonly unknown[]): Promise<SectionPlan> {
    const { orgId, editor, now: date } = this.#context;
    this.#organization = await this.#findOrganization();
    const inputs = records.map((record) => this.#read(record));
    await this.#lookUp(inputs.filter((input) => 'profile' in input));
    const outcomes: Outcome[] = [];
    const created: { input: HumanUserInput; added: NewUser }[] = [];
    const updates: UserUpdate[] = [];
    const kept: KeptValue[] = [];
    const reservations: Reservation[] = [];
    for (const [record, input] of inputs.entries()) {
      if (!('profile' in input)) {
        outcomes.push(input);
        continue;
      }
      const key = input.id ?? input.profile.userName;
      this.#context.compared?.(record, { key, given: givenContent(input, date) });
      try {
        const decision = await this.#decide(input, record);
        const { kind, account } = decision;
        this.#decided.add(account.user.id);
        outcomes.push({ kind, id: account.user.id });
        if ('kept' in decision) {
          for (const name of decision.kept ?? []) kept.push({ record, path: `user.${name}` });
        }
        if (kind === 'skipped') continue;
        if ('update' in decision) updates.push(decision.update);
        else created.push({ input, added: account });
        reservations.push({ record, names: this.#reservedNamesOf(account, kind) });
      } catch (error) {
        outcomes.push(failedOutcome(error, input.id ?? input.profile.userName));
      }
    }
    // A verification writes nothing, so it hashes nothing.
    const users = this.#context.compared ? [] : await this.#withHashes(created);
    const changed = await this.#changedBy(updates);
    let isWritten = false;
    return {
      outcomes,
      kept,
      reservations,
      write: async (transaction) => {
        isWritten = false;
        const chosen = created.flatMap(({ input: { id } }) => (id === undefined ? [] : [id]));
        await this.#identifiers?.reserve(chosen, transaction);
        if (users.length > 0) {
          await writeNewUsers(this.#deps, { orgId, added: users, editor, date }, transaction);
        }
        if (!(await writeChangedUsers(this.#deps, orgId, changed, transaction))) throw new PlanOutdated();
        isWritten = true;
      },
      tried: async () => {
        const ids = changed.map(({ user }) => user.id);
        await Promise.all(ids.map((id) => this.#deps.revocations.restamp(id)));
        // If a store is away, the revocations of the write are all that there is.
        if (isWritten) await revokeChangedUsers(this.#deps, changed).catch(() => undefined);
      },
      written: async () => {
        const { codeAttempts, userCounter } = this.#deps;
        await userCounter.changed(orgId);
        // Wrong codes of the former factor no longer count.
        const factors = changed.filter(({ totp }) => totp !== undefined);
        const forgotten = factors.map(({ user }) => codeAttempts.forget(codeSubject(user.id)));
        await Promise.allSettled(forgotten);
      },
    };
  }

  #read(record: unknown): HumanUserInput | Outcome {
    try {
      const input = readHumanUser(record, this.#context, this.#organization);
      // A user that exists has what the record of an update leaves out.
      if (!this.#context.update) requireComplete(input, this.#context, this.#organization);
      return input;
    } catch (error) {
      return failedOutcome(error, idOfHumanUser(record));
    }
  }

  async #lookUp(inputs: readonly HumanUserInput[]): Promise<void> {
    if (this.#context.compared !== undefined) return this.#lookUpToCompare(inputs);
    const { orgId, findReserved, findReservingRecords } = this.#context;
    const ids = idsOf(inputs);
    const userNames = inputs.map(({ profile }) => foldCase(profile.userName));
    // Before the accounts are read: a user that another import adds in between is then among them, and skipped.
    this.#identifiers = await takenIdentifiers(this.#deps, { orgId, findReserved, ids, kind: 'user' });
    const earlier = await findReservingRecords([
      ...ids.map((id) => reservedName.userOf(orgId, id)),
      ...userNames.map((name) => reservedName.userName(orgId, name)),
    ]);
    const inputsOfEarlier = earlier.map((record) => readHumanUser(record, this.#context, this.#organization));
    const decided = await this.#withHashes(
      inputsOfEarlier.map((input) => ({ input, added: this.#toAccount(input) })),
    );
    for (const account of await this.#deps.accounts.findTaken(orgId, { ids, userNames }))
      this.#remember(account);
    for (const account of decided) {
      this.#remember(account);
      this.#decided.add(account.user.id);
    }
    await this.#lookUpValues(inputs);
  }

  /**
   * Looks up what a verification compares with. Most of its records are there, so it asks for names and identifiers only where no
   * user has the identifier. A verification adds nothing, so the order of these reads does not matter.
   */
  async #lookUpToCompare(inputs: readonly HumanUserInput[]): Promise<void> {
    const { orgId, findReserved } = this.#context;
    const known = await this.#deps.accounts.findTaken(orgId, { ids: idsOf(inputs), userNames: [] });
    for (const account of known) this.#remember(account);
    const others = inputs.filter(({ id }) => id === undefined || !this.#byId.has(id));
    if (others.length === 0) return;
    const userNames = others.map(({ profile }) => foldCase(profile.userName));
    const [identifiers, namesakes] = await Promise.all([
      takenIdentifiers(this.#deps, { orgId, findReserved, ids: idsOf(others), kind: 'user' }),
      this.#deps.accounts.findTaken(orgId, { ids: [], userNames }),
      this.#lookUpValues(others),
    ]);
    this.#identifiers = identifiers;
    for (const account of namesakes) this.#remember(account);
  }

  /** Looks up the values besides the userName that no two users may have. */
  async #lookUpValues(inputs: readonly HumanUserInput[]): Promise<void> {
    const { orgId, findReserved } = this.#context;
    const keys = inputs.flatMap(({ profile }) => uniqueValueKeys(profile));
    if (keys.length === 0) return;
    const names = new Map(keys.map((key) => [reservedName.uniqueValue(orgId, key), key]));
    const reserved = await findReserved([...names.keys()]);
    this.#takenKeys = await this.#deps.users.takenKeys(orgId, keys);
    for (const name of reserved) this.#takenKeys.add(names.get(name) ?? '');
  }

  #remember(account: Account): void {
    this.#byId.set(account.user.id, account);
    if (account.user.orgId === this.#context.orgId) {
      this.#byName.set(foldCase(account.user.userName), account);
    }
  }

  /** Decides about a new user, or the stored user. @throws RecordFailure when another user has the identifier or userName */
  async #decide(input: HumanUserInput, record: number): Promise<Decision> {
    const { orgId, compared } = this.#context;
    const { id, profile } = input;
    const stored = id === undefined ? undefined : this.#byId.get(id);
    if (id !== undefined && stored === undefined && this.#identifiers?.taken.has(id))
      throw new RecordFailure('ID-TAKEN');
    if (stored !== undefined && stored.user.orgId !== orgId) throw new RecordFailure('ID-TAKEN');
    const namesake = this.#byName.get(foldCase(profile.userName));
    const known = stored ?? (id === undefined ? namesake : undefined);
    if (compared !== undefined && known !== undefined && this.#added.has(known))
      return { kind: 'created', account: known };
    if (known !== undefined) return this.#decideKnown(known, input, record);
    if (namesake !== undefined) throw new RecordFailure('NAME-TAKEN');
    if (this.#context.update) requireComplete(input, this.#context, this.#organization);
    this.#requirePolicy(input);
    const account = this.#toAccount(input);
    this.#takeValues(account.user);
    this.#remember(account);
    this.#added.add(account);
    return { kind: 'created', account };
  }

  async #decideKnown(known: Account, input: HumanUserInput, record: number): Promise<Decision> {
    const rules = this.#organization;
    if (this.#context.compared !== undefined) return this.#decideCompared(known, input, record);
    if (!this.#context.update || !(await this.#isMeant(known, input))) {
      const names = await userDifferences(this.#deps, {
        known,
        input,
        registered: rules?.extensionSchemas,
      });
      if (names.length === 0) return { kind: 'skipped', account: known };
      throw input.id === undefined ? new RecordFailure('NAME-TAKEN') : otherContent(names);
    }
    const update = await updateOf(this.#deps, { known, input, rules });
    const { kept } = update;
    if (update.names.length === 0) return { kind: 'skipped', account: known, kept };
    if (this.#decided.has(known.user.id)) throw otherContent(update.names);
    const { user } = known;
    const [nameBefore, name] = [foldCase(user.userName), foldCase(update.profile.userName)];
    if (name !== nameBefore && this.#byName.has(name)) throw new RecordFailure('NAME-TAKEN');
    if (update.takesPassword) this.#requirePolicy(input);
    if (changesSignIn(update)) {
      const { editor, orgId } = this.#context;
      const about = { callerId: editor.userId, orgId, userId: user.id, purpose: 'credentials' } as const;
      await requireAuthority(this.#deps, about);
    }
    this.#takeValues(update.profile, user);
    const account = accountAfter(update, this.#toAccount({ ...input, id: user.id }));
    if (name !== nameBefore) this.#byName.delete(nameBefore);
    this.#remember(account);
    return { kind: 'updated', account, kept, update };
  }

  /** Whether a record is certainly about the user that it found. A userName alone may be that of somebody who registered here. */
  async #isMeant(known: Account, { id }: HumanUserInput): Promise<boolean> {
    return id !== undefined || this.#decided.has(known.user.id) || isFromSource(this.#deps, known);
  }

  /**
   * Compares a record with the stored user. A password in plain text is not compared: a file could try as many of them as it has records.
   */
  async #decideCompared(known: Account, given: HumanUserInput, record: number): Promise<Decision> {
    const { compared, now } = this.#context;
    const { password: _password, ...input } = given;
    const registered = this.#organization?.extensionSchemas;
    const names = await userDifferences(this.#deps, { known, input, registered });
    names.push(...differingDates(known.user, input.dates, now));
    const isTouched = isTouchedSince(known, names);
    compared?.(record, {
      key: input.id ?? input.profile.userName,
      given: givenContent(input, now),
      stored: storedContent(this.#deps, { known, input, isTouched }, now),
      storedKey: known.user.id,
    });
    if (names.length > 0 && !isTouched) throw otherContent(names);
    return { kind: 'skipped', account: known };
  }

  /** Takes the values that no two users may have. @throws RecordFailure if another user has one */
  #takeValues(profile: UserProfile, before?: UserProfile): void {
    const own = new Set(before && uniqueValueKeys(before));
    const fresh = uniqueValueKeys(profile).filter((key) => !own.has(key));
    const taken = new Set(fresh.filter((key) => this.#takenKeys.has(key)));
    const conflict = conflictOf(profile, taken, this.#organization?.extensionSchemas);
    if (conflict !== undefined) throw new RecordFailure('VALUE-TAKEN', conflict.message);
    for (const key of fresh) this.#takenKeys.add(key);
  }

  /** The changed users, with hashes of the passwords that came in plain text. */
  async #changedBy(updates: readonly UserUpdate[]): Promise<ChangedUser[]> {
    const given = await this.#withHashes(
      updates.map(({ known, input, takesPassword }) => {
        const { password: _, ...others } = input;
        const taken = takesPassword ? input : others;
        return { input: taken, added: this.#toAccount({ ...taken, id: known.user.id }) };
      }),
    );
    return updates.map((update, index) => updatedUser(update, given[index] ?? {}, this.#context));
  }

  #requirePolicy({ password }: HumanUserInput): void {
    if (password === undefined) return;
    if (this.#organization === undefined) {
      // A verification also reads the people of an organization that is not there.
      if (this.#context.compared !== undefined) return;
      throw new AppError(directoryErrors.organizationNotFound);
    }
    requireGoodPassword(password, this.#organization.passwordPolicy);
  }

  /** The organization. If a dry run would add it, the one of its record. */
  async #findOrganization(): Promise<RulesOfUsers | undefined> {
    const { orgId, findReservingRecords } = this.#context;
    const organization = await this.#deps.caches.organizations.get(orgId);
    if (organization !== undefined) return organization;
    const [record] = await findReservingRecords([reservedName.org(orgId)], organizationKey);
    return record === undefined ? undefined : newOrganization(orgId, record);
  }

  #reservedNamesOf({ user }: Account, kind: 'created' | 'updated'): string[] {
    const { orgId } = this.#context;
    const { id, userName } = user;
    return [
      // The store has the others of a user that is updated.
      ...(kind === 'created' ? [reservedName.user(id), reservedName.humanUserOf(orgId, id)] : []),
      reservedName.userOf(orgId, id),
      reservedName.userName(orgId, userName),
      ...uniqueValueKeys(user).map((key) => reservedName.uniqueValue(orgId, key)),
    ];
  }

  #toAccount({ id = newId(), profile, hash, totpSecret, ...rest }: HumanUserInput): NewUser {
    const { orgId, now } = this.#context;
    const { password, passwordChangeRequired, recovery, dates } = rest;
    // However old the user is, nobody had the names here before: see decision 0016.
    const loginNamesSince = dates.created < now && loginNamesFrom(profile, now);
    const hasPassword = hash !== undefined || password !== undefined;
    return {
      user: {
        ...profile,
        id,
        orgId,
        version: 1,
        ...dates,
        ...importedAt(dates, now),
        ...(loginNamesSince && { loginNamesSince }),
      },
      ...(hash !== undefined && {
        password: { hash, changed: now, ...(passwordChangeRequired && { changeRequired: true }) },
      }),
      ...(totpSecret !== undefined && {
        totp: {
          sealed: sealTotpSecret(this.#deps.totpSealer, id, totpSecret),
          lastStep: 0,
          enrolled: now,
          ...(recovery && { recovery }),
        },
      }),
      ...((hasPassword || totpSecret !== undefined) && {
        importedCredentials: {
          ...(hasPassword && { password: now }),
          ...(hash !== undefined && { passwordHash: this.#deps.hashFingerprints.of(id, hash) }),
          ...(totpSecret !== undefined && { totp: now }),
        },
      }),
    };
  }

  /** Hashes the passwords that came in plain text, a few at once. */
  async #withHashes(created: readonly { input: HumanUserInput; added: NewUser }[]): Promise<NewUser[]> {
    const users = created.map(({ added }) => added);
    const place = { purpose: 'other', orgId: this.#context.orgId } as const;
    const left = created.flatMap(({ input: { password, passwordChangeRequired } }, index) =>
      password === undefined ? [] : [{ password, passwordChangeRequired, index }],
    );
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const { password, passwordChangeRequired, index } = next;
        const hash = await this.#deps.passwords.hash(password, place);
        users[index] = {
          ...(users[index] as NewUser),
          password: {
            hash,
            changed: this.#context.now,
            ...(passwordChangeRequired && { changeRequired: true }),
          },
        };
      }
    };
    await Promise.all(Array.from({ length: hashesAtOnce }, work));
    return users;
  }
}
