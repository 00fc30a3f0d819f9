import { Readable } from 'node:stream';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { StorageTransport } from '../transfer/storage-transport.js';

type Handler = Extract<NonNullable<S3ClientConfig['requestHandler']>, { handle: unknown }>;

/** What the library asks to send. */
interface LibraryRequest {
  readonly method: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Lets the client library send its requests over a transport. */
export function s3RequestHandler(transport: StorageTransport): Handler {
  const handler = {
    async handle(request: LibraryRequest, options?: { abortSignal?: unknown }) {
      const { hostname, port, method, headers, body } = request;
      const signal = options?.abortSignal as AbortSignal | undefined;
      const answer = await transport({
        method,
        headers,
        host: port === undefined ? hostname : `${hostname}:${port}`,
        path: request.path + queryOf(request),
        body: body as Uint8Array | string | undefined,
        signal,
      });
      const { status, headers: answered, body: received } = answer;
      const response = {
        statusCode: status,
        headers: answered,
        body: Buffer.isBuffer(received) ? Readable.from([received]) : received,
      };
      return { response };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
  return handler as Handler;
}

function queryOf({ query }: LibraryRequest): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) =>
      one === null ? encode(name) : `${encode(name)}=${encode(one)}`,
    ),
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** As the signature counts it: everything but the unreserved characters of RFC 3986 is encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
