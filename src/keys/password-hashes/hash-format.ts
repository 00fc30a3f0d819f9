/** A password hash that was read from its text. */
export interface PasswordHash {
  /** The text that is stored. Texts of several systems that say the same have one stored form. */
  readonly text: string;
  /** The time of a comparison on one core of 2024, in milliseconds. It is computed from the parameters, not measured. */
  readonly milliseconds: number;
  /** The memory that a comparison needs, in KiB. Absent if it is small. */
  readonly memoryKib?: number;
  /**
   * Whether the password has this hash, in a time that does not depend on where the two differ. It computes on the thread
   * that calls it. Absent for argon2, which its own library compares.
   * @param pepper that of the organization. Only a hash with `needsPepper` looks at it
   */
  readonly matches?: (password: string, pepper?: string) => boolean;
  /** What the library of argon2 compares. */
  readonly argon2?: Argon2Hash;
  /** Whether the hash is of the password together with a secret that the hash does not contain. Without it, no password matches. */
  readonly needsPepper?: true;
}

interface Argon2Hash {
  /** The form that the library reads. */
  readonly text: string;
  /** Whether the pepper is the secret K of RFC 9106 section 3.1, if the organization has one. */
  readonly isKeyed?: boolean;
  /** The text of which the hash is. Absent if it is the password. */
  readonly prepare?: (password: string, pepper: string) => string;
}

/** What a text is: a hash, a hash that costs more or less than the bounds of its format, or nothing of this format. */
export type HashReading = PasswordHash | 'costOutOfBounds' | undefined;

/**
 * A form in which a system writes password hashes. A format that only wraps another one reads the text within it
 * by `readInner`.
 */
export type HashFormat = (text: string, readInner: (text: string) => HashReading) => HashReading;
