import type { Config } from '#src/config.js';
import type { Logger } from '#src/platform/logger.js';
import type { Tracing } from '#src/platform/tracing.js';
import type { Measures } from './measures.js';
import type { Lookups } from './metrics.js';

/** The observability of a process: metrics, traces, both or nothing. */
export interface Observer {
  /** Absent when metrics are off. */
  readonly measures?: Measures;
  /** Absent when traces are off. */
  readonly tracing?: Tracing;
  /** Starts the server of the metrics. */
  start(lookups: Lookups): Promise<void>;
  close(): Promise<void>;
}

/** Opens what the settings ask for. The container gets the result. Modules of what is off are not loaded. */
export async function openObserver(
  config: Pick<Config, 'metricsHost' | 'metricsPort' | 'otlpEndpoint' | 'traceRatio'>,
  { processName, logger }: { processName: string; logger: Logger },
): Promise<Observer> {
  const { metricsHost: host, metricsPort: port, otlpEndpoint: endpoint, traceRatio: ratio } = config;
  const metrics = port > 0 ? (await import('./metrics.js')).createMetrics(processName) : undefined;
  const tracing =
    endpoint === ''
      ? undefined
      : (await import('./tracing.js')).createTracing({ endpoint, processName, ratio });
  const closers: (() => void | Promise<void>)[] = [];
  if (tracing !== undefined) closers.push(() => tracing.close());

  return {
    ...(metrics && { measures: metrics }),
    ...(tracing && { tracing }),
    async start(lookups) {
      if (metrics === undefined) return;
      const [{ serveMetrics }, { watchRedis }] = await Promise.all([
        import('./serve-metrics.js'),
        import('./watch-redis.js'),
      ]);
      metrics.lookUp(lookups);
      closers.push(watchRedis(metrics.redisCommandEnded));
      const server = await serveMetrics(metrics, { host, port });
      closers.push(() => server.close());
      logger.info({ host, port: server.port }, 'metrics are served');
    },
    async close() {
      await Promise.allSettled(closers.map(async (close) => close()));
    },
  };
}
