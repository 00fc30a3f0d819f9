declare module 'oidc-provider' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  interface Saved {
    save(seconds: number): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    readonly Client: { find(id: string): Promise<unknown> };
    readonly Grant: new (
      properties: object,
    ) => Saved & { addOIDCScope(scope: string): void };
    readonly AuthorizationCode: new (
      properties: object,
    ) => Saved;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    listen(port: number, host: string): Server;
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this;
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export default class MemoryAdapter {
    constructor(model: string, storage: Map<string, unknown>);
  }
}
