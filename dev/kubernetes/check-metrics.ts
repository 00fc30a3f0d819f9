import { readFileSync } from 'node:fs';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import type { Measures } from '#src/observe/measures.js';
import { createMetrics } from '#src/observe/metrics.js';
import type { KubernetesObject } from './render.js';

/** Labels of a metric, and the values that were seen. */
type Labels = ReadonlyMap<string, ReadonlySet<string>>;

/** Labels that the Prometheus operator adds to every metric of a pod, and the label of histograms. */
const targetLabels = ['namespace', 'pod', 'container', 'job', 'instance', 'le'];
/** Labels for which {@link tellSamples} produces every value that an expression may ask for. */
const complete = ['process', 'status', 'outcome', 'kind', 'state', 'factor'];

/** Records one sample of everything that the service can measure. */
function tellSamples(measures: Measures): void {
  const seconds = 1;
  for (const status of [200, 300, 400, 500]) {
    measures.requestAnswered({ method: 'GET', route: '/readyz', status, seconds });
  }
  measures.tokenAnswered('client_credentials', 'issued');
  measures.requestLimited('address');
  for (const kind of ['list', 'bulk', 'migration', 'sign-in', 'hash'] as const) measures.workShed(kind);
  for (const reason of ['full', 'stalled'] as const) measures.responseCutOff(reason);
  for (const factor of ['password', 'code'] as const) {
    for (const outcome of ['right', 'wrong', 'locked'] as const) measures.loginChecked(factor, outcome);
  }
  for (const outcome of ['signedIn', 'unreachable', 'metadataInvalid', 'codeRefused', 'tokenInvalid'])
    measures.connectionUsed(outcome);
  for (const request of ['document', 'token', 'keys'] as const) {
    for (const outcome of ['answered', 'failed'] as const)
      measures.providerAnswered(request, { outcome, seconds });
  }
  measures.hashWaited(seconds);
  for (const kind of Object.keys(jobCatalogue)) {
    for (const outcome of ['done', 'retry', 'failed'] as const) measures.jobEnded(kind, { outcome, seconds });
  }
  for (const outcome of ['created', 'skipped', 'failed'] as const) {
    measures.recordsImported('humanUsers', outcome, 1);
  }
  measures.mongoConnectionTaken(seconds);
}

async function renderSamples(processName: string): Promise<string> {
  const metrics = createMetrics(processName);
  tellSamples(metrics);
  metrics.redisCommandEnded('get', { failed: true, seconds: 1 });
  const kinds = Object.keys(jobCatalogue);
  metrics.lookUp({
    hashLoad: () => ({ running: 0, waiting: 0 }),
    jobs: async () =>
      kinds.flatMap((kind) => ['waiting', 'active', 'delayed'].map((state) => ({ kind, state, count: 0 }))),
    oldestWaiting: async () => kinds.map((kind) => ({ kind, seconds: 0 })),
    mongoPool: () => ({ open: 0, used: 0, waiting: 0 }),
    redisReady: () => true,
  });
  return (await metrics.render()).text;
}

/**
 * The names that Prometheus has for the service's metrics, including those that it derives from histograms, with their
 * labels.
 */
export async function exportedMetrics(): Promise<ReadonlyMap<string, Labels>> {
  const text = (await Promise.all(['api', 'worker'].map(renderSamples))).join('\n');
  const exported = new Map<string, Map<string, Set<string>>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const held = exported.get(name) ?? new Map<string, Set<string>>();
    exported.set(name, held);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      held.set(label, (held.get(label) ?? new Set()).add(value));
    }
  }
  return exported;
}

/** Metrics, labels and label values that a PromQL expression asks for and that the service does not export. */
export function unknownIn(expression: string, exported: ReadonlyMap<string, Labels>): string[] {
  const problems: string[] = [];
  const known = new Set(targetLabels);
  for (const [, name = '', matchers = ''] of expression.matchAll(
    /\b((?:muster|nodejs|process)_\w+)(?:\{([^}]*)\})?/g,
  )) {
    const labels = exported.get(name);
    if (labels === undefined) {
      problems.push(`${name}, which nobody tells`);
      continue;
    }
    for (const label of labels.keys()) known.add(label);
    for (const [, label = '', , asked = ''] of matchers.matchAll(/(\w+)\s*(!=|=~|!~|=)\s*"([^"]*)"/g)) {
      const values = labels.get(label);
      if (values === undefined && !targetLabels.includes(label)) problems.push(`${label} of ${name}`);
      if (values === undefined || !complete.includes(label)) continue;
      const missing = asked.split('|').filter((value) => !values.has(value));
      problems.push(...missing.map((value) => `${label}="${value}" of ${name}`));
    }
  }
  for (const [, list = ''] of expression.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)) {
    const unknown = list.split(/\s*,\s*/).filter((label) => !known.has(label));
    problems.push(...unknown.map((label) => `the label ${label}`));
  }
  return problems;
}

/** Every expression in a parsed document. */
function* expressionsIn(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if ((key === 'expr' || key === 'query') && typeof inner === 'string') yield inner;
    else yield* expressionsIn(inner);
  }
}

/** What the alerts, the dashboard and the autoscaler ask for and the service does not export. */
export async function checkMetrics(objects: readonly KubernetesObject[]): Promise<string[]> {
  const exported = await exportedMetrics();
  const dashboard: unknown = JSON.parse(readFileSync('k8s/monitoring/dashboard.json', 'utf8'));
  const places: [place: string, content: unknown][] = [
    ['dashboard.json', dashboard],
    ...objects
      .filter(({ kind }) => ['PrometheusRule', 'ScaledObject'].includes(kind))
      .map((object): [string, unknown] => [`${object.kind} ${object.metadata.name}`, object]),
  ];
  return places.flatMap(([place, content]) =>
    [...expressionsIn(content)]
      .flatMap((expression) => unknownIn(expression, exported))
      .map((problem) => `${place} asks for ${problem}`),
  );
}
