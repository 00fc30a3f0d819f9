import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

interface DriverConnection {
  readonly socket: Socket;
  onClose(): void;
}

let isMended = false;

/**
 * Ends the wait of commands whose connection is gone. The driver (7.8 and 7.9 at least) waits for `drain` when the
 * socket takes no more bytes, and hears of an error there, but not of an end: a command that is written to a socket
 * that was just closed waits for ever, and with the monitor's own the process never finds its server again. `drain` is
 * said when the connection has closed; the command then meets the connection's error, and is tried again as usual.
 */
export function mendLostWrites(): void {
  if (isMended) return;
  isMended = true;
  const load = createRequire(import.meta.url);
  const { Connection } = load('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: DriverConnection };
  };
  const { onClose } = Connection.prototype;
  Connection.prototype.onClose = function (this: DriverConnection) {
    onClose.call(this);
    this.socket.emit('drain');
  };
}
