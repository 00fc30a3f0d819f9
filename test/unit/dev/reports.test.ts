import { readFileSync } from 'node:fs';
import t from 'tap';
import { knownVulnerable, type Lock } from '../../../dev/known-advisories.js';
import { mixed } from '../../../dev/kubernetes/check-alerts.js';
import { readCounts, readFailures, readFiles, readSkipped } from '../../../dev/tap-output.js';
import { seriousAdvisories, whyNotAsked } from '../../../dev/vulnerabilities.js';

/** The functions with which `make lint` and `make test` read the output of other programs. */

t.test('a test file: what passed, failed and did not run', async (t) => {
  const output = `TAP version 14
# Subtest: two processes
    ok 1 - not run here # SKIP nginx is not installed
    # { total: 9, pass: 9 }
    1..1
ok 1 - two processes # time=1ms
ok 2 - clocks jump # SKIP faketime is not installed
ok 3 - later # SKIP
# Subtest: sums
    ok 1 - should be equal
    not ok 2 - should be equal
      ---
      compare: ===
      ...
    1..2
not ok 4 - sums # time=10.1ms
  ---
  at: somewhere
  ...
1..4
# { total: 5, pass: 1, fail: 1, skip: 3 }
`;
  t.same(readCounts(output), { passed: 1, failed: 1 });
  t.same(readSkipped(output), [
    'nginx is not installed',
    'clocks jump: faketime is not installed',
    'later: no reason given',
  ]);
  t.match(readFailures(output), /not ok 2.*compare.*not ok 4.*at: somewhere/s);
  t.notMatch(readFailures(output), /Subtest|should be equal\n {4}not|total/);
});

t.test('a test file that ends too early', async (t) => {
  const output = 'TAP version 14\nok 1 - first\nTypeError: no such thing\n';
  t.same(readCounts(output), { passed: 0, failed: 0 });
  t.match(readFailures(output), /TypeError: no such thing/);
});

t.test('several test files of one process: each has its own lines', async (t) => {
  const output = `TAP version 14
# Subtest: test/a.test.ts
    # Subtest: sums
        ok 1 - should be equal
        1..1
    ok 1 - sums # time=1ms
    1..1
ok 1 - test/a.test.ts # time=1500.5ms
# Subtest: test/b.test.ts
    not ok 1 - should be equal
    1..1
not ok 2 - test/b.test.ts # time=2s
# Subtest: test/c.test.ts
    ok 1 - first
Error: out of memory
`;
  const [a, b, c, d] = readFiles(output, [
    'test/a.test.ts',
    'test/b.test.ts',
    'test/c.test.ts',
    'test/d.test.ts',
  ]);
  t.match(a, { file: 'test/a.test.ts', passed: 1, failed: 0, ended: { ok: true, seconds: 1.5005 } });
  t.match(a?.output, /^# Subtest: sums\n {4}ok 1/);
  t.match(b, { passed: 0, failed: 1, ended: { ok: false, seconds: 2 } });
  t.match(c, { passed: 1, ended: undefined }, 'it did not end');
  t.match(c?.output, /ok 1 - first\nError: out of memory/);
  t.same(d, { file: 'test/d.test.ts', output: '', passed: 0, failed: 0 }, 'it did not begin');
});

t.test('known vulnerabilities: those of high and critical severity, each once', async (t) => {
  const advisory = (name: string, severity: string) => ({
    name,
    severity,
    title: 'Bad',
    url: 'https://example.com/1',
  });
  const vulnerabilities = {
    one: { via: [advisory('one', 'critical'), advisory('one', 'low')] },
    two: { via: ['one', advisory('two', 'moderate')] },
    three: { via: [advisory('one', 'critical'), advisory('three', 'high')] },
  };
  t.same(seriousAdvisories({ vulnerabilities }), [
    'one: Bad (critical, https://example.com/1)',
    'three: Bad (high, https://example.com/1)',
  ]);
  t.same(seriousAdvisories({ vulnerabilities: {} }), []);
  const unanswered = { message: 'request failed', error: { code: 'ENOTFOUND', summary: '' } };
  t.equal(seriousAdvisories(unanswered), undefined);
  t.equal(whyNotAsked(unanswered), 'request failed');
});

t.test('without the registry, shipped packages are compared with known advisories', async (t) => {
  const versions = (packages: Lock['packages']) => knownVulnerable({ packages });
  const uuid = 'node_modules/gaxios/node_modules/uuid';
  t.match(versions({ [uuid]: { version: '9.0.1' } }), [
    /^node_modules\/gaxios\/node_modules\/uuid 9\.0\.1: GHSA-w5hq/,
  ]);
  t.same(versions({ [uuid]: { version: '11.1.1' } }), []);
  t.same(versions({ [uuid]: { version: '9.0.1', dev: true }, '': { version: '0.1.0' } }), []);
  t.match(versions({ 'node_modules/uuid': { version: '11.1.0-beta.1' } }), [/GHSA-w5hq/]);
  t.match(versions({ 'node_modules/form-data': { version: '4.0.3' } }), [/GHSA-fjxv/], 'a second range');
  for (const version of ['2.5.4', '2.10.0', '3.0.4', '4.0.4', '4.1.0'])
    t.same(versions({ 'node_modules/form-data': { version } }), [], version);
  t.same(versions({ 'node_modules/uuid-parse': { version: '1.1.0' } }), [], 'another package');
  t.same(knownVulnerable(JSON.parse(readFileSync('package-lock.json', 'utf8'))), [], 'what is shipped');
});

t.test('alerts that mix instances of the service', async (t) => {
  const rules = (...exprs: string[]) => ({
    groups: [{ rules: exprs.map((expr, index) => ({ alert: `Alert${index}`, expr })) }],
  });
  t.same(
    mixed(
      rules(
        'max by (namespace, pod) (muster_hash_waiting) > 50',
        'max by (pod) (muster_hash_waiting) > 50',
        'sum by (namespace) (rate(a[5m])) / sum(rate(b[5m])) > 1',
        'muster_redis_ready == 0',
      ),
    ),
    ['Alert1 does not keep namespaces apart', 'Alert2 does not keep namespaces apart'],
  );
});
