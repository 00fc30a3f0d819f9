import { extname } from 'node:path';
import type { Test } from 'tap';
import { startCluster, watchNames } from './redis-topologies.js';

/** Test files that run on a Cluster, and the keys that they must have written there. */
export interface ClusterRun {
  /**
   * Test files. An empty list means the whole file. Otherwise only the tests whose names begin with these words run.
   */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  /** The words behind the prefix in the names of keys and channels. */
  readonly families: readonly string[];
}

/** The stores. Each is tested by its own contract. */
export const stores: ClusterRun = {
  parts: {
    'contract/sessions': [],
    'contract/authorization.stores': [],
    'contract/caches': [],
    'contract/quotas': [],
    'contract/turns': [],
    'contract/revocation': [],
    // The other tests need a proxy. A Cluster bypasses it, because its nodes announce their own addresses.
    'contract/stamps': ['a stamp stays', 'a Redis that lost', 'asking for stamps', 'people are read'],
    'integration/cli/init-instance': ['the first start is made once'],
  },
  families: [
    'agent',
    'sessions',
    'authorization-request',
    'code',
    'quota',
    'rev',
    'invalidate',
    'init',
    'turn',
  ],
};

/** Requests that use several stores. */
export const signIns: ClusterRun = {
  parts: {
    'integration/oidc/client-authentication': ['an assertion counts once'],
    'integration/oidc/authorize': ['POST is as good as GET'],
    'integration/login/password': ['too many wrong passwords', 'the second factor'],
    'integration/http/rate-limit': ['all processes count together'],
    'integration/login/email': ['five tries for a code'],
    'integration/login/recovery-codes': ['ten codes are shown once'],
    'integration/console/service-users': ['after a while, a secret needs a fresh sign-in'],
    'integration/admin/provisioning-log': ['it says what a client sent'],
  },
  families: [
    'jti',
    'login-step',
    'login-attempts',
    'code-attempts',
    'count',
    'pending-email',
    'shown-codes',
    'console-draft',
    'provisioning-log',
  ],
};

/** The jobs. */
export const jobs: ClusterRun = {
  parts: {
    'integration/scim/bulk': ['each method is answered', 'a bulkId stands'],
    'integration/migration/export': ['an organization is exported'],
    'integration/admin/organization-removal': ['it ends for everybody'],
    'integration/observe/metrics': ['jobs by kind and state', 'records of imports', 'the stores'],
  },
  families: [
    ...['users-generation', 'queue', 'turns', 'scheduled'],
    ...['scim-bulk', 'import', 'verify', 'import-part', 'export', 'organization-removal'],
  ],
};

/** Runs tests on a Cluster that otherwise run on one server, so that no command crosses slots. */
export async function runOnCluster(t: Test, { parts, families }: ClusterRun): Promise<void> {
  const cluster = await startCluster(t);
  if (cluster === undefined) return;
  const names = await watchNames(t, cluster);
  await Promise.all(
    Object.entries(parts).map(([file, only]) => {
      const apart = new URL(`../../${file}.test${extname(import.meta.filename)}`, import.meta.url).pathname;
      // In a whole run the file is in the bundle.
      const { TEST_BUNDLE } = process.env;
      const script = TEST_BUNDLE === undefined ? [apart] : [TEST_BUNDLE, `test/${file}.test.ts`];
      const some = only.length > 0 && { TAP_GREP: `/^(${only.join('|')})/`, TAP_FILTER_QUIETLY: '1' };
      const env = { ...process.env, REDIS_URL: cluster.url, ...some };
      return t.spawn(process.execPath, [...process.execArgv, ...script], { env, name: file });
    }),
  );
  const seen = new Set([...names].flatMap((name) => name.replace(/[{}]/g, '').split(':').slice(1, 3)));
  const unseen = families.filter((family) => !seen.has(family));
  t.same(unseen, [], 'each family of keys was written');
}
