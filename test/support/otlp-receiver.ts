import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status?: { code?: number };
  attributes?: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector that takes OTLP over HTTP in JSON and keeps what it was sent. */
export async function startOtlpReceiver(t: Pick<Test, 'teardown'>) {
  const spans: ReceivedSpan[] = [];
  let text = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    text += body;
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    spans.push(
      ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap((one) => one.spans.map(read)),
    );
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, spans, text: () => text };
}

function read({ name, traceId, spanId, parentSpanId = '', status, attributes = [] }: OtlpSpan): ReceivedSpan {
  const pairs = attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]);
  return {
    name,
    traceId,
    spanId,
    parentSpanId,
    failed: status?.code === 2,
    attributes: Object.fromEntries(pairs),
  };
}
