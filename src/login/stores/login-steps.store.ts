import type { Proof } from '#src/authentication/proofs/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
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
}

/** Sign-ins that user agents have begun. Redis keeps each for ten minutes. */
export interface LoginStepsStore {
  /** @param flow the flow of a waiting authorization request, or '' when the person signs in to the account page */
  put(agentHash: string, flow: string, step: LoginStep): Promise<void>;
  find(agentHash: string, flow: string): Promise<LoginStep | undefined>;
  remove(agentHash: string, flow: string): Promise<void>;
}

const stepMs = 600_000;

/** Opens the store of sign-ins that have begun. */
export function createLoginStepsStore({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): LoginStepsStore {
  const stepKey = (agentHash: string, flow: string) =>
    `${prefix}:login-step:${agentHash}:${flow === '' ? '' : hashSecret(flow)}`;
  return {
    async put(agentHash, flow, step) {
      await redis.set(stepKey(agentHash, flow), JSON.stringify(step), 'PX', stepMs);
    },
    async find(agentHash, flow) {
      const text = await redis.get(stepKey(agentHash, flow));
      return text === null ? undefined : JSON.parse(text);
    },
    async remove(agentHash, flow) {
      await redis.del(stepKey(agentHash, flow));
    },
  };
}
