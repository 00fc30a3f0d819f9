import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import type { WindowCounts } from '#src/platform/redis/window-counts.js';
import { httpErrors } from '../base/errors.js';
import { addressOf } from './caller-address.js';
import type { ProvenCredentials } from './proven-credentials.js';

type Policy = 'address' | 'client' | 'organization' | 'person';

export interface RateLimitDeps {
  readonly rateCounts: WindowCounts;
  /** Bounds the counts of addresses, of which anybody can have many. */
  readonly addressBound: StoreBound;
  readonly provenCredentials: ProvenCredentials;
  /** Counts each refused request once, for metrics: under the first limit that refused it. */
  readonly measures?: { requestLimited(limit: Policy | 'refused'): void } | undefined;
  readonly config: Pick<
    Config,
    | 'rateLimitPerAddress'
    | 'rateLimitRefused'
    | 'rateLimitPerClient'
    | 'rateLimitPerOrganization'
    | 'rateLimitPerPerson'
  >;
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Returns the error that is answered instead of 401, and counts it for metrics. Undefined unless too many requests of the
     * address have ended in 401.
     */
    shutOut: (() => AppError) | undefined;
  }
}

/**
 * Limits the requests of one address per minute. A much lower limit counts those that end in 401. Above it, such requests
 * are answered with 429. Others of the same address are served: an office shares one address with whoever guesses there.
 * {@link limitCaller} limits known callers.
 *
 * Above the limit of all requests, credentials that this process has accepted before are served
 * (docs/decisions/0048-limit-of-an-address.md).
 */
export function limitRate(app: FastifyInstance, deps: RateLimitDeps): void {
  const { rateCounts, addressBound, provenCredentials, config } = deps;
  app.decorateRequest('shutOut', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.probe) return done();
    const address = addressOf(request);
    const limit = config.rateLimitPerAddress;
    const ofAddress: Counted = { policy: 'address', name: address, limit, bound: addressBound };
    const [count] = countRequest(deps, reply, ofAddress);
    const refused = rateCounts.read(refusedName(address));
    if (config.rateLimitRefused > 0 && refused >= config.rateLimitRefused)
      request.shutOut = () => {
        deps.measures?.requestLimited('refused');
        const detail = `More than ${config.rateLimitRefused} requests of this address within a minute had no valid credentials`;
        return tooMany(rateCounts, detail);
      };
    if (count === 'within' || isProven(deps, request)) return done();
    deps.measures?.requestLimited('address');
    return done(tooMany(rateCounts, exceededText('address', config.rateLimitPerAddress)));
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 401) {
      provenCredentials.remove(request.headers.authorization);
      if (config.rateLimitRefused > 0) rateCounts.add(refusedName(addressOf(request)), addressBound);
    }
    done();
  });
}

/**
 * Whether the request is one of a caller that was accepted before. All its headers together have as many requests as a client, because
 * they also reach routes that authenticate nobody. The pages for people are no such routes.
 */
function isProven(
  { provenCredentials, rateCounts, config }: RateLimitDeps,
  request: FastifyRequest,
): boolean {
  if (request.routeOptions.config.page) return false;
  const caller = provenCredentials.find(request.headers.authorization);
  if (caller === undefined) return false;
  const count = rateCounts.add(`proven:${caller}`);
  return config.rateLimitPerClient === 0 || count <= config.rateLimitPerClient;
}

/**
 * Limits the requests per minute of one client, and of one organization.
 * @throws AppError `http.rateLimited`
 */
export function limitCaller(
  deps: RateLimitDeps,
  reply: FastifyReply,
  { clientId, orgId }: { clientId: string; orgId: string },
): void {
  const { rateLimitPerClient, rateLimitPerOrganization } = deps.config;
  const client: Counted = { policy: 'client', name: clientId, limit: rateLimitPerClient };
  const organization: Counted = { policy: 'organization', name: orgId, limit: rateLimitPerOrganization };
  // Each limit counts the request, and metrics count it once.
  const [ofClient, ofOrganization] = countRequest(deps, reply, client, organization);
  if (ofClient === 'within' && ofOrganization === 'within') {
    deps.provenCredentials.add(reply.request.headers.authorization, clientId);
    return;
  }
  const { policy, limit } = ofClient === 'exceeded' ? client : organization;
  deps.measures?.requestLimited(policy);
  throw tooMany(deps.rateCounts, exceededText(policy, limit));
}

/** What {@link limitPerson} needs. */
export type PersonLimitDeps = Pick<RateLimitDeps, 'rateCounts' | 'measures'> & {
  readonly config: Pick<Config, 'rateLimitPerPerson'>;
};

/**
 * Counts a step of a sign-in of a user that stores something in Redis, before it does (docs/decisions/0049-bound-of-anonymous-entries.md).
 * @throws AppError `http.rateLimited`
 */
export function limitPerson({ rateCounts, measures, config }: PersonLimitDeps, userId: string): void {
  const { rateLimitPerPerson: limit } = config;
  if (limit === 0 || rateCounts.add(`person:${userId}`) <= limit) return;
  measures?.requestLimited('person');
  const detail = `More than ${limit} steps of sign-ins of this person within a minute`;
  throw tooMany(rateCounts, detail);
}

function exceededText(policy: Exclude<Policy, 'person'>, limit: number): string {
  return `More than ${limit} requests of this ${policy} within a minute`;
}

interface Counted {
  readonly policy: Exclude<Policy, 'person'>;
  readonly name: string;
  /** Requests per minute; 0 means no limit. */
  readonly limit: number;
  readonly bound?: StoreBound;
}

/** Counts a request under each limit, and states in the response what is left (draft-ietf-httpapi-ratelimit-headers). */
function countRequest(
  { rateCounts }: RateLimitDeps,
  reply: FastifyReply,
  ...limits: readonly Counted[]
): readonly ('within' | 'exceeded')[] {
  let policies = '';
  let left = '';
  const outcomes = limits.map(({ policy, name, limit, bound }) => {
    if (limit === 0) return 'within';
    const count = rateCounts.add(`${policy}:${name}`, bound);
    const comma = policies === '' ? '' : ', ';
    policies += `${comma}"${policy}";q=${limit};w=60`;
    left += `${comma}"${policy}";r=${Math.max(0, limit - count)};t=${rateCounts.secondsLeft()}`;
    return count <= limit ? 'within' : 'exceeded';
  });
  if (policies !== '') {
    addTo(reply, 'ratelimit-policy', policies);
    addTo(reply, 'ratelimit', left);
  }
  return outcomes;
}

function addTo(reply: FastifyReply, header: string, items: string): void {
  const before = reply.getHeader(header);
  reply.header(header, before === undefined ? items : `${before}, ${items}`);
}

const refusedName = (address: string) => `refused:${address}`;

function tooMany(rateCounts: WindowCounts, detail: string): AppError {
  return new AppError(httpErrors.rateLimited, { detail, retryAfterSeconds: rateCounts.secondsLeft() });
}
