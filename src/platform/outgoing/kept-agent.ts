import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** The options of a request that may use a kept connection. */
interface SharedOptions extends RequestOptions {
  /** Who uses the connection. Nobody else gets it. */
  readonly share?: string;
}

/** The most connections of one share to one host that wait unused. */
const mostOfHost = 4;
/** The most connections of one share that wait unused, so that one organization with many hosts leaves room for others. */
const mostOfShare = 12;
/** The most connections of a process that wait unused. */
const most = 200;

/**
 * Keeps connections to hosts that strangers chose, and the TLS sessions with them. A connection goes to an address that was checked when it was
 * opened. It serves one share alone, so that what one organization begins with a host never meets what another one asks of it.
 * @param options `timeout`: how long an unused connection is kept, in milliseconds
 */
export class KeptAgent extends Agent {
  readonly #shares = new WeakMap<Duplex, string>();

  constructor(options: AgentOptions & { readonly timeout: number }) {
    super({ keepAlive: true, ...options, maxFreeSockets: mostOfHost });
  }

  override getName(options: SharedOptions = {}): string {
    return `${super.getName(options)}:${options.share}`;
  }

  override createConnection(
    options: SharedOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    const socket = super.createConnection(options, callback);
    if (socket) this.#shares.set(socket, `:${options.share}`);
    return socket;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const share = this.#shares.get(socket) ?? '';
    let [all, own] = [0, 0];
    for (const [name, sockets = []] of Object.entries(this.freeSockets)) {
      all += sockets.length;
      if (name.endsWith(share)) own += sockets.length;
    }
    const isWithin = all < most && own < mostOfShare;
    return isWithin && (super.keepSocketAlive as (one: Duplex) => boolean).call(this, socket);
  }
}
