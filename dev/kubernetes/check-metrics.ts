import { readFileSync } from 'node:fs';
import { createMetrics } from '#src/observe/metrics.js';
import type { KubernetesObject } from './render.js';

/** Names under which Prometheus knows what the service tells, with what it makes of histograms. */
export async function exportedMetrics(): Promise<Set<string>> {
  const metrics = createMetrics('check');
  metrics.lookUp({
    hashLoad: () => ({ running: 0, waiting: 0 }),
    jobs: async () => [],
    oldestWaiting: async () => [],
    mongoPool: () => ({ open: 0, used: 0, waiting: 0 }),
    redisReady: () => true,
  });
  const { text } = await metrics.render();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  );
  return new Set(names);
}

/** Metrics that alerts, the dashboard and the autoscaler ask for, and nobody tells. */
export async function checkMetrics(objects: readonly KubernetesObject[]): Promise<string[]> {
  const exported = await exportedMetrics();
  const places: [place: string, text: string][] = [
    ['dashboard.json', readFileSync('k8s/monitoring/dashboard.json', 'utf8')],
    ...objects
      .filter(({ kind }) => ['PrometheusRule', 'ScaledObject'].includes(kind))
      .map((object): [string, string] => [`${object.kind} ${object.metadata.name}`, JSON.stringify(object)]),
  ];
  return places.flatMap(([place, text]) =>
    [...new Set(text.match(/\b(muster|nodejs|process)_[a-z0-9_]+(?=[{)[ ])/g) ?? [])]
      .filter((name) => !exported.has(name))
      .map((name) => `${place} asks for ${name}, which nobody tells`),
  );
}
