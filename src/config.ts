import { availableParallelism } from 'node:os';
import Type, { type Static, type TSchema } from 'typebox';

/** One setting: its environment variable, its schema, its default and its documentation. */
export interface Setting {
  readonly env: string;
  readonly schema: TSchema;
  readonly default?: unknown;
  /** The default in words, if it depends on the machine. */
  readonly defaultText?: string;
  /** A secret is never printed. The list of wrong settings does not contain it either. */
  readonly secret?: true;
  readonly about: string;
}

const seconds = (minimum: number) => Type.Integer({ minimum });
const count = (minimum: number, maximum = 1_000_000) => Type.Integer({ minimum, maximum });
/** Hosts, joined by commas, or none. */
const hostList = Type.String({
  pattern: '^$|^[A-Za-z0-9.:_\\[\\]-]+(, *[A-Za-z0-9.:_\\[\\]-]+)*$',
  maxLength: 4000,
});

/** Every setting of both processes. `docs/configuration.md` is generated from this table. */
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
  mongodbUrl: {
    env: 'MONGODB_URL',
    schema: Type.String({ pattern: '^mongodb(\\+srv)?://' }),
    secret: true,
    about:
      'Connection string of MongoDB: a replica set or a sharded cluster, because transactions are required.',
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
    about: 'Largest number of connections to MongoDB per process.',
  },
  redisUrl: {
    env: 'REDIS_URL',
    schema: Type.String({ pattern: '^rediss?(-sentinel|-cluster)?://' }),
    secret: true,
    about:
      'Address of Redis: redis://host:port, redis-cluster://host:port,host:port or ' +
      'redis-sentinel://host:port,host:port/master-name. With TLS: rediss://, rediss-cluster:// and ' +
      'rediss-sentinel://.',
  },
  redisPrefix: {
    env: 'REDIS_PREFIX',
    schema: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
    default: 'muster',
    about: 'First part of every Redis key. Instances with different prefixes can share one Redis.',
  },
  masterKeys: {
    env: 'MUSTER_MASTER_KEYS',
    schema: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,16}:[A-Za-z0-9_-]{43}(,[A-Za-z0-9_-]{1,16}:[A-Za-z0-9_-]{43})*$',
    }),
    secret: true,
    about:
      'Keys that seal (encrypt) tokens and stored secrets: id:key pairs joined by commas, each key 32 bytes ' +
      'in base64url. The first key seals, all keys unseal. `muster new-master-key` prints a key.',
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
      'Port at which a process serves /metrics for Prometheus. 0 turns metrics off. Each process on a ' +
      'machine needs its own port.',
  },
  metricsHost: {
    env: 'MUSTER_METRICS_HOST',
    schema: Type.String({ minLength: 1 }),
    default: '127.0.0.1',
    about: 'Address at which a process serves /metrics. Callers need no token, so keep it away from clients.',
  },
  otlpEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: Type.String({ pattern: '^https?://' }),
    default: '',
    defaultText: 'none, off',
    about:
      'Base address of an OpenTelemetry collector for OTLP over HTTP, such as http://collector:4318. It ' +
      'turns traces on. `OTEL_EXPORTER_OTLP_HEADERS` adds headers.',
  },
  traceRatio: {
    env: 'MUSTER_TRACE_RATIO',
    schema: Type.Number({ minimum: 0, maximum: 1 }),
    default: 1,
    about:
      'Share of the traces that Muster sends, from 0 to 1. It does not apply to a request with a ' +
      '`traceparent`: its caller decides.',
  },
  signingAlgorithm: {
    env: 'MUSTER_SIGNING_ALGORITHM',
    schema: Type.Enum(['RS256', 'ES256', 'EdDSA']),
    default: 'RS256',
    about:
      'Algorithm that signs tokens: RS256, ES256 or EdDSA. An application may choose another for its ID ' +
      'tokens. Each algorithm has keys of its own. ES256 and EdDSA sign six minutes after their keys were published, and the ' +
      'former algorithm signs until then.',
  },
  signingKeyRotationSeconds: {
    env: 'MUSTER_SIGNING_KEY_ROTATION_SECONDS',
    schema: count(0, 1_000_000_000),
    default: 90 * 24 * 3600,
    about: 'Time until another key signs tokens, in seconds. 0 rotates only on demand.',
  },
  accessTokenSeconds: {
    env: 'MUSTER_ACCESS_TOKEN_SECONDS',
    schema: seconds(1),
    default: 12 * 3600,
    about: 'Lifetime of an access token, in seconds.',
  },
  serviceUserTokenSeconds: {
    env: 'MUSTER_SERVICE_USER_TOKEN_SECONDS',
    schema: seconds(1),
    default: 3600,
    about:
      'Lifetime of an access token of a service user, in seconds. If `MUSTER_ACCESS_TOKEN_SECONDS` is shorter, that counts.',
  },
  idTokenSeconds: {
    env: 'MUSTER_ID_TOKEN_SECONDS',
    schema: seconds(1),
    default: 12 * 3600,
    about: 'Lifetime of an ID token, in seconds.',
  },
  refreshTokenIdleSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_IDLE_SECONDS',
    schema: seconds(1),
    default: 30 * 24 * 3600,
    about: 'A refresh token expires when it was not used for this time, in seconds.',
  },
  refreshTokenSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_SECONDS',
    schema: seconds(1),
    default: 90 * 24 * 3600,
    about:
      'A refresh token and its successors expire this long after the first of them was issued, even if they are ' +
      'used, in seconds.',
  },
  refreshTokenGraceSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_GRACE_SECONDS',
    schema: Type.Integer({ minimum: 0, maximum: 60 }),
    default: 30,
    about:
      'For this time, in seconds, the refresh token that was used last gets the same successor again. This ' +
      'helps clients that lost the response or asked twice at once. A later second use is reuse: it revokes ' +
      'the refresh token and all its successors. A token two or more generations old is reuse at any time: its ' +
      'successor was used, so its client had the response.',
  },
  codeSeconds: {
    env: 'MUSTER_CODE_SECONDS',
    schema: Type.Integer({ minimum: 1, maximum: 600 }),
    default: 60,
    about: 'Lifetime of an authorization code, in seconds.',
  },
  sessionIdleSeconds: {
    env: 'MUSTER_SESSION_IDLE_SECONDS',
    schema: seconds(1),
    default: 24 * 3600,
    about: 'A session ends when it was not used for this time, in seconds.',
  },
  sessionAbsoluteSeconds: {
    env: 'MUSTER_SESSION_ABSOLUTE_SECONDS',
    schema: seconds(1),
    default: 14 * 24 * 3600,
    about: 'A session ends this long after its user last signed in, even if it is used, in seconds.',
  },
  freshSignInSeconds: {
    env: 'MUSTER_FRESH_SIGN_IN_SECONDS',
    schema: seconds(1),
    default: 900,
    about:
      'An administrator must have signed in within this time, in seconds, for each operation of [fresh-sign-in.md](fresh-sign-in.md), such as giving a role or a secret.',
  },
  loginMaxFailures: {
    env: 'MUSTER_LOGIN_MAX_FAILURES',
    schema: count(1, 10_000),
    default: 10,
    about:
      'Number of wrong passwords, or of wrong one-time codes, after which a user is locked for ' +
      'MUSTER_LOGIN_LOCK_SECONDS. Each wrong code after that locks twice as long as the one before, up to 24 ' +
      'hours. Wrong codes count until a right one, or for 30 days.',
  },
  loginMaxFailuresPerAddress: {
    env: 'MUSTER_LOGIN_MAX_FAILURES_PER_ADDRESS',
    schema: count(1),
    default: 100,
    about:
      'Number of failed sign-ins after which a client address is locked for MUSTER_LOGIN_LOCK_SECONDS. All ' +
      'people of an office may share one address. Browsers in which a person has signed in before do not wait.',
  },
  loginLockSeconds: {
    env: 'MUSTER_LOGIN_LOCK_SECONDS',
    schema: seconds(1),
    default: 600,
    about:
      'Time in which failed sign-ins are counted, and for which a user or an address is then locked, in ' +
      'seconds.',
  },
  loginFailureMilliseconds: {
    env: 'MUSTER_LOGIN_FAILURE_MILLISECONDS',
    schema: count(0, 10_000),
    default: 500,
    about:
      'A failed sign-in is answered after this time at the earliest. So the time does not reveal which kind ' +
      'of password hash was compared, or that the user does not exist. The default is long enough for ' +
      'bcrypt up to cost 12. Each further cost doubles the time: cost 15 needs about 4000. Imported users ' +
      'with a higher cost can be recognised until they sign in once.',
  },
  rpId: {
    env: 'MUSTER_RP_ID',
    schema: Type.String({ pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$', maxLength: 253 }),
    default: '',
    defaultText: 'the host of `MUSTER_BASE_URL`',
    about:
      'RP ID of passkeys: the host for which browsers keep them. Set it to the former host if MUSTER_BASE_URL gets another one. ' +
      'Browsers then ask the former host for `/.well-known/webauthn`, so it must lead to this service too: see [passkeys.md](guides/passkeys.md#another-address).',
  },
  rpIdChange: {
    env: 'MUSTER_RP_ID_CHANGE',
    schema: Type.String({ pattern: '^[a-z0-9.-]+ [a-z0-9.-]+$', maxLength: 507 }),
    default: '',
    defaultText: 'none',
    about:
      'The former RP ID, a blank, and the new one. It permits a start with another RP ID, after which the passkeys of the former one ' +
      'sign in nobody. Without it, such a start is refused.',
  },
  smtpUrl: {
    env: 'MUSTER_SMTP_URL',
    schema: Type.String({ pattern: '^smtps?://' }),
    default: '',
    defaultText: 'none',
    secret: true,
    about:
      'Mail server: smtp:// or smtps://user:password@host:port. With it, users who have no password or ' +
      'forgot it get a link by mail. Without it, an administrator creates the link.',
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
      'Another server with the JSON API of Google Cloud Storage for the buckets of imports and exports: ' +
      'http:// or https://host:port. Muster sends it no credentials.',
  },
  importHosts: {
    env: 'MUSTER_IMPORT_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts from which imports may read their data by https, joined by commas, such as ' +
      'files.example.com,files.example.com:8443. Only owners of the instance import. Signed addresses of Amazon S3 and of ' +
      'Azure Blob Storage are such addresses. Empty allows none.',
  },
  bucketHosts: {
    env: 'MUSTER_BUCKET_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with the API of Amazon S3 or of Azure Blob Storage, beside those of Amazon and Microsoft, for the buckets of ' +
      'imports and exports, joined by commas, such as minio.example.com:9000. Muster speaks https with them, and their ' +
      'addresses may be private. If the name of a bucket is part of the host, list the host with it. NODE_EXTRA_CA_CERTS ' +
      'names the certificates of a private authority. List a host of Amazon or Microsoft here if it has a private address. ' +
      'Owners of organizations cannot use a bucket or an account that is listed, by none of its hosts. A host of a provider ' +
      'that does not name a bucket, such as s3.eu-central-1.amazonaws.com, keeps them from all buckets of the provider.',
  },
  privateIssuerHosts: {
    env: 'MUSTER_PRIVATE_ISSUER_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with private addresses whose keys may be read for federated credentials, joined by commas, such as ' +
      'kubernetes.default.svc. Other issuers need a public address. NODE_EXTRA_CA_CERTS names the certificates of a ' +
      'private authority.',
  },
  privateHookHosts: {
    env: 'MUSTER_PRIVATE_HOOK_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with private addresses that organizations may name as migration hook, joined by commas. Each owner of an ' +
      'organization can then make Muster send a POST to them. Other hooks need a public address.',
  },
  privateProviderHosts: {
    env: 'MUSTER_PRIVATE_PROVIDER_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with private addresses that organizations may name as provider of a connection, joined by commas. Each owner of ' +
      'an organization can then make Muster send requests to them. Other providers need a public address. ' +
      'NODE_EXTRA_CA_CERTS names the certificates of a private authority.',
  },
  dnsServers: {
    env: 'MUSTER_DNS_SERVERS',
    schema: hostList,
    default: '',
    about:
      'Addresses of recursive resolvers of which the proofs of domains are asked, joined by commas, with a port if it is not 53, such ' +
      'as 192.0.2.53,[2001:db8::53]:5353. Empty asks those of the system.',
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
  hashConcurrency: {
    env: 'MUSTER_HASH_CONCURRENCY',
    schema: count(1, 1024),
    default: Math.min(availableParallelism(), 4),
    defaultText: 'the number of cores, at most 4',
    about:
      'Number of password hashes that one process computes at once. If it is more than 1, an API process keeps ' +
      'one of these slots for sign-ins. It is at most one less than UV_THREADPOOL_SIZE.',
  },
  threadPoolSize: {
    env: 'UV_THREADPOOL_SIZE',
    schema: count(1, 1024),
    default: 4,
    about:
      'Number of threads of Node.js for hashes, key pairs, signatures and compression. One of them is kept free of ' +
      'work that takes long, so that no signature waits for a hash. For more than 2 hashes at once, set it to twice ' +
      'MUSTER_HASH_CONCURRENCY. Each takes up to MUSTER_ARGON2_MEMORY_KIB.',
  },
  hashQueue: {
    env: 'MUSTER_HASH_QUEUE',
    schema: count(0),
    default: 200,
    about:
      'Number of password hashes that may wait in one process for sign-ins, and the same number for everything ' +
      'else. Organizations take turns. Above it, requests get 503 with Retry-After: first those of the ' +
      'organization with the most waiting hashes.',
  },
  argon2MemoryKib: {
    env: 'MUSTER_ARGON2_MEMORY_KIB',
    schema: count(8, 4_194_304),
    default: 19_456,
    about: 'Memory of one argon2id hash, in KiB.',
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
    default: 4 * 1024 ** 3,
    about:
      'Largest import, in bytes, from a request body or from a bucket. MongoDB holds it while the import ' +
      'runs, and its replica set copies it through the oplog.',
  },
  organizationImportMaxBytes: {
    env: 'MUSTER_ORGANIZATION_IMPORT_MAX_BYTES',
    schema: Type.Integer({ minimum: 1_024 }),
    default: 256 * 1024 ** 2,
    about:
      'Largest import by the owner of an organization, in bytes, if MUSTER_IMPORT_MAX_BYTES is not smaller. Such an import ' +
      'has at most 500,000 records, whatever their size.',
  },
  quotaUsers: {
    env: 'MUSTER_QUOTA_USERS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of users of an organization that has no quota of its own.',
  },
  quotaGroups: {
    env: 'MUSTER_QUOTA_GROUPS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of groups of an organization that has no quota of its own.',
  },
  quotaServiceUsers: {
    env: 'MUSTER_QUOTA_SERVICE_USERS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of service users of an organization that has no quota of its own.',
  },
  quotaProjects: {
    env: 'MUSTER_QUOTA_PROJECTS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of projects of an organization that has no quota of its own.',
  },
  quotaApplications: {
    env: 'MUSTER_QUOTA_APPLICATIONS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of applications of an organization that has no quota of its own.',
  },
  quotaMetadata: {
    env: 'MUSTER_QUOTA_METADATA',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of metadata entries of an organization that has no quota of its own.',
  },
  quotaOpenJobs: {
    env: 'MUSTER_QUOTA_OPEN_JOBS',
    schema: count(0, 1_000_000_000),
    default: 0,
    defaultText: '`0`, no limit',
    about: 'Largest number of jobs that wait or run of an organization that has no quota of its own.',
  },
  noticeMailsPerDay: {
    env: 'MUSTER_NOTICE_MAILS_PER_DAY',
    schema: count(1, 10_000_000),
    default: 5000,
    about:
      'Most mails in a day that tell the people of an organization what happened to their accounts, and most codes that ' +
      'prove their addresses, and most codes for a second factor. People who were added within a day count apart. Later ' +
      'notices wait for up to three days.',
  },
  provisioningLogDays: {
    env: 'MUSTER_PROVISIONING_LOG_DAYS',
    schema: count(0, 90),
    default: 7,
    about:
      'Days for which the provisioning log keeps the SCIM requests of clients: method, path, status and error, and no ' +
      'bodies. 0 keeps none.',
  },
  workerConcurrency: {
    env: 'MUSTER_WORKER_CONCURRENCY',
    schema: count(1, 1000),
    default: 8,
    about:
      'Number of jobs of each kind that one worker process runs at once. Exports and parts of imports have lower ' +
      'limits of their own.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The settings of a process, checked and frozen. */
export type Config = { readonly [K in SettingName]: Static<(typeof settings)[K]['schema']> };
