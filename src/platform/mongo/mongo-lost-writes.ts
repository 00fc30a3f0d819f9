import { Connection, type DriverConnection } from 'mongodb/lib/cmap/connection.js';

let isMended = false;

/**
 * Ends the wait of commands whose connection is closed. When a socket accepts no more bytes, the driver (7.8
 * and 7.9 at least) waits for `drain`. It notices an error meanwhile, but not an end. A command that is
 * written to a socket that was just closed therefore waits for ever. If that happens to the monitor, the
 * process never finds its server again. This emits `drain` when the connection has closed. The command then
 * gets the error of the connection, and is retried as usual.
 */
export function mendLostWrites(): void {
  if (isMended) return;
  isMended = true;
  const { onClose } = Connection.prototype;
  Connection.prototype.onClose = function (this: DriverConnection) {
    onClose.call(this);
    this.socket.emit('drain');
  };
}
