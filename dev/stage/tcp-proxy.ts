import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A network between a process and a store. A test can break it. */
export interface TcpProxy {
  readonly port: number;
  /** Closes all connections and accepts none. */
  cut(): void;
  /** Passes no bytes on and closes nothing, as a network that drops packets. */
  silence(): void;
  /** Holds sent bytes and passes them on after {@link heal}, as a slow network. */
  hold(): void;
  /** Connections pass bytes again. Connections that were silenced stay silent. */
  heal(): void;
}

/** Listens on its own port and passes bytes to and from the target. */
export async function startTcpProxy(
  t: Pick<Test, 'teardown'>,
  target: { host: string; port: number },
): Promise<TcpProxy> {
  let state: 'well' | 'cut' | 'silent' | 'held' = 'well';
  const open = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(target);
    const pass = (from: Socket, to: Socket) => {
      open.add(from);
      if (state === 'silent') silenced.add(from);
      from.on('data', (data) => {
        if (!silenced.has(from)) to.write(data);
      });
      if (state === 'held') from.pause();
      from.on('error', () => undefined);
      from.on('close', () => {
        open.delete(from);
        // On a silenced connection the other side does not learn of the close either.
        if (!silenced.has(from)) to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    closeAll();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      closeAll();
    },
    silence() {
      state = 'silent';
      for (const socket of open) silenced.add(socket);
    },
    hold() {
      state = 'held';
      for (const socket of open) socket.pause();
    },
    heal() {
      state = 'well';
      for (const socket of open) socket.resume();
    },
  };
}
