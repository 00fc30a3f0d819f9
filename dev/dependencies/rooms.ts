/** The imports that each folder of the repository may have from other folders. */
export const allowedRoots: Readonly<Record<string, readonly string[]>> = {
  src: [],
  workers: ['src'],
  dev: ['src'],
  bench: ['src', 'workers', 'dev'],
  test: ['src', 'workers', 'dev', 'bench'],
};

/** The rooms of people, organizations and clients, from the ground up. Each may import those before it. */
const directoryRooms = [
  'directory',
  'organizations',
  'accounts',
  'people',
  'access',
  'clients',
  'authentication',
  'connections',
  'removal',
] as const;

/** Rooms whose folders other rooms enter through `index.ts` alone, which names what the folder offers. The others: `doors.ts`. */
export const roomsWithIndexes: readonly string[] = directoryRooms;

type DirectoryRoom = (typeof directoryRooms)[number];

/** The directory's rooms below this one. */
const below = (room: DirectoryRoom) => directoryRooms.slice(0, directoryRooms.indexOf(room));

const all: readonly string[] = directoryRooms;

/**
 * The rooms that each room of src may import, besides itself. Rooms that are not listed
 * compose the others.
 */
export const allowedRooms: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  audit: ['platform'],
  notices: ['platform', 'audit'],
  'provisioning-log': ['platform'],
  keys: ['platform', 'config', 'audit'],
  tokens: ['platform', 'keys'],
  directory: ['platform', 'audit'],
  organizations: ['platform', 'config', 'audit', ...below('organizations')],
  accounts: ['platform', 'config', 'keys', 'audit', 'tokens', ...below('accounts')],
  people: ['platform', 'keys', 'audit', 'tokens', ...below('people')],
  access: ['platform', 'audit', 'tokens', ...below('access')],
  clients: ['platform', 'keys', 'audit', 'tokens', ...below('clients')],
  authentication: ['platform', 'config', 'keys', 'audit', 'tokens', ...below('authentication')],
  connections: ['platform', 'config', 'keys', 'audit', ...below('connections')],
  removal: ['platform', 'audit', 'tokens', 'jobs', ...below('removal')],
  observe: ['platform', 'config', 'keys', 'jobs'],
  // A session keeps the proofs of its sign-in.
  sessions: ['platform', 'audit', 'tokens', 'authentication'],
  jobs: ['platform', 'keys', 'audit'],
  migration: ['platform', 'config', 'keys', 'audit', ...all, 'tokens', 'jobs'],
  // A request says what it demands of a sign-in.
  authorization: ['platform', 'keys', ...below('authentication'), 'authentication'],
  http: ['platform', 'keys', ...below('authentication'), 'tokens', 'sessions', 'config'],
  scim: ['platform', 'config', 'keys', 'audit', 'provisioning-log', ...all, 'tokens', 'jobs', 'http'],
  oidc: ['platform', 'config', 'audit', 'keys', ...all, 'tokens', 'sessions', 'authorization', 'http'],
  login: [
    ...[
      'platform',
      'config',
      'audit',
      'notices',
      'keys',
      ...all,
      'tokens',
      'sessions',
      'authorization',
      'http',
    ],
  ],
  // The conversion of an uploaded file reads and writes nothing of the service.
  console: [
    ...['platform', 'config', 'audit', 'jobs', 'keys', 'directory', 'clients', 'authentication'],
    ...['migration', 'http'],
  ],
  admin: [
    'platform',
    'config',
    'keys',
    'audit',
    'provisioning-log',
    ...all,
    'tokens',
    'sessions',
    'jobs',
    'migration',
    'http',
  ],
};

/** Packages that only some files may import. */
export const packages: readonly [name: RegExp, mayKnow: (path: string) => boolean, where: string][] = [
  [
    /^(fastify|@fastify\/.*|fastify-plugin)$/,
    (path) => /(^src\/(app|hooks)\.ts|\/http\/|^src\/http\/|routes\.ts)/.test(path),
    'app.ts, hooks.ts, http/ and *routes.ts',
  ],
  [/^(mongodb|ioredis)$/, (path) => /^src\/platform\/|\.store\.ts$/.test(path), 'platform/ and *.store.ts'],
  [
    /^sharp$/,
    (path) => path === 'src/organizations/logo/encode-logo.ts',
    'organizations/logo/encode-logo.ts',
  ],
  [
    /^(@node-saml\/node-saml|xml-crypto|xml-encryption)$/,
    (path) => path === 'src/connections/saml/saml-library.ts',
    'connections/saml/saml-library.ts, which only its threads load',
  ],
  [/^@google-cloud\//, (path) => /^src\/platform\/blobs\/gcs\//.test(path), 'platform/blobs/gcs/'],
  [/^@aws-sdk\//, (path) => /^src\/platform\/blobs\/s3\//.test(path), 'platform/blobs/s3/'],
  [/^@azure\//, (path) => /^src\/platform\/blobs\/azure\//.test(path), 'platform/blobs/azure/'],
  [/^(prom-client|@opentelemetry\/.*)$/, (path) => path.startsWith('src/observe/'), 'observe/'],
  [
    /^(commander|@commander-js\/.*)$/,
    (path) => path.startsWith('src/cli/'),
    'cli/, so that no other process loads it',
  ],
  [/^bullmq$/, (path) => /^(src\/jobs|workers)\//.test(path), 'jobs/ and workers/'],
];
