/** A module of the driver that has no types of its own. It has more than `mongo-lost-writes.ts` uses. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export interface DriverConnection {
    readonly socket: Socket;
    onClose(): void;
  }

  export const Connection: { readonly prototype: DriverConnection };
}
