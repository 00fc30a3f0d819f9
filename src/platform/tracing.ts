/** What a span is of, and whose child it is. */
export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'consumer';
  /** Fixed texts and numbers alone: names of operations, never values, identifiers or addresses. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** A `traceparent` (W3C Trace Context) of another process; without it the span that is current is the parent. */
  readonly parent?: string | undefined;
}

/** A span that is open. Ending it twice does nothing. */
export interface OpenSpan {
  /** Runs `work` with this span as the current one. */
  run<T>(work: () => T): T;
  end(result?: {
    failed?: boolean;
    name?: string;
    attributes?: Readonly<Record<string, string | number>>;
  }): void;
}

/** Traces of what a process does, sent to a collector; absent unless configured. */
export interface Tracing {
  open(name: string, options: SpanOptions): OpenSpan;
  /** The `traceparent` of the current span, to be passed on to another process. */
  current(): string | undefined;
}

/** Runs `work` in a span that ends with it and says whether it failed; without tracing just runs it. */
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
