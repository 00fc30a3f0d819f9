import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { families } from '../../support/stores/on-cluster.js';

/** The tests on a Cluster must cover all data that the service keeps in Redis. */

const sources = ['src', 'workers'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `${room}/${path}`, text: readFileSync(`${room}/${path}`, 'utf8') })),
);

/** The name of a module's keys or channel: the word behind the prefix. */
const familiesIn = (text: string) =>
  [...text.matchAll(/\$\{[\w.]*[pP]refix\}:([\w-]+)/g)].map(([, family = '']) => family);

t.test('each module that takes a connection says what it keeps', async (t) => {
  const takers = sources.filter(({ text }) => /\bRedisConnection\b/.test(text));
  const silent = takers.filter(({ text }) => familiesIn(text).length === 0).map(({ path }) => path);
  t.same(
    silent.sort(),
    [
      'src/admin/needs/needs.ts',
      'src/admin/versions.ts',
      'src/authentication/open/open-authentication.ts',
      'src/authorization/open-authorization.ts',
      'src/cli/doctor/check-stores.ts',
      'src/cli/server/init-lock.ts',
      'src/connections/open-connections.ts',
      'src/connections/sign-in/sealed-entries.ts',
      'src/console/open-console.ts',
      'src/jobs/open-jobs.ts',
      'src/login/mail/mailer.ts',
      'src/login/needs/needs.ts',
      'src/login/open-login.ts',
      'src/migration/open/open-migration.ts',
      'src/observe/look-ups.ts',
      'src/oidc/needs/needs.ts',
      'src/oidc/open-oidc.ts',
      'src/platform/open/open-platform.ts',
      'src/platform/redis/delete-if-equal.ts',
      'src/platform/redis/invalidations.ts',
      'src/platform/redis/redis-servers.ts',
      'src/platform/redis/redis.ts',
      'src/platform/redis/trace-redis.ts',
      'src/scim/needs/needs.ts',
      'src/tokens/open-tokens.ts',
      'src/tokens/revocation.ts',
      'src/tokens/stamps.ts',
      'src/tokens/trusted-buckets.ts',
      'workers/recover-jobs.ts',
    ],
    'but for those that keep nothing, or what they are told to, those that open rooms, and those that name what rooms need',
  );
});

t.test('each family of keys, and each kind of job, is awaited on a Cluster', async (t) => {
  const kept = [
    ...sources.flatMap(({ text }) => familiesIn(text)),
    ...Object.keys(jobCatalogue),
    'scheduled',
  ];
  t.same([...families].sort(), [...new Set(kept)].sort());
});
