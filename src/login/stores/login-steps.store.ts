import type { Proof } from '#src/authentication/proofs/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { NewUser } from '#src/people/users/index.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** The proofs of a person who has begun to sign in. */
export interface LoginStep {
  readonly userId: string;
  readonly orgId: string;
  readonly proofs: readonly Proof[];
  /** The stamp of the person's credentials when the proofs were given. Another one makes the step void. */
  readonly credentialsStamp: string;
  /** Whether the person asked for the account page. */
  readonly toAccount?: true;
  /** Whether the person had signed in at the browser before. */
  readonly isKnownBrowser?: true;
  /** Whether the person may set up a factor that is demanded already. */
  readonly mayEnrol?: true;
  /** Whether the browser said that it can make a passkey. */
  readonly hasAuthenticator?: true;
  /** Whether the person wants to set up the factor of a later day another time. */
  readonly putsOff?: true;
  /** The identity that the person proves this account for, by its secret; see `linking/`. */
  readonly links?: string;
  /** The account of a person who registers, and sets up a factor next. It is nowhere else before that. */
  readonly newcomer?: Newcomer;
}

/** The account of a person who registers. */
export type Newcomer = Pick<NewUser, 'user' | 'password'>;

/** Sign-ins that user agents have begun. Redis keeps each for ten minutes. */
export interface LoginStepsStore {
  /** @param flow the flow of a waiting authorization request, or '' when the person signs in to the account page */
  put(agentHash: string, flow: string, step: LoginStep): Promise<void>;
  find(agentHash: string, flow: string): Promise<LoginStep | undefined>;
  remove(agentHash: string, flow: string): Promise<void>;
}

/** How long a sign-in that has begun waits, in milliseconds. */
export const loginStepMs = 600_000;

/** Opens the store of sign-ins that have begun. */
export function createLoginStepsStore({
  redis,
  prefix,
  sealer,
}: {
  redis: RedisConnection;
  prefix: string;
  /** Seals what people typed who register. */
  sealer: Sealer;
}): LoginStepsStore {
  const stepKey = (agentHash: string, flow: string) =>
    `${prefix}:login-step:${agentHash}:${flow === '' ? '' : hashSecret(flow)}`;
  return {
    async put(agentHash, flow, { newcomer, ...step }) {
      const kept = newcomer === undefined ? step : { ...step, newcomer: sealNewcomer(sealer, newcomer) };
      await redis.set(stepKey(agentHash, flow), JSON.stringify(kept), 'PX', loginStepMs);
    },
    async find(agentHash, flow) {
      const text = await redis.get(stepKey(agentHash, flow));
      if (text === null) return undefined;
      const { newcomer, ...step } = JSON.parse(text);
      if (newcomer === undefined) return step;
      const opened = openNewcomer(sealer, newcomer);
      return opened && { ...step, newcomer: opened };
    },
    async remove(agentHash, flow) {
      await redis.del(stepKey(agentHash, flow));
    },
  };
}

function sealNewcomer(sealer: Sealer, newcomer: Newcomer): string {
  return sealer.seal(Buffer.from(JSON.stringify(newcomer))).toString('base64url');
}

function openNewcomer(sealer: Sealer, sealed: string): Newcomer | undefined {
  const plaintext = sealer.unseal(Buffer.from(sealed, 'base64url'));
  if (plaintext === undefined) return undefined;
  const { user, password } = JSON.parse(plaintext.toString());
  return {
    user: { ...user, created: new Date(user.created), lastModified: new Date(user.lastModified) },
    ...(password && { password: { ...password, changed: new Date(password.changed) } }),
  };
}
