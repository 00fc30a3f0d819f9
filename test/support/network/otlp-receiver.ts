import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  /** `service.name` of the sending process. */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status?: { code?: number };
  attributes?: Attribute[];
}

/** A collector that accepts OTLP over HTTP in JSON and keeps every span. */
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
      resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = textsOf(resource.attributes)['service.name'] ?? '';
      for (const { spans: sent } of scopeSpans) spans.push(...sent.map((span) => read(span, service)));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  t.teardown(endable(server));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, spans, text: () => text };
}

function read(
  { name, traceId, spanId, parentSpanId = '', status, attributes = [] }: OtlpSpan,
  service: string,
): ReceivedSpan {
  const failed = status?.code === 2;
  return { service, name, traceId, spanId, parentSpanId, failed, attributes: textsOf(attributes) };
}

function textsOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]),
  );
}
