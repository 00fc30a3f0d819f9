declare module 'oidc-provider' {
  import type { Server } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    listen(port: number, host: string): Server;
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this;
  }
}
