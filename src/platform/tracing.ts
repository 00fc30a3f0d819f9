/** The content of a span, and its parent. */
interface SpanOptions {
  readonly kind: 'server' | 'client' | 'consumer';
  /** Only fixed texts and numbers, such as names of operations. Never values, identifiers or addresses. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** A `traceparent` (W3C Trace Context) of another process. Without it, the current span is the parent. */
  readonly parent?: string | undefined;
}

/** An open span. Ending it twice does nothing. */
export interface OpenSpan {
  /** Runs `work` with this span as the current one. */
  run<T>(work: () => T): T;
  end(result?: {
    failed?: boolean;
    name?: string;
    attributes?: Readonly<Record<string, string | number>>;
  }): void;
}

/** Traces of a process, sent to a collector. Absent unless configured. */
export interface Tracing {
  open(name: string, options: SpanOptions): OpenSpan;
  /** The `traceparent` of the current span, for another process. */
  current(): string | undefined;
}

/** Runs `work` in a span, and ends the span with its result. Without tracing it only runs `work`. */
export async function inSpan<T>(
  tracing: Tracing | undefined,
  { name, ...options }: SpanOptions & { name: string },
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const span = tracing.open(name, options);
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}
