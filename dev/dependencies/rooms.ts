/** The imports that each folder of the repository may have from other folders. */
export const allowedRoots: Readonly<Record<string, readonly string[]>> = {
  src: [],
  workers: ['src'],
  dev: ['src'],
  bench: ['src', 'workers', 'dev'],
  test: ['src', 'workers', 'dev', 'bench'],
};

/**
 * The rooms that each room of src may import, besides itself. The container may be imported as a type only. Rooms that
 * are not listed compose the others.
 */
export const allowedRooms: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  audit: ['platform'],
  'provisioning-log': ['platform'],
  keys: ['platform', 'audit'],
  tokens: ['platform', 'keys'],
  directory: ['platform', 'config', 'keys', 'audit', 'tokens'],
  observe: ['platform', 'config', 'keys', 'jobs', 'container'],
  sessions: ['platform', 'audit', 'tokens'],
  jobs: ['platform', 'keys', 'audit'],
  migration: ['platform', 'keys', 'audit', 'directory', 'tokens', 'jobs', 'container'],
  authorization: ['platform', 'keys', 'directory'],
  http: ['platform', 'keys', 'directory', 'tokens', 'sessions', 'config', 'container'],
  scim: [
    'platform',
    'config',
    'keys',
    'audit',
    'provisioning-log',
    'directory',
    'tokens',
    'jobs',
    'http',
    'container',
  ],
  oidc: [
    'platform',
    'config',
    'audit',
    'keys',
    'directory',
    'tokens',
    'sessions',
    'authorization',
    'http',
    'container',
  ],
  login: [
    'platform',
    'config',
    'audit',
    'keys',
    'directory',
    'tokens',
    'sessions',
    'authorization',
    'http',
    'container',
  ],
  console: ['platform', 'config', 'audit', 'jobs', 'keys', 'directory', 'http', 'container'],
  admin: [
    'platform',
    'config',
    'keys',
    'audit',
    'provisioning-log',
    'directory',
    'tokens',
    'sessions',
    'jobs',
    'migration',
    'http',
    'container',
  ],
};

/** Packages that only some files may import. */
export const packages: readonly [name: RegExp, mayKnow: (path: string) => boolean, where: string][] = [
  [
    /^(fastify|@fastify\/.*|fastify-plugin)$/,
    (path) => /(^src\/app\.ts|\/http\/|^src\/http\/|routes\.ts)/.test(path),
    'app.ts, http/ and *routes.ts',
  ],
  [/^(mongodb|ioredis)$/, (path) => /^src\/platform\/|\.store\.ts$/.test(path), 'platform/ and *.store.ts'],
  [/^@google-cloud\//, (path) => /^src\/platform\/blobs\/gcs-/.test(path), 'platform/blobs/gcs-*'],
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
