import { mayBePassword } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { directoryErrors } from '#src/directory/index.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { type FindAccountDeps, findAccount } from './find-account.js';
import type { LoginAttempts } from './login-attempts.store.js';

interface SamplePasswordsDeps extends FindAccountDeps {
  readonly passwords: Pick<PasswordHasher, 'verify'>;
  readonly loginAttempts: Pick<LoginAttempts, 'begin' | 'takeBack'>;
  readonly mongo: Mongo;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** A login name and the password that it is said to have. */
interface PasswordSample {
  /** As a person types it. */
  readonly loginName: string;
  readonly password: string;
}

/**
 * `confirmed`: the stored hash is of this password. `refused`: it is of another one. `noPassword`: the user has none. `unknown`: the
 * name means nobody. `limited`: too many samples of this user, so nothing was compared. `tooLong`: no sign-in takes such a password, so
 * nothing was compared.
 */
export type SampleOutcome = 'confirmed' | 'refused' | 'noPassword' | 'unknown' | 'limited' | 'tooLong';

/** The most samples of one request. */
export const mostSamples = 100;
/** The most samples of one caller, and of one user, within `MUSTER_LOGIN_LOCK_SECONDS`. */
const mostOfCaller = 1_000;
const mostOfUser = 5;
/** The most hashes that one request computes at once. */
const hashesAtOnce = 4;

/**
 * Says for each sample whether the stored hash confirms the password. It is no sign-in: it begins no session, replaces no hash, and
 * counts as no failed sign-in. A caller who may export the hashes may call it. Few samples are allowed, so that nobody guesses
 * passwords with it. An event counts the samples, and names neither passwords nor people.
 * @param sampled at most {@link mostSamples}. `orgId`: the organization of the names. Without it they are looked up as at the login page
 * @returns the outcomes in the order of the samples
 * @throws AppError `directory.samplesExhausted`, `keys.hashPoolSaturated`
 */
export async function samplePasswords(
  deps: SamplePasswordsDeps,
  sampled: {
    readonly samples: readonly PasswordSample[];
    readonly orgId?: string | undefined;
    readonly editor: Editor;
  },
): Promise<SampleOutcome[]> {
  const { samples, orgId, editor } = sampled;
  const outcomes: SampleOutcome[] = [];
  const left = [...samples.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, sample] = next;
      const asked = { orgId, callerId: editor.userId };
      // The others stop too.
      outcomes[index] = await outcomeOf(deps, sample, asked).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: hashesAtOnce }, work));
  if (Object.keys(outcomes).length > 0) await recordSamples(deps, { outcomes, orgId, editor });
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return outcomes;
}

async function outcomeOf(
  deps: SamplePasswordsDeps,
  { loginName, password }: PasswordSample,
  { orgId, callerId }: { orgId: string | undefined; callerId: string },
): Promise<SampleOutcome> {
  const { loginAttempts, passwords } = deps;
  const subjectOfCaller = `samples-by:${callerId}`;
  const ofCaller = await loginAttempts.begin(subjectOfCaller, mostOfCaller);
  if (!ofCaller.allowed) {
    const { retryAfterSeconds } = ofCaller;
    throw new AppError(directoryErrors.samplesExhausted, { retryAfterSeconds });
  }
  const counted = [subjectOfCaller];
  try {
    if (!mayBePassword(password)) return 'tooLong';
    const account = await findAccount(deps, { text: loginName, ...(orgId !== undefined && { orgId }) });
    if (account === undefined) return 'unknown';
    const { user } = account;
    if (account.password === undefined) return 'noPassword';
    const subjectOfUser = `samples-of:${user.id}`;
    if (!(await loginAttempts.begin(subjectOfUser, mostOfUser)).allowed) return 'limited';
    counted.push(subjectOfUser);
    const asked = { purpose: 'other', orgId: user.orgId } as const;
    const isRight = await passwords.verify(account.password.hash, password, asked);
    return isRight ? 'confirmed' : 'refused';
  } catch (error) {
    // Nothing was compared, so it does not count. If that fails too, it stays counted.
    await Promise.allSettled(counted.map((subject) => loginAttempts.takeBack(subject)));
    throw error;
  }
}

/** Records how many samples had which outcome, also if the rest of them failed. */
async function recordSamples(
  { mongo, events, clock }: SamplePasswordsDeps,
  {
    outcomes,
    orgId,
    editor,
  }: { outcomes: readonly SampleOutcome[]; orgId: string | undefined; editor: Editor },
): Promise<void> {
  const counts: Partial<Record<SampleOutcome, number>> = {};
  for (const outcome of Object.values(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const event = newEvent('passwords.sampled', {
    aggregate: 'instance',
    id: newId(),
    editor,
    sequence: 1,
    date: clock.now(),
    payload: { ...counts, ...(orgId !== undefined && { orgId }) },
  });
  await mongo.transactionOf(editor.userId, (transaction) => events.append([event], transaction));
}
