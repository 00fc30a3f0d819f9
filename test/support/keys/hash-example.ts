/** A password and its hash, as the owner of the form published or made it. */
export interface HashExample {
  /** Where the hash is from. */
  readonly source: string;
  readonly password: string;
  readonly hash: string;
  /** The stored form, if it differs from the hash. */
  readonly stored?: string;
  /** The pepper that the organization needs. */
  readonly pepper?: string;
  /** Whether the text alone does not show that it is a hash, because identifiers have the same form. */
  readonly isBare?: true;
}
