import { availableParallelism } from 'node:os';
import Type, { type Static, type TSchema } from 'typebox';

/** One setting: the environment variable that carries it, its shape, its default and its documentation. */
export interface Setting {
  readonly env: string;
  readonly schema: TSchema;
  readonly default?: unknown;
  /** The default in words, where it depends on the machine. */
  readonly defaultText?: string;
  /** A secret is never printed, not even in the list of what is wrong. */
  readonly secret?: true;
  readonly about: string;
}

const seconds = (minimum: number) => Type.Integer({ minimum });
const count = (minimum: number, maximum = 1_000_000) => Type.Integer({ minimum, maximum });

/** Every setting of both processes. `docs/configuration.md` is made from this table. */
export const settings = {
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
      'Address clients use, without a trailing slash: the issuer of tokens and the base of every location.',
  },
  trustProxy: {
    env: 'MUSTER_TRUST_PROXY',
    schema: Type.String({
      pattern: '^(false|true|[1-9]\\d?|[0-9A-Fa-f.:/]*[.:][0-9A-Fa-f.:/]*(, *[0-9A-Fa-f.:/]+)*)$',
    }),
    default: 'false',
    about:
      'Which part of X-Forwarded-For is believed: the number of load balancers in front of this process, each of which ' +
      'appends the address that it saw (true is 1), or the addresses and networks of them as a list such as ' +
      '10.0.0.0/8,192.168.1.7. Addresses that clients write themselves before those are not believed.',
  },
  mongodbUrl: {
    env: 'MONGODB_URL',
    schema: Type.String({ pattern: '^mongodb(\\+srv)?://' }),
    secret: true,
    about: 'Connection string of MongoDB, a replica set or a sharded cluster. Transactions are required.',
  },
  mongodbDatabase: {
    env: 'MONGODB_DATABASE',
    schema: Type.String({ pattern: '^[A-Za-z0-9_-]{1,38}$' }),
    default: 'muster',
    about: 'Name of the database.',
  },
  mongodbPoolSize: {
    env: 'MONGODB_POOL_SIZE',
    schema: count(1, 10_000),
    default: 50,
    about: 'Connections to MongoDB that a process holds at most.',
  },
  redisUrl: {
    env: 'REDIS_URL',
    schema: Type.String({ pattern: '^rediss?(-sentinel|-cluster)?://' }),
    secret: true,
    about:
      'Redis: redis://host:port, redis-cluster://host:port,host:port or redis-sentinel://host:port,host:port/master-name; ' +
      'rediss://, rediss-cluster:// and rediss-sentinel:// are the same over TLS.',
  },
  redisPrefix: {
    env: 'REDIS_PREFIX',
    schema: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
    default: 'muster',
    about: 'First part of every Redis key, so that instances can share one Redis.',
  },
  masterKeys: {
    env: 'MUSTER_MASTER_KEYS',
    schema: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,16}:[A-Za-z0-9_-]{43}(,[A-Za-z0-9_-]{1,16}:[A-Za-z0-9_-]{43})*$',
    }),
    secret: true,
    about:
      'Keys that seal tokens and secrets at rest: id:key pairs joined by commas, each key 32 bytes in base64url. ' +
      'The first seals, all unseal. `muster new-master-key` prints one.',
  },
  logLevel: {
    env: 'LOG_LEVEL',
    schema: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    about: 'Least severe level that is logged.',
  },
  metricsPort: {
    env: 'MUSTER_METRICS_PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65535 }),
    default: 0,
    defaultText: '`0`, off',
    about:
      'Port at which a process serves /metrics for Prometheus, beside the port of clients; 0 is off. Processes of one ' +
      'machine need a port each.',
  },
  metricsHost: {
    env: 'MUSTER_METRICS_HOST',
    schema: Type.String({ minLength: 1 }),
    default: '127.0.0.1',
    about: 'Address at which /metrics is served. It asks nobody who they are: keep it away from clients.',
  },
  otlpEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: Type.String({ pattern: '^https?://' }),
    default: '',
    defaultText: 'none, off',
    about:
      'Base address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://collector:4318. With it ' +
      'each process sends traces; `OTEL_EXPORTER_OTLP_HEADERS` adds headers.',
  },
  traceRatio: {
    env: 'MUSTER_TRACE_RATIO',
    schema: Type.Number({ minimum: 0, maximum: 1 }),
    default: 1,
    about:
      'Share of the traces begun here that are sent, 0 to 1. A request with a `traceparent` is sent when its caller ' +
      'says so.',
  },
  signingAlgorithm: {
    env: 'MUSTER_SIGNING_ALGORITHM',
    schema: Type.Enum(['RS256', 'ES256', 'EdDSA']),
    default: 'RS256',
    about:
      'Algorithm of the signatures of tokens: RS256, ES256 or EdDSA. After a change the next key has it and takes ' +
      'over as soon as clients can know it.',
  },
  signingKeyRotationSeconds: {
    env: 'MUSTER_SIGNING_KEY_ROTATION_SECONDS',
    schema: count(0, 1_000_000_000),
    default: 90 * 24 * 3600,
    about: 'Time after which another key signs tokens, in seconds; 0 rotates only on demand.',
  },
  accessTokenSeconds: {
    env: 'MUSTER_ACCESS_TOKEN_SECONDS',
    schema: seconds(1),
    default: 12 * 3600,
    about: 'Life of an access token in seconds.',
  },
  idTokenSeconds: {
    env: 'MUSTER_ID_TOKEN_SECONDS',
    schema: seconds(1),
    default: 12 * 3600,
    about: 'Life of an ID token in seconds.',
  },
  refreshTokenIdleSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_IDLE_SECONDS',
    schema: seconds(1),
    default: 30 * 24 * 3600,
    about: 'Time after which a refresh token that is not used ends, in seconds.',
  },
  refreshTokenSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_SECONDS',
    schema: seconds(1),
    default: 90 * 24 * 3600,
    about: 'Time after which refreshing ends whether it is used or not, in seconds.',
  },
  refreshTokenGraceSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_GRACE_SECONDS',
    schema: Type.Integer({ minimum: 0, maximum: 60 }),
    default: 5,
    about:
      'Time in which a refresh token that was just used is answered again with its successor, for clients that ' +
      'lost the answer or asked twice at once; later it is reuse and ends the family. In seconds.',
  },
  codeSeconds: {
    env: 'MUSTER_CODE_SECONDS',
    schema: Type.Integer({ minimum: 1, maximum: 600 }),
    default: 60,
    about: 'Life of an authorization code in seconds.',
  },
  sessionIdleSeconds: {
    env: 'MUSTER_SESSION_IDLE_SECONDS',
    schema: seconds(1),
    default: 24 * 3600,
    about: 'A session of a person that is not used for so long ends, in seconds.',
  },
  sessionAbsoluteSeconds: {
    env: 'MUSTER_SESSION_ABSOLUTE_SECONDS',
    schema: seconds(1),
    default: 14 * 24 * 3600,
    about: 'A session ends so long after the person last signed in, however much it is used, in seconds.',
  },
  loginMaxFailures: {
    env: 'MUSTER_LOGIN_MAX_FAILURES',
    schema: count(1, 10_000),
    default: 10,
    about: 'Wrong passwords, or wrong one-time codes, after which a user is locked for a while.',
  },
  loginMaxFailuresPerAddress: {
    env: 'MUSTER_LOGIN_MAX_FAILURES_PER_ADDRESS',
    schema: count(1),
    default: 100,
    about: 'Failed attempts to sign in after which an address has to wait. Offices share one address.',
  },
  loginLockSeconds: {
    env: 'MUSTER_LOGIN_LOCK_SECONDS',
    schema: seconds(1),
    default: 600,
    about:
      'Time in which failed attempts are counted, and for which a user or an address is locked, in seconds.',
  },
  waitingLoginsPerAddress: {
    env: 'MUSTER_WAITING_LOGINS_PER_ADDRESS',
    schema: count(1),
    default: 300,
    about:
      'Sign-ins that one address may have begun within half an hour and not finished; above that the answer is 429 ' +
      'with Retry-After. Offices share one address.',
  },
  loginFailureMilliseconds: {
    env: 'MUSTER_LOGIN_FAILURE_MILLISECONDS',
    schema: count(0, 10_000),
    default: 500,
    about:
      'A failed attempt to sign in is answered after this time at the earliest, so that the time does not tell ' +
      'which kind of password hash, or none, was compared. The default hides bcrypt up to cost 12; each cost above ' +
      'doubles the time (cost 15: about 4000). People who were imported with more stand out until they sign in once.',
  },
  smtpUrl: {
    env: 'MUSTER_SMTP_URL',
    schema: Type.String({ pattern: '^smtps?://' }),
    default: '',
    defaultText: 'none',
    secret: true,
    about:
      'Mail server, smtp:// or smtps://user:password@host:port. With it people who have no password, or forgot it, ' +
      'get a link by mail; without it an administrator makes one.',
  },
  mailFrom: {
    env: 'MUSTER_MAIL_FROM',
    schema: Type.String({ minLength: 3 }),
    default: 'Muster <no-reply@localhost>',
    about: 'Sender of mail.',
  },
  storageEmulatorHost: {
    env: 'STORAGE_EMULATOR_HOST',
    schema: Type.String({ pattern: '^https?://[^/?#]+$' }),
    default: '',
    defaultText: 'Google Cloud Storage',
    about:
      'Another server that speaks the JSON API of Google Cloud Storage, http:// or https://host:port, for imports from ' +
      'and exports to buckets. It gets no credentials.',
  },
  requestTimeoutSeconds: {
    env: 'MUSTER_REQUEST_TIMEOUT_SECONDS',
    schema: seconds(1),
    default: 30,
    about: 'Time a Bulk request may take in seconds; operations not run by then answer status 503.',
  },
  drainSeconds: {
    env: 'MUSTER_DRAIN_SECONDS',
    schema: seconds(0),
    default: 0,
    about:
      'Time in seconds that an API process goes on as before after it was told to end, so that balancers learn of it: ' +
      '`/readyz` answers 503, and each answer ends its connection. MUSTER_SHUTDOWN_SECONDS come after it.',
  },
  shutdownSeconds: {
    env: 'MUSTER_SHUTDOWN_SECONDS',
    schema: seconds(1),
    default: 25,
    about: 'Time that requests and jobs in flight get to finish at shutdown, in seconds.',
  },
  rateLimitPerAddress: {
    env: 'MUSTER_RATE_LIMIT_PER_ADDRESS',
    schema: count(0, 100_000_000),
    default: 60_000,
    about:
      'Requests a minute of one address (an IPv6 network of 64 bits is one), over all processes; above that the answer ' +
      'is 429 with Retry-After. A gateway that introspects tokens has one address. 0 is no limit.',
  },
  rateLimitRefused: {
    env: 'MUSTER_RATE_LIMIT_REFUSED',
    schema: count(0, 100_000_000),
    default: 600,
    about:
      'Requests a minute of one address that may end in 401, over all processes; above that all its requests but those ' +
      'for pages are answered 429 until the minute is over. 0 is no limit.',
  },
  rateLimitPerClient: {
    env: 'MUSTER_RATE_LIMIT_PER_CLIENT',
    schema: count(0, 100_000_000),
    default: 60_000,
    about:
      'Requests a minute of one application or service user that proved who it is, over all processes. 0 is no limit.',
  },
  rateLimitPerOrganization: {
    env: 'MUSTER_RATE_LIMIT_PER_ORGANIZATION',
    schema: count(0, 100_000_000),
    default: 120_000,
    about:
      'Requests a minute that concern one organization, of all its clients and over all processes. 0 is no limit.',
  },
  shedDelayMilliseconds: {
    env: 'MUSTER_SHED_DELAY_MILLISECONDS',
    schema: count(0, 600_000),
    default: 1_000,
    about:
      'Mean delay of the event loop above which a process answers lists, Bulk, import, export and sign-ins 503 with ' +
      'Retry-After, so that tokens and probes go on; 0 never does.',
  },
  headersTimeoutSeconds: {
    env: 'MUSTER_HEADERS_TIMEOUT_SECONDS',
    schema: Type.Integer({ minimum: 1, maximum: 600 }),
    default: 20,
    about: 'Time in which a client must have sent the headers of a request, in seconds.',
  },
  bodyTimeoutSeconds: {
    env: 'MUSTER_BODY_TIMEOUT_SECONDS',
    schema: Type.Integer({ minimum: 1, maximum: 3_600 }),
    default: 60,
    about:
      'Time in which a client must have sent the body of a request, in seconds. An import may take longer, but not ' +
      'stand still for so long, nor may a client that takes nothing of its answer.',
  },
  maxConnections: {
    env: 'MUSTER_MAX_CONNECTIONS',
    schema: count(1),
    default: 20_000,
    about: 'Connections of clients that a process has at once; more are closed at once.',
  },
  hashConcurrency: {
    env: 'MUSTER_HASH_CONCURRENCY',
    schema: count(1, 1024),
    default: availableParallelism(),
    defaultText: 'the number of cores',
    about: 'Password hashes computed at once by one process.',
  },
  hashQueue: {
    env: 'MUSTER_HASH_QUEUE',
    schema: count(0),
    default: 200,
    about: 'Password hashes that may wait in one process; above that the answer is 503 with Retry-After.',
  },
  argon2MemoryKib: {
    env: 'MUSTER_ARGON2_MEMORY_KIB',
    schema: count(8, 4_194_304),
    default: 19_456,
    about: 'Memory of one argon2id hash in KiB.',
  },
  argon2Passes: {
    env: 'MUSTER_ARGON2_PASSES',
    schema: count(1, 100),
    default: 2,
    about: 'Passes of one argon2id hash.',
  },
  importMaxBytes: {
    env: 'MUSTER_IMPORT_MAX_BYTES',
    schema: Type.Integer({ minimum: 1_024 }),
    default: 20 * 1024 ** 3,
    about: 'Largest import in bytes, sent or read from a bucket; it is staged in MongoDB while it runs.',
  },
  workerConcurrency: {
    env: 'MUSTER_WORKER_CONCURRENCY',
    schema: count(1, 1000),
    default: 8,
    about: 'Jobs that one worker process runs at once.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The settings of a process, checked and frozen. */
export type Config = { readonly [K in SettingName]: Static<(typeof settings)[K]['schema']> };
