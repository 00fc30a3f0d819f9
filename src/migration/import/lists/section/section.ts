import type { Editor } from '#src/audit/event.js';
import type { QuotaKind } from '#src/directory/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportCode } from './import-codes.js';

/** `external`: the users of another identity provider (`dataOrgs`). `instance`: an export of this service (`dataOrgsv1`). */
export type ImportForm = 'external' | 'instance';

/** The `type` of an element of `errors`. */
export type ImportErrorType =
  | 'org'
  | 'human_user'
  | 'human_user_otp'
  | 'machine_user'
  | 'group'
  | 'group_member'
  | 'user_metadata'
  | 'identity_link'
  | 'webauthn_credential'
  | 'project'
  | 'oidc_app'
  | 'api_app'
  | 'project_role'
  | 'org_member'
  | 'project_member'
  | 'user_grant'
  | 'group_grant'
  | 'application_grant'
  | 'connection'
  | 'domain'
  /** The whole import: it failed or was cancelled. */
  | 'import'
  /** The whole import: its timeout passed. */
  | 'timeout';

/** What became of one record. `id` is the identifier that the report gives it; empty where the record has none. */
export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'skipped'; readonly id: string }
  | {
      readonly kind: 'failed';
      readonly id: string;
      /** Where it is not the section's type. */
      readonly type?: ImportErrorType;
      readonly code: ImportCode;
      /** What exactly is wrong. It never holds a secret. */
      readonly message: string;
      /** Where the record is in the text. The import adds it. */
      readonly place?: { readonly line?: number; readonly position: number };
      /** What the record says of itself. The import adds it. */
      readonly identifiers?: Readonly<Record<string, string>>;
    };

/** A record, and the object that the service has under its key. */
export interface Comparison {
  /** Tells the record from others of its list and organization. */
  readonly key: string;
  /** The record, in the form of the directory. It does not depend on the object. */
  readonly given: unknown;
  /** The object. Absent if there is none. If the record is the same, it counts as the record has it. */
  readonly stored?: unknown;
  /** The key of the object, if it is not that of the record. */
  readonly storedKey?: string;
  /** Whether `given` and `stored` certainly have the same JSON. Undefined if nobody has looked. */
  readonly isSame?: boolean;
}

/** What an import does with people who could not sign in. */
export interface CredentialRules {
  /** `drop`: a password hash that cannot be read is left out, and the report warns of it. Absent means `refuse`. */
  readonly unreadableHashes?: 'refuse' | 'drop';
  /**
   * Whether an active person of the external form may have neither a password nor a verified address. Absent means `allow` where the organization has
   * a migration hook, or where hashes are dropped, and otherwise `refuse`.
   */
  readonly withoutCredentials?: 'refuse' | 'allow';
}

/** For whom and into which organization records are imported. */
export interface SectionContext extends CredentialRules {
  /** The organization whose list has the records. */
  readonly orgId: string;
  readonly form: ImportForm;
  readonly editor: Editor;
  /** The records of the part that have failed already and are not planned, as far as they could be read. */
  readonly failed: readonly unknown[];
  /** Whether an object that exists takes over the values of its record. Otherwise a record with other content fails. */
  readonly update: boolean;
  /** The attributes that the source says of every person. An update empties them where a record has none. */
  readonly statedAttributes?: ReadonlySet<string>;
  /**
   * Whether the requester is an owner of the organization, and not of the instance. Then the records do not say who has a domain or an
   * address: the verified ones count for sign-ins in all organizations.
   */
  readonly isConfined?: boolean;
  /** The creation time of everything in the part. */
  readonly now: Date;
  /**
   * Returns those of the names that earlier parts of a dry run reserved. A dry run writes nothing, so later parts find
   * neither references nor duplicates in the database. Outside of a dry run the result is empty.
   */
  findReserved(names: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the records that reserved one of the names in earlier parts of a dry run, in the order of the file. Outside
   * of a dry run the result is empty.
   * @param section key of the list that has the records; by default the list that is planned
   */
  findReservingRecords(names: readonly string[], section?: string): Promise<readonly unknown[]>;
  /**
   * Only in a verification: tells what a record was compared with. The dates of records and the settings of organizations are then
   * compared too. A record that is twice in the file is missing twice.
   * @param record index of the record among those that are planned
   */
  readonly compared?: ((record: number, comparison: Comparison) => void) | undefined;
}

/** What a section is going to do with some records. */
export interface SectionPlan {
  /** One for each record, in their order. */
  readonly outcomes: readonly Outcome[];
  /**
   * Values that the update did not take over, and values that a person should check. The report warns of both.
   */
  readonly doubts?: readonly DoubtfulValue[];
  /** How the people of the plan who are created or updated can sign in. */
  readonly signIns?: SignIns;
  /**
   * Writes what is created and updated, and its events, in the transaction that also records the outcomes. It may run several times.
   * A dry run never calls it. A plan that changes nothing does not need it.
   */
  write?(transaction: Transaction): Promise<void>;
  /** Tells other processes of changed objects after the transaction, also if nobody knows whether it was committed. Never fails. */
  tried?(): Promise<void>;
  /** Invalidates caches after the commit. Never fails. */
  written?(): Promise<void>;
  /** What the created and updated records reserve, for {@link SectionContext.findReserved} of later parts. */
  readonly reservations?: readonly Reservation[];
}

/**
 * Numbers of people by what lets them sign in first: a password, a link to a verified address, or the migration hook. `none`: nothing does,
 * so a client or an administrator must give them something. `disabled`: they may not.
 */
export interface SignIns {
  readonly password: number;
  readonly link: number;
  readonly hook: number;
  readonly none: number;
  readonly disabled: number;
}

/** A value of a record in place of which the stored object keeps its own, or that somebody should look at. */
export interface DoubtfulValue {
  /** Index of the record among those that are planned. */
  readonly record: number;
  /** Such as `user.otpCode`. */
  readonly path: string;
}

/** The names that one record reserves, such as `user/{id}`: see reservations.ts. */
export interface Reservation {
  /** Index of the record among those that are planned. */
  readonly record: number;
  readonly names: readonly string[];
}

/** What the identifier of a record can name that an import finds again under another identifier. */
export type RecognizedKind = 'user' | 'group';

/** A record that failed because its identifier or its name is taken. */
export interface TakenRecord {
  readonly value: unknown;
  readonly code: 'ID-TAKEN' | 'NAME-TAKEN';
}

/**
 * Finds objects that came in under another identifier than that of their record: an earlier conversion made another one, or
 * the source has numbered its people anew. The record is then about the object that has its name.
 */
export interface Recognition {
  readonly kind: RecognizedKind;
  /** The identifier of a record, if it has one. */
  idOf(record: unknown): string | undefined;
  /** The record under another identifier. */
  renamed(record: object, id: string): object;
  /**
   * Returns the identifier that each of these records should have, or undefined for a record that has failed rightly. It names only objects of the
   * organization, and new ones.
   * @param of `started`: when the import began. Its own objects are not found again
   */
  find(
    taken: readonly TakenRecord[],
    of: { readonly orgId: string; readonly started: Date },
  ): Promise<readonly (string | undefined)[]>;
}

/** The identifiers in the records of a list that refer to objects of earlier phases, by their names. */
export interface References {
  readonly names: Readonly<Record<string, RecognizedKind>>;
  /** Whether they may refer to objects of other organizations. Those of the file come first then. */
  readonly reachElsewhere?: true;
}

/** How the records of one list of an organization are imported. */
export interface ImportSection {
  /** The key of the list in an organization, in lowerCamelCase. */
  readonly key: string;
  /** The forms of import that have the list. */
  readonly forms: readonly ImportForm[];
  readonly errorType: ImportErrorType;
  /** The quota that limits the created records. */
  readonly quota?: QuotaKind;
  /**
   * The most records of one part of a verification, if they are more than those of an import: a verification writes nothing. The section
   * compares each record by itself, so a part may be planned in slices.
   */
  readonly comparedAtOnce?: number;
  /** The list of `success.orgs[]` that names what was created; absent where the report does not name it. */
  readonly successKey?: string;
  /** Absent for a list whose objects are known by their identifiers alone. */
  readonly recognition?: Recognition;
  readonly references?: References;
  /** All parts of a phase are done before the next phase begins, so that records can refer to earlier phases. */
  readonly phase: number;
  /**
   * Checks records, and looks up what exists, all outside of a transaction. A record is any JSON value with keys in
   * lowerCamelCase. A record that exists with the same content is `skipped`. A record that exists with other content is `updated` if the
   * context says so, and has `failed` otherwise. When a write races with another write, it fails with a duplicate key or `PlanOutdated`. The part is then
   * planned again.
   * @param records at most 500, or at most `comparedAtOnce` in a verification
   */
  plan(records: readonly unknown[], context: SectionContext): Promise<SectionPlan>;
}

/** All sections. */
export interface ImportSections {
  /** Returns the section of a list; undefined where the form does not have the list. */
  find(key: string, form: ImportForm): ImportSection | undefined;
  /** Every phase once, in order. */
  readonly phases: readonly number[];
  /** The keys of the sections of earlier phases, in all forms. */
  before(phase: number): readonly string[];
}
