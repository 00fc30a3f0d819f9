import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import t from 'tap';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { startCluster, watchNames } from '../support/stores/redis-topologies.js';

/**
 * What the service keeps in Redis, on a Cluster: the same tests as on one server, so that no command crosses slots.
 * Whole files, or those of their tests whose names begin so.
 */
const parts: Record<string, readonly string[]> = {
  'contract/sessions': [],
  'contract/authorization.stores': [],
  'contract/caches': [],
  'contract/revocation': [],
  'contract/stamps': [],
  'integration/oidc/client-authentication': ['an assertion counts once'],
  'integration/oidc/authorize': ['POST is as good as GET', 'an address may begin only so many'],
  'integration/login/password': ['too many wrong passwords', 'the second factor'],
  'integration/http/rate-limit': ['all processes count together'],
  'integration/scim/bulk': ['each method is answered', 'a bulkId stands'],
  'integration/migration/export': ['an organization is exported'],
  'integration/observe/metrics': ['jobs by kind and state', 'records of imports', 'the stores'],
  'integration/cli/init-instance': ['the first start is made once'],
};

const sources = ['src', 'workers'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `${room}/${path}`, text: readFileSync(`${room}/${path}`, 'utf8') })),
);

/** What a module calls its keys or its channel: the word behind the prefix. */
const familiesIn = (text: string) =>
  [...text.matchAll(/\$\{[\w.]*[pP]refix\}:([\w-]+)/g)].map(([, family = '']) => family);

t.test('each module that takes a connection says what it keeps', async (t) => {
  const takers = sources.filter(({ text }) => /\bRedisConnection\b/.test(text));
  const silent = takers.filter(({ text }) => familiesIn(text).length === 0).map(({ path }) => path);
  t.same(
    silent.sort(),
    [
      'src/cli/init-lock.ts',
      'src/platform/redis/redis-servers.ts',
      'src/platform/redis/redis.ts',
      'src/platform/redis/trace-redis.ts',
      'workers/recover-jobs.ts',
    ],
    'but for those that keep nothing, or what they are told to',
  );
});

const cluster = await startCluster(t);
if (cluster !== undefined) {
  const names = await watchNames(t, cluster);
  // The parts know nothing of each other: two run at once.
  t.jobs = 2;
  await Promise.all(
    Object.entries(parts).map(([file, only]) => {
      const script = new URL(`../${file}.test${extname(import.meta.filename)}`, import.meta.url).pathname;
      const some = only.length > 0 && { TAP_GREP: `/^(${only.join('|')})/`, TAP_FILTER_QUIETLY: '1' };
      const env = { ...process.env, REDIS_URL: cluster.url, ...some };
      return t.spawn(process.execPath, [...process.execArgv, script], { env, name: file });
    }),
  );
  t.test('each family of keys was written, and jobs of each kind', async (t) => {
    const expected = [
      ...sources.flatMap(({ text }) => familiesIn(text)),
      ...Object.keys(jobCatalogue),
      'scheduled',
    ];
    t.ok(expected.length > 15, expected.join(' '));
    const seen = new Set([...names].flatMap((name) => name.replace(/[{}]/g, '').split(':').slice(1, 3)));
    t.same(
      [...new Set(expected)].filter((family) => !seen.has(family)),
      [],
    );
  });
}
