import Type from 'typebox';
import { count, type Settings, seconds } from './setting.js';

/** The address of the API, how processes start and stop, and how much a worker does at once. */
export const serverSettings = {
  host: {
    env: 'HOST',
    schema: Type.String({ minLength: 1 }),
    default: '127.0.0.1',
    about: 'Address the API listens on. Containers set 0.0.0.0.',
  },
  port: {
    env: 'PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65535 }),
    default: 8080,
    about: 'Port the API listens on.',
  },
  baseUrl: {
    env: 'MUSTER_BASE_URL',
    schema: Type.String({ pattern: '^https?://[^/?#]+(/[^?#]*[^/?#])?$' }),
    default: 'http://127.0.0.1:8080',
    about:
      'Address that clients use, without a trailing slash. It is the issuer of tokens and the base of every ' +
      'location.',
  },
  trustProxy: {
    env: 'MUSTER_TRUST_PROXY',
    schema: Type.String({
      pattern: '^(false|true|[1-9]\\d?|[0-9A-Fa-f.:/]*[.:][0-9A-Fa-f.:/]*(, *[0-9A-Fa-f.:/]+)*)$',
    }),
    default: 'false',
    about:
      'How the API finds the address of a client in X-Forwarded-For. `false` ignores the header. A number is the ' +
      'count of load balancers in front of this process, each of which appends the address that it saw; `true` ' +
      'means 1. A list such as 10.0.0.0/8,192.168.1.7 names the addresses and networks of the load balancers. ' +
      'The API never believes entries that a client wrote itself.',
  },
  tryOut: {
    env: 'MUSTER_TRY_OUT',
    schema: count(0, 1),
    default: 0,
    about:
      '1 says that this is a trial. It permits the master key of docker-compose.yml, which everybody knows. Without a ' +
      'mail server, and if MUSTER_BASE_URL is an address of the machine itself, mail is not sent but shown at ' +
      '`/dev/mail`, to that machine alone. Never set it where data matters.',
  },
  requestTimeoutSeconds: {
    env: 'MUSTER_REQUEST_TIMEOUT_SECONDS',
    schema: seconds(1),
    default: 30,
    about:
      'Time that a Bulk request may take, in seconds. An operation that did not run by then gets status ' +
      '503.',
  },
  drainSeconds: {
    env: 'MUSTER_DRAIN_SECONDS',
    schema: seconds(0),
    default: 0,
    about:
      'Time in seconds for which an API process keeps serving after SIGTERM, so that load balancers learn ' +
      'of its end: `/readyz` responds with 503, and each response closes its connection. ' +
      'MUSTER_SHUTDOWN_SECONDS follow.',
  },
  shutdownSeconds: {
    env: 'MUSTER_SHUTDOWN_SECONDS',
    schema: seconds(1),
    default: 25,
    about: 'Time that requests and jobs in progress get to finish at shutdown, in seconds.',
  },
  workerConcurrency: {
    env: 'MUSTER_WORKER_CONCURRENCY',
    schema: count(1, 1000),
    default: 8,
    about:
      'Number of jobs of each kind that one worker process runs at once. Exports and parts of imports have lower ' +
      'limits of their own.',
  },
} as const satisfies Settings;
