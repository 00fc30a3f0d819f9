import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { Clock } from '#src/platform/clock.js';
import { newSecret } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { deflateSmall, inflateSmall } from './small-deflate.js';

/** A request with the user agent that may continue it. */
export type WaitingRequest = AuthorizationRequest & { readonly agentHash: string };

/**
 * A request, and what became of it. A request is `expired` {@link waitingSeconds} after it arrived, answered or not. `sessionId` of an
 * answered request is the session that answered it.
 */
export type FoundRequest = WaitingRequest & { readonly stage: 'waiting' | 'answered' | 'expired' };

/**
 * Authorization requests that wait for a person to sign in. A request waits in the address of the login pages, sealed.
 * Redis stores nothing before a person has proved who it is, so that nobody can fill it. It then has the session of the
 * request, and afterwards a mark that the request was answered.
 */
export interface AuthorizationRequestsStore {
  /** The text that stands for the request in addresses and forms: the flow. */
  seal(request: WaitingRequest): string;
  /** Whether the flow of this request is short enough to be found again. */
  fits(request: AuthorizationRequest): boolean;
  /** The request of a flow, whatever became of it. Undefined for a text that this service did not seal. */
  find(flow: string): Promise<FoundRequest | undefined>;
  /**
   * The same request as if it arrived at this moment: a sign-in before it is not fresh. Its session stays chosen, and if it was answered,
   * the person has an account. The application may have changed since the request was checked, so the caller checks the request again
   * before an answer.
   */
  renew(request: FoundRequest): AuthorizationRequest;
  /** Sets the session of a request that still waits, and whether its person consented. */
  update(flow: string, patch: Pick<WaitingRequest, 'sessionId' | 'consented'>): Promise<void>;
  /**
   * Ends a request.
   * @param sessionId the session that answered it, if one did
   * @returns whether it waited: true for only one of several callers
   */
  end(flow: string, sessionId?: string): Promise<boolean>;
}

/** How long a request waits. After that it begins anew. */
const waitingSeconds = 1_800;

/**
 * The longest flow, in characters. A longer request is refused. An address with it fits into the 32 KiB that the server accepts for
 * all headers.
 */
export const maxFlowLength = 24_000;
/** The longest request, in bytes. */
const maxRequestBytes = 64 * 1024;
/** Stands for the hash of the user agent, which is as long. */
const agentHash = hashSecret('');
/** Requests of so few bytes always fit, with the hash and the seal. */
const alwaysFits = maxFlowLength / 2;

/** Comes before the session that answered a request, if there is one. */
const ended = 'ended';
/** Follows the session of a request whose person consented. */
const consented = 'consented';

/** @returns whether the session was stored: a request that was answered keeps its mark */
const updateScript = `
  local before = redis.call('GET', KEYS[1])
  if before and string.sub(before, 1, ${ended.length}) == '${ended}' then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
  return 1`;

const endScript = `
  local before = redis.call('GET', KEYS[1])
  if before and string.sub(before, 1, ${ended.length}) == '${ended}' then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
  return 1`;

export function createAuthorizationRequestsStore(deps: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
  /** With a purpose of its own. */
  sealer: Sealer;
}): AuthorizationRequestsStore {
  const { redis, prefix, clock, sealer } = deps;
  const keyOf = (id: string) => `${prefix}:authorization-request:${hashSecret(id)}`;

  function unseal(flow: string): WaitingRequest | undefined {
    if (flow.length > maxFlowLength) return undefined;
    const sealed = sealer.unseal(Buffer.from(flow, 'base64url'));
    if (sealed === undefined) return undefined;
    const { created, ...rest } = JSON.parse(inflateSmall(sealed, maxRequestBytes));
    return { ...rest, created: new Date(created) };
  }

  const isExpired = ({ created }: WaitingRequest) =>
    clock.now().getTime() >= created.getTime() + waitingSeconds * 1000;

  function unsealWaiting(flow: string): WaitingRequest | undefined {
    const request = unseal(flow);
    return request === undefined || isExpired(request) ? undefined : request;
  }

  const seal = (text: string) => sealer.seal(deflateSmall(text)).toString('base64url');

  return {
    seal: (request) => seal(JSON.stringify(request)),
    fits(request) {
      const text = JSON.stringify({ ...request, agentHash });
      const bytes = Buffer.byteLength(text);
      return bytes <= alwaysFits || (bytes <= maxRequestBytes && seal(text).length <= maxFlowLength);
    },
    async find(flow) {
      const request = unseal(flow);
      if (request === undefined) return undefined;
      const stored = await redis.get(keyOf(request.id));
      const [first = '', second = ''] = stored?.split(' ') ?? [];
      const isAnswered = first === ended;
      const sessionId = isAnswered ? second : first;
      return {
        ...request,
        ...(sessionId !== '' && { sessionId }),
        ...(second === consented && { consented: true }),
        stage: isExpired(request) ? 'expired' : isAnswered ? 'answered' : 'waiting',
      };
    },
    renew({ stage, agentHash: _agentHash, prompts, ...request }) {
      const left = prompts.filter((prompt) => stage !== 'answered' || prompt !== 'create');
      return { ...request, prompts: left, id: newSecret(), created: clock.now() };
    },
    async update(flow, patch) {
      const { sessionId } = patch;
      const request = unsealWaiting(flow);
      if (request === undefined || sessionId === undefined) return;
      const stored = patch.consented === true ? `${sessionId} ${consented}` : sessionId;
      await redis.eval(updateScript, 1, keyOf(request.id), stored, waitingSeconds);
    },
    async end(flow, sessionId) {
      const request = unsealWaiting(flow);
      if (request === undefined) return false;
      const mark = sessionId === undefined ? ended : `${ended} ${sessionId}`;
      return (await redis.eval(endScript, 1, keyOf(request.id), mark, waitingSeconds)) === 1;
    },
  };
}
