import { readFileSync } from 'node:fs';
import t from 'tap';
import { parseAllDocuments } from 'yaml';
import { checkIngress } from '../../../dev/kubernetes/check-ingress.js';
import { exportedMetrics, unknownIn } from '../../../dev/kubernetes/check-metrics.js';
import { checkNamespaces } from '../../../dev/kubernetes/check-namespaces.js';
import { checkPolicies } from '../../../dev/kubernetes/check-policies.js';
import { checkReferences } from '../../../dev/kubernetes/check-references.js';
import { render } from '../../../dev/kubernetes/render.js';

/** The findings of the checks of the Kubernetes objects. */

t.test('expressions that ask for metrics that the service does not export', async (t) => {
  const exported = await exportedMetrics();
  const cases: [expression: string, problems: string[]][] = [
    ['sum by (pod) (rate(muster_http_request_seconds_count{status="5xx", namespace="x"}[5m]))', []],
    ['max by (kind) (muster_jobs{state!="delayed", process=~"api|worker"}) > 1', []],
    ['muster_http_requests_total', ['muster_http_requests_total, which nobody tells']],
    ['muster_redis_ready{server="a"} == 0', ['server of muster_redis_ready']],
    ['muster_jobs{state="failed"}', ['state="failed" of muster_jobs']],
    ['process_cpu_seconds_total{process=~"api|web"}', ['process="web" of process_cpu_seconds_total']],
    ['sum by (queue) (muster_jobs)', ['the label queue']],
  ];
  for (const [expression, problems] of cases) t.same(unknownIn(expression, exported), problems, expression);
});

t.test('network policies that let nothing through', (t) => {
  const labels = { 'app.kubernetes.io/name': 'muster' };
  const containers = [{ name: 'api', ports: [{ name: 'http', containerPort: 8080 }] }];
  const pod = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'muster-api' },
    spec: { template: { metadata: { labels }, spec: { containers } } },
  };
  const found = (spec: object) =>
    checkPolicies([
      pod,
      { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'one' }, spec },
    ]);
  const podSelector = { matchLabels: labels };
  const dns = { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }] };
  const to = (selector: object) => [{ to: [{ namespaceSelector: {}, podSelector: selector }] }];
  t.same(found({ podSelector, egress: to(dns), ingress: [{ ports: [{ port: 'http' }] }] }), []);
  t.same(found({ podSelector: { matchLabels: { a: 'b' } } }), ['NetworkPolicy one selects no pod']);
  t.same(found({ podSelector, ingress: [{ ports: [{ port: 9090 }] }] }), [
    'NetworkPolicy one lets in at 9090, where none of its pods listens',
  ]);
  t.same(found({ podSelector, egress: to({ matchLabels: { ...labels, 'k8s-app': 'kube-dns' } }) }), [
    'NetworkPolicy one wants pods of other namespaces to be called as ours',
  ]);
  t.end();
});

t.test('namespaces that admit pods with more privileges than those of Muster', (t) => {
  const key = 'pod-security.kubernetes.io';
  const found = (labels?: Record<string, string>) =>
    checkNamespaces([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'one', ...(labels && { labels }) } },
    ]);
  t.same(found({ [`${key}/enforce`]: 'restricted', [`${key}/warn`]: 'restricted' }), []);
  t.same(found({ [`${key}/enforce`]: 'restricted', [`${key}/warn`]: 'baseline' }), [
    `Namespace one lacks the label ${key}/warn: restricted`,
  ]);
  t.equal(found().length, 2);
  for (const overlay of ['dev', 'prod']) {
    const { objects } = render(`k8s/overlays/${overlay}`);
    t.equal(objects.filter(({ kind }) => kind === 'Namespace').length, 1, `${overlay} has a namespace`);
  }
  t.end();
});

t.test('processes that are killed before they had the time that they are given', (t) => {
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'muster-settings-1' },
    data: { MUSTER_DRAIN_SECONDS: '10', MUSTER_SHUTDOWN_SECONDS: '25' },
  };
  const found = (script: string, terminationGracePeriodSeconds?: number) => {
    const containers = [{ name: 'one', command: ['node', script] }];
    const template = { spec: { containers, terminationGracePeriodSeconds } };
    const pod = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'one' }, spec: { template } };
    return checkReferences([settings, pod]);
  };
  t.same(found('dist/src/server.js', 45), []);
  t.same(found('dist/src/server.js', 35), [
    'Deployment one is killed after 35 s: MUSTER_SHUTDOWN_SECONDS and MUSTER_DRAIN_SECONDS are 35 s',
  ]);
  t.same(found('dist/workers/main.js'), [], 'workers do not drain, and 30 s are usual');
  t.end();
});

t.test('the Ingress keeps every body until it is complete, except imports, and limits its size', (t) => {
  const prefix = 'nginx.ingress.kubernetes.io/';
  const text = readFileSync('k8s/overlays/prod/ingress.yaml', 'utf8');
  const found = parseAllDocuments(text).flatMap((document) => {
    const { metadata, spec } = document.toJS() as {
      metadata: { annotations: Record<string, string> };
      spec: { rules: { http: { paths: { path: string; pathType: string }[] } }[] };
    };
    const { [`${prefix}proxy-body-size`]: size, [`${prefix}proxy-request-buffering`]: kept } =
      metadata.annotations;
    return spec.rules.flatMap(({ http }) =>
      http.paths.map(({ path, pathType }) => [`${path} ${pathType}`, size, kept]),
    );
  });
  t.same(found, [
    ['/ Prefix', '64k', 'on'],
    ['/scim/v2 Prefix', '1m', 'on'],
    ['/admin/v1 Prefix', '1m', 'on'],
    ['/admin/v1/import Exact', '0', 'off'],
    ['/admin/v1/orgs Prefix', '256m', 'off'],
    ['/console/orgs Prefix', '9m', 'on'],
  ]);
  t.end();
});

t.test('the shipped settings of the ingress controller admit every address that the service accepts', (t) => {
  const { objects } = render('k8s/ingress-nginx');
  t.match(objects, [
    { kind: 'ConfigMap', metadata: { name: 'ingress-nginx-controller', namespace: 'ingress-nginx' } },
  ]);
  t.same(checkIngress(objects), []);
  const withBuffers = (buffers?: string) =>
    checkIngress([
      {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ingress-nginx-controller' } },
        data: buffers === undefined ? {} : { 'large-client-header-buffers': buffers },
      },
    ]);
  t.same(withBuffers('4 32k'), []);
  for (const small of [undefined, '4 8k', '32 16k', '4 32', 'x'])
    t.match(withBuffers(small), [/the service accepts 32768 bytes/], `${small}`);
  t.end();
});
