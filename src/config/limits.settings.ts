import Type from 'typebox';
import { count, type Settings } from './setting.js';

/** What clients may ask for at once. */
export const limitsSettings = {
  rateLimitPerAddress: {
    env: 'MUSTER_RATE_LIMIT_PER_ADDRESS',
    schema: count(0, 100_000_000),
    default: 60_000,
    about:
      'Requests per minute of one client address over all processes. Above it, requests get 429 with ' +
      'Retry-After, unless the process has accepted their credentials before. An IPv6 network of 64 bits counts as one ' +
      'address. A gateway that introspects tokens has one address. 0 means no limit.',
  },
  rateLimitRefused: {
    env: 'MUSTER_RATE_LIMIT_REFUSED',
    schema: count(0, 100_000_000),
    default: 600,
    about:
      'Requests per minute of one client address that may end in 401, over all processes. Above it, such ' +
      'requests get 429 until the minute is over. Others of the address are served. 0 means no limit.',
  },
  anonymousStoreMib: {
    env: 'MUSTER_ANONYMOUS_STORE_MIB',
    schema: count(3, 1_048_576),
    default: 96,
    about:
      'Memory of Redis for what callers who are not signed in make all processes store, in MiB. Failed sign-ins, addresses ' +
      'that ask for a mail or a registration, and the counts of client addresses have a third each. When one is full, sign-ins ' +
      'of new browsers and forms of new addresses get 503 with Retry-After, and each process counts new addresses alone. ' +
      'Callers who are signed in, and browsers in which a person has signed in before, are served.',
  },
  rateLimitPerClient: {
    env: 'MUSTER_RATE_LIMIT_PER_CLIENT',
    schema: count(0, 100_000_000),
    default: 60_000,
    about:
      'Requests per minute of one authenticated application or service user, over all processes. 0 means no ' +
      'limit.',
  },
  rateLimitPerPerson: {
    env: 'MUSTER_RATE_LIMIT_PER_PERSON',
    schema: count(0, 100_000_000),
    default: 120,
    about:
      'Steps of sign-ins of one person per minute, over all processes. A right password, a right code, a choice of account, a consent, ' +
      'and a response to an application count one each. Above it, the person sees a page with 429 and Retry-After. 0 means no limit.',
  },
  rateLimitPerOrganization: {
    env: 'MUSTER_RATE_LIMIT_PER_ORGANIZATION',
    schema: count(0, 100_000_000),
    default: 120_000,
    about:
      'Requests per minute that concern one organization, of all its clients and over all processes. 0 ' +
      'means no limit.',
  },
  scimScanLimit: {
    env: 'MUSTER_SCIM_SCAN_LIMIT',
    schema: count(0, 1_000_000_000),
    default: 2_000_000,
    about:
      'Largest product of the users of an organization and the conditions of a SCIM filter for which every ' +
      'user is read, such as `title co`. Above it, a filter with several such conditions is refused. One ' +
      'condition is always possible. A tenth of it is the largest startIndex. 0 means no limit.',
  },
  shedDelayMilliseconds: {
    env: 'MUSTER_SHED_DELAY_MILLISECONDS',
    schema: count(0, 600_000),
    default: 1_000,
    about:
      'Mean delay of the event loop above which a process is overloaded. It then responds to lists, Bulk, ' +
      'imports, exports and sign-ins with 503 and Retry-After, so that tokens and probes keep working. 0 ' +
      'turns this off.',
  },
  headersTimeoutSeconds: {
    env: 'MUSTER_HEADERS_TIMEOUT_SECONDS',
    schema: Type.Integer({ minimum: 1, maximum: 600 }),
    default: 20,
    about: 'Time in which a client must send the headers of a request, in seconds.',
  },
  bodyTimeoutSeconds: {
    env: 'MUSTER_BODY_TIMEOUT_SECONDS',
    schema: Type.Integer({ minimum: 1, maximum: 3_600 }),
    default: 60,
    about:
      'Time in which a client must send the body of a request, in seconds. A client without a valid token gets at ' +
      'most 10 seconds. The body of an import may take ' +
      'longer, but must not pause for this time. The same holds for a client that reads its response.',
  },
  bodyMemoryMib: {
    env: 'MUSTER_BODY_MEMORY_MIB',
    // A quarter of it takes the largest body of administration, with what the request takes beside the body.
    schema: count(8, 1_048_576),
    default: 128,
    about:
      'Memory of one process for the bodies of requests that it has not answered, in MiB. Callers without a valid ' +
      'token get a quarter of it more. One organization or one client address gets at most a quarter of its part. ' +
      'When a part is full, the oldest body that has not completely arrived gets 503 with Retry-After. The bodies ' +
      'of imports do not count: they are never completely in memory.',
  },
  responseMemoryMib: {
    env: 'MUSTER_RESPONSE_MEMORY_MIB',
    schema: count(16, 1_048_576),
    default: 64,
    about:
      'Memory of one process for responses that clients have not read, in MiB. Callers without a valid token get a quarter ' +
      'of it more. One organization or one client address gets at most a quarter of its part. When a part is full, the ' +
      'response that has stood still for the longest time gives way: its connection is closed. A response of which the ' +
      'client takes nothing for MUSTER_BODY_TIMEOUT_SECONDS ends, after 10 seconds if the client has no valid token.',
  },
  maxConnections: {
    env: 'MUSTER_MAX_CONNECTIONS',
    schema: count(1),
    default: 10_000,
    about:
      'Largest number of client connections per process. Further connections are closed at once. A connection whose ' +
      'client never completes its headers takes about 40 KB.',
  },
} as const satisfies Settings;
