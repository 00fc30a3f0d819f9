import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** The options of a request that may use a kept connection. */
interface SharedOptions extends RequestOptions {
  /** Who uses the connection. Nobody else gets it. */
  readonly share?: string;
}

/** How long an unused connection is kept, in milliseconds. */
const idleMs = 15_000;
/** The most connections of one share to one host that wait unused. */
const mostOfHost = 4;
/** The most connections of a process, above which none is kept. */
const most = 200;

/**
 * Keeps connections to hosts that strangers chose, and the TLS sessions with them. A connection goes to an address that was checked when it was
 * opened. It serves one share alone, so that what one organization begins with a host never meets what another one asks of it.
 */
export class KeptAgent extends Agent {
  constructor(options: AgentOptions) {
    super({ ...options, keepAlive: true, maxFreeSockets: mostOfHost, timeout: idleMs });
  }

  override getName(options: SharedOptions = {}): string {
    return `${super.getName(options)}:${options.share}`;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const { totalSocketCount } = this as unknown as { totalSocketCount: number };
    return totalSocketCount <= most && (super.keepSocketAlive as (one: Duplex) => boolean).call(this, socket);
  }
}
