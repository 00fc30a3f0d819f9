import type { Account } from '#src/accounts/index.js';
import type { Attempt, LoginAttempts } from './login-attempts.store.js';

export interface CheckWithinLimitsDeps {
  readonly loginAttempts: LoginAttempts;
  readonly config: { readonly loginMaxFailures: number; readonly loginMaxFailuresPerAddress: number };
}

/** The outcome of a check. `locked` means that too many earlier checks failed. It says nothing about this one. */
export type CheckOutcome =
  | {
      readonly kind: 'right';
      /** The account that this check created, or gave its first password. */
      readonly takenOver?: Account;
    }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** What an attempt counts for. */
interface Counted {
  /** A lock of this subject is told. Absent if only the address counts. */
  readonly shown?: string;
  /** A lock of this subject, such as the account behind a name, looks like a wrong proof. */
  readonly hidden?: string;
  /** Counts the subjects, if it is not `loginAttempts`. */
  readonly by?: LoginAttempts;
  /** Undefined for a browser of the user, which does not wait for others at its address. */
  readonly address?: string | undefined;
  /** What the failures of the address are of, if they count apart from wrong passwords and codes. */
  readonly form?: 'passkey';
}

/** An attempt that counts already. */
export interface BegunAttempt extends Pick<Counted, 'shown' | 'hidden'> {
  readonly counts: readonly Count[];
  /** What each count says. */
  readonly begun: readonly Attempt[];
}

/**
 * Runs a check within the limits of its subjects and of its address, if it has one. The attempt counts before the check runs.
 * @param check gets false if no proof may be right. It then does the same work
 * @returns `last`: this attempt locked the account, or the browser if only that counts
 */
export async function checkWithinLimits(
  deps: CheckWithinLimitsDeps,
  counted: Counted,
  check: (mayBeRight: boolean) => Promise<boolean>,
): Promise<CheckedAttempt> {
  const { outcome, last, settle } = await checkBegun(await beginAttempt(deps, counted), check);
  await settle();
  return { outcome, last };
}

interface CheckedAttempt {
  readonly outcome: CheckOutcome;
  readonly last: boolean;
}

/** An attempt that counts until it is settled. */
export interface UnsettledAttempt extends CheckedAttempt {
  /** Ends the count of an attempt that was right, once however often it is called. Any other counts on. */
  settle(): Promise<void>;
}

/** Counts an attempt. {@link checkBegun} or {@link takeBackAttempt} must follow. */
export async function beginAttempt(
  { loginAttempts, config }: CheckWithinLimitsDeps,
  { shown, hidden, by = loginAttempts, address, form: addressForm }: Counted,
): Promise<BegunAttempt> {
  const counts: Count[] = [
    ...(shown === undefined
      ? []
      : [{ store: by, subject: shown, limit: config.loginMaxFailures, isTold: true }]),
    ...(address === undefined
      ? []
      : [
          {
            store: loginAttempts,
            subject: `${addressForm ?? 'address'}:${address}`,
            limit: config.loginMaxFailuresPerAddress,
            isTold: true,
          },
        ]),
    ...(hidden === undefined ? [] : [{ store: by, subject: hidden, limit: config.loginMaxFailures }]),
  ];
  return { counts, begun: await beginAll(counts), ...(shown && { shown }), ...(hidden && { hidden }) };
}

/** Takes an attempt back that nothing was checked for. */
export function takeBackAttempt({ counts, begun }: BegunAttempt): Promise<void> {
  // What a lock refused was not counted.
  return takeBackAll(counts.filter((_count, index) => begun[index]?.allowed === true));
}

/**
 * Runs the check of an attempt that counts already, as {@link checkWithinLimits} does. The caller settles the attempt, and so chooses with what
 * other message to Redis.
 */
export async function checkBegun(
  { counts, begun, shown, hidden }: BegunAttempt,
  check: (mayBeRight: boolean) => Promise<boolean>,
): Promise<UnsettledAttempt> {
  const isRefusing = (index: number) => counts[index]?.isTold === true && begun[index]?.allowed === false;
  const refusing = begun.find((_attempt, index) => isRefusing(index));
  if (refusing !== undefined) {
    // Take the attempt back from every counter that would have let it pass.
    await takeBackAll(counts.filter((_count, index) => !isRefusing(index)));
    const { retryAfterSeconds } = refusing;
    return { outcome: { kind: 'locked', retryAfterSeconds }, last: false, settle: async () => undefined };
  }
  // The hidden count is the account's. If no account has the name, it is the name's.
  const deciding = begun[hidden === undefined ? 0 : counts.length - 1] as Attempt;
  let right: boolean;
  try {
    right = (await check(deciding.allowed)) && deciding.allowed;
  } catch (error) {
    await takeBackAll(counts).catch(() => undefined);
    throw error;
  }
  const end = async () => {
    const ended = counts.map(({ store, subject }) =>
      subject === shown || subject === hidden ? store.forget(subject) : store.takeBack(subject),
    );
    await Promise.all(ended);
  };
  let settled: Promise<void> | undefined;
  const settle = async () => {
    if (right) settled ??= end();
    await settled;
  };
  return { outcome: { kind: right ? 'right' : 'wrong' }, last: deciding.last, settle };
}

/** One count of an attempt. */
interface Count {
  readonly store: LoginAttempts;
  readonly subject: string;
  readonly limit: number;
  /** Whether a lock is told. */
  readonly isTold?: boolean;
}

/** Begins an attempt under each count. If one cannot be counted, none is. */
async function beginAll(counts: readonly Count[]): Promise<Attempt[]> {
  const begun = counts.map(({ store, subject, limit }) => store.begin(subject, limit));
  try {
    return await Promise.all(begun);
  } catch (error) {
    const settled = await Promise.allSettled(begun);
    // What a lock refused was not counted, and must not be taken back: that would end the lock.
    const counted = counts.filter((_count, index) => {
      const one = settled[index];
      return one?.status === 'fulfilled' && one.value.allowed;
    });
    await takeBackAll(counted).catch(() => undefined);
    throw error;
  }
}

async function takeBackAll(counts: readonly Count[]): Promise<void> {
  await Promise.all(counts.map(({ store, subject }) => store.takeBack(subject)));
}
