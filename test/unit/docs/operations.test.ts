import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { eventIndexes } from '#src/audit/events.store.js';
import { type Setting, settings } from '#src/config.js';
import { identifierIndexes } from '#src/directory/identifiers/identifiers.store.js';
import { jobBodyIndexes, jobIndexes } from '#src/jobs/jobs.store.js';
import { stagingIndexes } from '#src/jobs/staging.store.js';
import { groupMemberIndexes } from '#src/people/groups/group-members.store.js';
import { userIndexes } from '#src/people/queries/user-indexes.js';
import { refreshTokenIndexes } from '#src/tokens/refresh-tokens.store.js';
import { revocationIndexes } from '#src/tokens/revocations.store.js';
import { exportedMetrics } from '../../../dev/kubernetes/check-metrics.js';
import { isWorkload } from '../../../dev/kubernetes/check-pods.js';
import { render } from '../../../dev/kubernetes/render.js';
import { notRun } from '../../../dev/not-run.js';

/** The guide for operators names nothing that does not exist. */

const read = (path: string) => readFileSync(path, 'utf8');
const guide = read('docs/operations.md');

/** All matches of a pattern in the guide, each once. */
const named = (pattern: RegExp) => [
  ...new Set([...guide.matchAll(pattern)].map((match) => match[1] ?? match[0])),
];

t.test('settings', (t) => {
  const known = new Set(Object.values(settings as Record<string, Setting>).map(({ env }) => env));
  const names = named(/\b(?:MUSTER|MONGODB|REDIS|OTEL)_[A-Z_]*[A-Z]\b/g);
  t.ok(names.length > 15);
  t.same(
    names.filter((name) => !known.has(name)),
    [],
  );
  t.end();
});

t.test('metrics, all of them', async (t) => {
  const exported = [...(await exportedMetrics()).keys()].map((name) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );
  const names = named(/`((?:muster|nodejs|process)_[a-z0-9_]+)`/g);
  t.same(
    names.filter((name) => !exported.includes(name)),
    [],
  );
  const ours = exported.filter((name) => name.startsWith('muster_'));
  t.same(
    ours.filter((name) => !names.includes(name)),
    [],
    'none is left out',
  );
});

t.test('alerts, all of them', (t) => {
  const { spec } = parse(read('k8s/monitoring/alerts.yaml')) as {
    spec: { groups: { rules: { alert: string }[] }[] };
  };
  const alerts = spec.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  t.same(named(/^### (Muster\w+)$/gm), alerts, 'each has its section, in their order');
  t.same(
    named(/\bMuster[A-Z]\w+/g).filter((name) => !alerts.includes(name)),
    [],
  );
  t.end();
});

t.test('files, routes, and what was measured', (t) => {
  const paths = [
    ...named(/\b((?:k8s|src|dev|test|bench|workers)\/[\w./-]*\w)/g),
    ...named(/\]\(((?!https?:|#)[^)]+)\)/g).map((link) => join('docs', link)),
  ];
  t.ok(paths.length > 8);
  t.same(
    paths.filter(
      (path) => !existsSync(path.replace(/^dist\//, '')) && !existsSync(path.replace(/\.js$/, '.ts')),
    ),
    [],
  );
  const { paths: routes } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const operations = [...guide.matchAll(/`(GET|POST|PATCH|PUT|DELETE) (\/[^`\s]+)`/g)];
  t.ok(operations.length >= 3);
  for (const [, method = '', path = ''] of operations) t.ok(routes[path]?.[method.toLowerCase()], path);
  for (const name of named(/row "([^"]+)"/g)) t.ok(read('bench/results.md').includes(`| ${name}`), name);
  for (const heading of named(/\]\(#([\w-]+)\)/g)) {
    const slugs = named(/^##+ (.+)$/gm).map((title) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    t.ok(slugs.includes(heading), heading);
  }
  t.end();
});

t.test('each fault states its symptoms, its losses and its duration, and names its tests', (t) => {
  const section = guide.split('\n## Faults\n')[1]?.split('\n## ')[0] ?? '';
  const [head = [], ...rows] = [...section.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) =>
    row.split(' | '),
  );
  t.equal(head.length, 5);
  t.ok(rows.length >= 15);
  const tests = readdirSync('test', { recursive: true }).map((file) => String(file).replace(/^.*\//, ''));
  for (const cells of rows) {
    t.equal(cells.filter((cell) => cell.trim() !== '').length, head.length, `${cells[0]}`);
    const names = [...(cells.at(-1) ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => `${name}.test.ts`);
    t.ok(names.length > 0 && names.every((name) => tests.includes(name)), names.join(' '));
  }
  t.end();
});

t.test('the patches for other clusters fit the overlay', (t) => {
  const patches = /```yaml\n(.*?)```/s.exec(guide)?.[1] ?? '';
  const folder = t.testdir();
  cpSync('k8s', folder, { recursive: true });
  const overlay = join(folder, 'overlays/prod');
  appendFileSync(join(overlay, 'kustomization.yaml'), patches);
  const { objects, with: builder } = render(overlay);
  const rendered = JSON.stringify(objects);
  const times = (part: string) => rendered.split(part).length - 1;
  if (builder === undefined) notRun(t, 'kubectl and kustomize are not to be had');
  else {
    t.equal(times('"mountPath":"/ca"'), objects.filter(isWorkload).length);
    t.equal(times('"release":"prometheus"'), 2);
    t.equal(times('"imagePullSecrets"'), 1);
  }
  t.end();
});

t.test('a collection can be sharded as the guide says: unique indexes begin with the key', (t) => {
  const indexes = [
    userIndexes,
    eventIndexes,
    groupMemberIndexes,
    identifierIndexes,
    refreshTokenIndexes,
    revocationIndexes,
    jobBodyIndexes,
    jobIndexes,
    stagingIndexes,
  ];
  const rows = [...guide.matchAll(/^\| `(\w+)` \| `\{ "?([\w.]+)"?: (1|"hashed") \}` \|/gm)];
  t.equal(rows.length, indexes.length);
  for (const [, collection = '', field = '', how = ''] of rows) {
    const declared = indexes.find((one) => one.collection === collection);
    t.ok(declared, collection);
    for (const { key } of declared?.indexes.filter(({ unique }) => unique) ?? []) {
      t.match({ first: Object.keys(key)[0], how }, { first: field, how: '1' }, collection);
    }
  }
  t.end();
});
