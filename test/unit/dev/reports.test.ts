import t from 'tap';
import { mixed } from '../../../dev/kubernetes/check-alerts.js';
import { readCounts, readFailedFiles, readSkipped } from '../../../dev/tap-output.js';
import { seriousAdvisories, whyNotAsked } from '../../../dev/vulnerabilities.js';

/** What `make lint` and `make test` make of what other programs tell them. */

t.test('a run of tests: what passed, failed and did not run', async (t) => {
  const output = `TAP version 14
ok 1 - test/e2e/whole.test.ts # time=120.5ms {
    # Subtest: first
        ok 1 - should be equal
        1..1
    ok 1 - first # time=1ms
    1..1
}

ok 2 - test/e2e/balanced.test.ts # time=20.1ms {
    # Subtest: two processes
        ok 1 - not run here # SKIP nginx is not to be had
        1..1
    ok 1 - two processes # time=1ms
    ok 2 - clocks jump # SKIP faketime is not here
    1..2
}

# Subtest: test/browser/login.test.ts
    1..0 # There is no Chromium
ok 3 - test/browser/login.test.ts # SKIP There is no Chromium
not ok 4 - test/e2e/other.test.ts # time=10.1ms
1..4
# { total: 7, pass: 3, fail: 1, skip: 3 }
`;
  t.same(readCounts(output), { passed: 3, failed: 1 });
  t.same(readFailedFiles(output), ['test/e2e/other.test.ts']);
  t.same(readSkipped(output), [
    'test/e2e/balanced.test.ts: nginx is not to be had',
    'test/e2e/balanced.test.ts, clocks jump: faketime is not here',
    'test/browser/login.test.ts: There is no Chromium',
  ]);
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
