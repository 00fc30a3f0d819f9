import {
  startUnreadClients,
  type UnreadCounts,
  type UnreadOptions,
} from '../../dev/stage/unread/unread-clients.js';
import type { Attack, Attacking, Target } from './attack.js';
import type { Shot } from './caller.js';
import { cheapShot, partOf } from './clients.js';

/** As over a real network. */
export const overNetwork = { mss: 1400, receiveBuffer: 4096 } as const;

/** Clients that read nothing, and open each connection that the server ends again. */
export interface Unread {
  readonly connections: number;
  readonly pipelined?: number;
  readonly network?: typeof overNetwork;
  readonly connectionsPerSecond: number;
  /** Where the connections go. */
  url(target: Target): string;
  shot(target: Target): Shot;
}

/** A request as its bytes. */
function requestText({ method, path, headers = {} }: Shot, url: string): string {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** Holds the connections until the phase ends. */
async function hold(attacking: Attacking, options: UnreadOptions): Promise<void> {
  const clients = await startUnreadClients(options);
  let before: Partial<UnreadCounts> = {};
  const note = (now: UnreadCounts) => {
    for (const [status, count] of Object.entries(now.statuses))
      attacking.count(status, count - (before.statuses?.[status] ?? 0));
    attacking.count('ended', now.ended - (before.ended ?? 0));
    attacking.count('refused', now.refused - (before.refused ?? 0));
    attacking.sent(now.requests - (before.requests ?? 0));
    before = now;
  };
  try {
    await attacking.rounds(100, async () => note(clients.counts()));
  } finally {
    note(await clients.close());
  }
}

function optionsOf(
  { url, connections, pipelined = 1, network, connectionsPerSecond }: Unread,
  { target, addresses }: Attacking,
  shot: Shot,
): UnreadOptions {
  const at = url(target);
  return {
    port: Number(new URL(at).port),
    request: requestText(shot, at),
    pipelined,
    ...network,
    from: addresses[0] ?? '',
    connections: partOf(connections, target),
    connectionsPerSecond,
    seconds: 120,
  };
}

/** Sends the requests of these clients until the phase ends. */
export async function holdUnread(attacking: Attacking, unread: Unread): Promise<void> {
  await hold(attacking, { ...optionsOf(unread, attacking, unread.shot(attacking.target)), reopen: true });
}

/** The control: as many cheap requests over as many connections. Their responses are not read either, but they fit into the sockets. */
export function cheapUnread(unread: Unread): NonNullable<Attack['control']> {
  return async (attacking, { requests }) => {
    if (requests === 0) return;
    const connections = Math.min(4_096, Math.ceil(requests / (unread.pipelined ?? 1)));
    const options = optionsOf(unread, attacking, cheapShot(attacking.target));
    await hold(attacking, { ...options, connections });
  };
}
