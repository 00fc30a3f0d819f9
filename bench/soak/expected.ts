/** A user that was asked for. */
interface Asked {
  /** Whether a client was told that it is there. */
  isTold: boolean;
  /** Of the last change, if there was one. */
  displayName?: string;
}

/** What must be found at the end. */
export interface Expected {
  /** By name. */
  readonly users: ReadonlyMap<string, Readonly<Asked>>;
  /** Tokens that a client was told are revoked. */
  readonly revoked: string[];
  /** Told users that a try before had made, whose answer was lost in a fault. */
  readonly madeUnanswered: number;
  /** A client is about to send for them. */
  ask(userNames: readonly string[]): void;
  /** A client was told that they are there, so many of them by a try whose answer was lost. */
  tell(userNames: readonly string[], unanswered: number): void;
  /** A client was told that a user is called this now. */
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
