import type { IHttpClient } from '@azure/storage-blob';
import type { StorageTransport } from '../transfer/storage-transport.js';

type Answer = Awaited<ReturnType<IHttpClient['sendRequest']>>;

/** Lets the client library send its requests over a transport. */
export function azureHttpClient(transport: StorageTransport): IHttpClient {
  return {
    async sendRequest(request) {
      const { host, pathname, search } = new URL(request.url);
      const { status, headers, body } = await transport({
        method: request.method,
        headers: request.headers.toJson({ preserveCase: true }),
        host,
        path: pathname + search,
        body: request.body as Uint8Array | string | undefined,
        signal: request.abortSignal as AbortSignal | undefined,
      });
      return {
        request,
        status,
        // The library asks its own class for nothing else.
        headers: { toJson: () => ({ ...headers }) } as unknown as Answer['headers'],
        ...(Buffer.isBuffer(body) ? { bodyAsText: body.toString() } : { readableStreamBody: body }),
      };
    },
  };
}
