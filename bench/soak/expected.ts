/** A user that a client has requested. */
interface Asked {
  /** Whether a client was told that the user exists. */
  isTold: boolean;
  /** The display name of the last change, if there was one. */
  displayName?: string;
}

/** The data that must exist at the end. */
export interface Expected {
  /** The users by name. */
  readonly users: ReadonlyMap<string, Readonly<Asked>>;
  /** Tokens that a client was told are revoked. */
  readonly revoked: string[];
  /** The number of confirmed users that an earlier try created whose response was lost in a fault. */
  readonly madeUnanswered: number;
  /** A client is about to request these users. */
  ask(userNames: readonly string[]): void;
  /** A client was told that these users exist. Tries whose response was lost created this many of them. */
  tell(userNames: readonly string[], unanswered: number): void;
  /** A client was told that a user has this display name. */
  rename(userName: string, displayName: string): void;
}

export function createExpected(): Expected {
  const users = new Map<string, Asked>();
  let madeUnanswered = 0;
  return {
    users,
    revoked: [],
    get madeUnanswered() {
      return madeUnanswered;
    },
    ask(userNames) {
      for (const userName of userNames) users.set(userName, { isTold: false });
    },
    tell(userNames, unanswered) {
      for (const userName of userNames) users.set(userName, { isTold: true });
      madeUnanswered += unanswered;
    },
    rename(userName, displayName) {
      users.set(userName, { isTold: true, displayName });
    },
  };
}
