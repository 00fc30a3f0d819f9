import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Tracing } from '#src/platform/tracing.js';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/**
 * Sends spans to an OpenTelemetry collector by OTLP over HTTP, in batches. If the collector is away, the
 * spans are dropped, and nothing else is affected.
 * @param options `endpoint` is the base address of the collector, `ratio` the share of new traces that are
 * sent
 */
export function createTracing(options: {
  endpoint: string;
  processName: string;
  ratio: number;
}): Tracing & { close(): Promise<void> } {
  const url = `${options.endpoint.replace(/\/$/, '')}/v1/traces`;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `muster-${options.processName}`,
      'service.namespace': 'muster',
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const tracer = provider.getTracer('muster');
  const contexts = new AsyncLocalStorage<Context>();

  return {
    open(name, { kind, attributes = {}, parent }) {
      const from = (parent && readTraceparent(parent)) || contexts.getStore() || ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, from);
      const within = trace.setSpan(from, span);
      return {
        run: (work) => contexts.run(within, work),
        end({ failed = false, name: newName, attributes: more } = {}) {
          if (!span.isRecording()) return;
          if (newName !== undefined) span.updateName(newName);
          if (more !== undefined) span.setAttributes(more);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    current() {
      const span = trace.getSpanContext(contexts.getStore() ?? ROOT_CONTEXT);
      if (span === undefined || !isSpanContextValid(span)) return undefined;
      return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 1).toString().padStart(2, '0')}`;
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** The parent that a `traceparent` names. A malformed header counts as absent. */
function readTraceparent(value: string): Context | undefined {
  const match = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/.exec(value);
  if (match === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : undefined;
}
