import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { AuthenticationMethod } from '#src/sessions/session.js';

/** How far somebody has come who is signing in: known by name and partly proved, not signed in yet. */
export interface LoginStep {
  readonly userId: string;
  readonly orgId: string;
  /** What was proved so far. */
  readonly amr: readonly AuthenticationMethod[];
  /** When the password that was proved was set, in milliseconds: another one ends the way. */
  readonly passwordChanged?: number;
}

/** Ways through signing in that user agents are on, in Redis. Each is forgotten soon. */
export interface LoginStepsStore {
  /** @param flow the waiting authorization request, or '' where somebody signs in to the account page */
  put(agentHash: string, flow: string, step: LoginStep): Promise<void>;
  find(agentHash: string, flow: string): Promise<LoginStep | undefined>;
  remove(agentHash: string, flow: string): Promise<void>;
  /** Remembers which authorization request the agent waits with, for links that lead back into it. */
  rememberRequest(agentHash: string, requestId: string): Promise<void>;
  rememberedRequest(agentHash: string): Promise<string | undefined>;
}

const stepMs = 600_000;
const requestMs = 3_600_000;

export function createLoginStepsStore({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): LoginStepsStore {
  const stepKey = (agentHash: string, flow: string) => `${prefix}:login-step:${agentHash}:${flow}`;
  const requestKey = (agentHash: string) => `${prefix}:login-request:${agentHash}`;
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
    async rememberRequest(agentHash, requestId) {
      await redis.set(requestKey(agentHash), requestId, 'PX', requestMs);
    },
    async rememberedRequest(agentHash) {
      return (await redis.get(requestKey(agentHash))) ?? undefined;
    },
  };
}
