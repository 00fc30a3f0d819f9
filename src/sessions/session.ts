import type { TimedProof } from '#src/authentication/proofs/index.js';

/** Where a person signed in, as far as the browser says. */
export interface Device {
  /** Such as `Firefox`. */
  readonly browser?: string;
  /** The operating system, such as `Windows`. */
  readonly system?: string;
  /** The network address of the latest authentication. */
  readonly address?: string;
}

/** A person's sign-in at one user agent. An agent may hold one session for each of several people. */
export interface Session {
  /** The public identifier, which is the `sid` of ID tokens. */
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  /** Shown when the person chooses an account. */
  readonly userName: string;
  readonly displayName: string;
  /** When the person authenticated: the time of the earliest proof, so that every proof is at least as recent. */
  readonly authTime: Date;
  /** What the person proved, with the time of each proof. */
  readonly proofs: readonly TimedProof[];
  readonly created: Date;
  /** When the session was last used, to a fiftieth of the idle time. */
  readonly lastUsed: Date;
  /** When the latest proof was given. Absent in sessions of earlier versions, where it is {@link authTime}. */
  readonly proved?: Date;
  /** When the session ends, unless it is used again. */
  readonly expires: Date;
  /** Absent in sessions of earlier versions. */
  readonly device?: Device;
}

/** The connections by which the person of a session signed in. The session ends with each of them. Empty if the person proved itself here. */
export function connectionIdsOf({ proofs }: Pick<Session, 'proofs'>): string[] {
  return proofs.flatMap((proof) => (proof.kind === 'connection' ? [proof.connectionId] : []));
}
