import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What each room of src may import, besides itself. `container` is a type there, never a value. */
const allowed: Record<string, readonly string[]> = {
  platform: [],
  audit: ['platform'],
  keys: ['platform', 'audit'],
  tokens: ['platform', 'keys'],
  directory: ['platform', 'config', 'keys', 'audit', 'tokens'],
  observe: ['platform', 'config', 'jobs', 'container'],
  sessions: ['platform', 'tokens'],
  jobs: ['platform', 'keys', 'audit'],
  migration: ['platform', 'keys', 'audit', 'directory', 'tokens', 'jobs', 'container'],
  authorization: ['platform', 'directory'],
  http: ['platform', 'keys', 'directory', 'tokens', 'sessions', 'config', 'container'],
  scim: ['platform', 'audit', 'directory', 'tokens', 'jobs', 'http', 'container'],
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
  'jobs-page': ['platform', 'directory', 'sessions', 'jobs', 'http', 'login', 'container'],
  admin: [
    'platform',
    'keys',
    'audit',
    'directory',
    'tokens',
    'sessions',
    'jobs',
    'migration',
    'http',
    'container',
  ],
};

/** Packages that only some files may know. */
const packages: [name: RegExp, mayKnow: (file: string) => boolean, where: string][] = [
  [
    /^(fastify|@fastify\/.*|fastify-plugin)$/,
    (file) => /(^src\/app\.ts|\/http\/|^src\/http\/|routes\.ts)/.test(file),
    'app.ts, http/ and *routes.ts',
  ],
  [/^(mongodb|ioredis)$/, (file) => /^src\/platform\/|\.store\.ts$/.test(file), 'platform/ and *.store.ts'],
  [/^@google-cloud\//, (file) => /^src\/platform\/blobs\/gcs-/.test(file), 'platform/blobs/gcs-*'],
  [/^(prom-client|@opentelemetry\/.*)$/, (file) => file.startsWith('src/observe/'), 'observe/'],
  [/^bullmq$/, (file) => /^(src\/jobs|workers)\//.test(file), 'jobs/ and workers/'],
];

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

/** Everything that breaks a rule, a line each. */
function violations(): string[] {
  const files = ['src', 'workers'].flatMap(sourcesIn);
  return files.flatMap((file) => importsOf(file).flatMap((found) => check(file, found)));
}

function sourcesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true }) as string[];
  return entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(folder, entry));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'|import\('([^']+)'\)/gm,
  );
  return [...statements].map(([, type, from, dynamic]) => ({
    target: from ?? dynamic ?? '',
    typeOnly: type !== undefined,
  }));
}

function check(file: string, { target, typeOnly }: Import): string[] {
  for (const [name, mayKnow, where] of packages) {
    if (name.test(target)) return mayKnow(file) ? [] : [`${file} imports ${target}: only ${where} may`];
  }
  const path = target.startsWith('.')
    ? normalize(join(dirname(file), target))
    : target.replace(/^#src\//, 'src/').replace(/^#workers\//, 'workers/');
  const to = roomOf(path);
  const from = roomOf(file);
  if (to === undefined || from === to) return [];
  if (to === 'workers') return [`${file} imports ${target}: src never imports workers`];
  const may = from === undefined ? undefined : allowed[from];
  if (may === undefined) return [];
  if (!may.includes(to)) return [`${file} imports ${target}: ${from}/ may not know ${to}`];
  if (to === 'container' && !typeOnly) return [`${file} imports ${target}: only its type`];
  return [];
}

/** `src/scim/patch/x.ts` is in scim, `src/container.ts` in container, packages are in no room. */
function roomOf(path: string): string | undefined {
  if (path.startsWith('workers/')) return 'workers';
  return /^src\/([^/.]+)/.exec(path)?.[1];
}

const found = violations();
for (const line of found) console.error(line);
if (found.length > 0) process.exit(1);
