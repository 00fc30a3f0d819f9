export type Json = Readonly<Record<string, unknown>>;

/** Where a sample is published. */
export interface Source {
  /** A repository of GitHub, or a documentation. */
  readonly project: string;
  readonly file: string;
  readonly licence: string;
  /** Whether the sample has every value of its source. Otherwise the sample says what it lacks. */
  readonly isWhole: boolean;
}

/** What a sample gives, and what should become of it. All of it is known without a conversion. */
export interface Expected {
  /** Paths whose values stand in the body of the import as they are. */
  readonly same: readonly string[];
  /** Paths whose values arrive in another form: flags, dates, hashes and links. */
  readonly other: readonly string[];
  /** The path of the name of a record. */
  readonly nameBy: string;
  /** The names of the records that are refused, with the code of the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}
