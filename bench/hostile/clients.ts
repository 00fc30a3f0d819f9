import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Attacking, Target } from './attack.js';
import type { Shot } from './caller.js';

/** The part of a number that a trial sends, at least one. */
export const partOf = (count: number, { part }: Pick<Target, 'part'>): number => Math.ceil(count * part);

/** A list with the results of so many calls. */
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export interface Connections {
  readonly connections: number;
  /** The least time from one request of a connection to its next, in milliseconds. Without it, refusals would be a flood. */
  readonly everyMs: number;
}

/** Sends requests over several connections. Each waits for its response before its next request. */
export async function overConnections(
  attacking: Attacking,
  { connections, everyMs }: Connections,
  next: (n: number) => Shot,
): Promise<void> {
  let n = 0;
  await Promise.all(
    times(partOf(connections, attacking.target), () =>
      attacking.rounds(everyMs, () => attacking.send(next(n++))),
    ),
  );
}

/** Sends a request so often, whether or not those before have their responses. At most 100 wait. */
export async function atPace(attacking: Attacking, everyMs: number, next: () => Shot): Promise<void> {
  const waiting = new Set<Promise<unknown>>();
  await attacking.rounds(everyMs, async () => {
    if (waiting.size >= 100) return;
    const sent = attacking.send(next()).finally(() => waiting.delete(sent));
    waiting.add(sent);
  });
  await Promise.all(waiting);
}

/** A request that costs the service little. */
export function cheapShot({ orgId }: Pick<Target, 'orgId'>, token?: string): Shot {
  return {
    method: 'GET',
    path: `/scim/v2/${orgId}/ServiceProviderConfig`,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  };
}

/** What a control may get. At a high rate an attack has the limits of its address or of its organization, and so has its control. */
export const controlGets = ['200', '429'];

/**
 * The control of an attack with {@link overConnections} or {@link atPace}: as many cheap requests in a second, over at most as many
 * connections.
 */
export function cheapRequests(
  connections: number,
  shot: (target: Target) => Shot = (target) => cheapShot(target, target.token),
): NonNullable<Attack['control']> {
  return async (attacking, { perSecond }) => {
    if (perSecond === 0) return;
    const cheap = shot(attacking.target);
    const everyMs = 1000 / perSecond;
    const count = partOf(connections, attacking.target);
    await Promise.all(
      times(count, async (n) => {
        // The connections take turns.
        await pause(n * everyMs, undefined, { signal: attacking.ended }).catch(() => undefined);
        await attacking.rounds(count * everyMs, () => attacking.send(cheap));
      }),
    );
  };
}
