import type { Editor } from '#src/audit/event.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportCode } from './import-codes.js';

/** `external`: users of another identity provider (`dataOrgs`). `instance`: an export of this service (`dataOrgsv1`). */
export type ImportForm = 'external' | 'instance';

/** The `type` of an element of `errors`. */
export type ImportErrorType =
  | 'org'
  | 'human_user'
  | 'human_user_otp'
  | 'machine_user'
  | 'user_metadata'
  | 'project'
  | 'oidc_app'
  | 'api_app'
  | 'project_role'
  | 'org_member'
  | 'project_member'
  | 'user_grant'
  | 'domain'
  | 'timeout';

/** What became of one record. `id` is what the report calls it, as far as it can be told. */
export type Outcome =
  | { readonly kind: 'created' | 'skipped'; readonly id: string }
  | {
      readonly kind: 'failed';
      readonly id: string;
      /** Where it is another than that of the section. */
      readonly type?: ImportErrorType;
      readonly code: ImportCode;
      /** What exactly is wrong; never a secret. */
      readonly message: string;
    };

/** Where and for whom records are imported. */
export interface SectionContext {
  /** The organization that the records stand in. */
  readonly orgId: string;
  readonly form: ImportForm;
  readonly editor: Editor;
  /** The time that everything of the part is created at. */
  readonly now: Date;
  /**
   * In a dry run, which of these names parts before this one would have taken (see {@link SectionPlan.claims}):
   * nothing is written then, so that neither references nor duplicates would be found in the database. Otherwise empty.
   */
  claimed(names: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * In a dry run, the records of parts before this one that would have taken one of these names, in the order of the
   * file. Otherwise none: what they made is found in the database.
   * @param section key of the list that they are of; the one that is planned where it is absent
   */
  claimants(names: readonly string[], section?: string): Promise<readonly unknown[]>;
}

/** What a section makes of some records. */
export interface SectionPlan {
  /** One for each record, in their order. */
  readonly outcomes: readonly Outcome[];
  /**
   * Writes what is created and its events in the transaction that also records the outcomes. May run more than once,
   * and not at all in a dry run. Only needed where something is created.
   */
  write?(transaction: Transaction): Promise<void>;
  /** To be called after the commit, for caches. Never fails. */
  written?(): Promise<void>;
  /** What is created takes: what {@link SectionContext.claimed} tells later parts. */
  readonly claims?: readonly Claim[];
}

/** Names that what is created of a record takes, such as `user/{id}`. */
export interface Claim {
  /** Place of the record among those that are planned. */
  readonly record: number;
  readonly names: readonly string[];
}

/** How the records of one list of an organization are imported. */
export interface ImportSection {
  /** The key in an organization, in lowerCamelCase. */
  readonly key: string;
  readonly errorType: ImportErrorType;
  /** The list of `success.orgs[]` that names what was created; absent where none does. */
  readonly successKey?: string;
  /** What references are to: all parts of a phase are done before the next one begins. */
  readonly phase: number;
  /** Only in the instance form; the external one leaves the section out. */
  readonly instanceOnly: boolean;
  /**
   * Checks records and looks up what is there already, all of it outside of a transaction. A record is a JSON value of
   * any type, its keys in lowerCamelCase. What is there with the same content is `skipped`, with other content `failed`.
   * A write that races with another fails with a duplicate key or `PlanOutdated`; the part is then planned again.
   * @param records at most 500
   */
  plan(records: readonly unknown[], context: SectionContext): Promise<SectionPlan>;
}
