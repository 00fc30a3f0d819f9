import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attacking, Target } from './attack.js';
import { attacks } from './attacks.js';
import { type Answer, createCaller } from './caller.js';

/**
 * The program of the attacker's clients. They run in a process of their own, so that their work does not delay the
 * bystander's clients. The parent says what to attack, and when phases begin and end.
 */

/** Messages of the parent. */
export type Order =
  | { readonly attack: string; readonly target: Target; readonly addresses: string[] }
  | 'begin'
  | 'end';

/** Messages to the parent: what all phases together have counted. */
export interface Report {
  readonly state: 'ready' | 'attacking' | 'ended';
  readonly counts: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  /** The beginning of the first response of each kind. */
  readonly examples: Readonly<Record<string, string>>;
  readonly error?: string;
}

const reportEveryMs = 100;
/** A lower priority than that of the service. In production the clients are other machines. */
const priority = 10;

const counts: Record<string, number> = {};
const examples: Record<string, string> = {};
let slowestMs = 0;
let phase: AbortController | undefined;
let running: Promise<void> = Promise.resolve();
let attackOnce: (attacking: Attacking) => Promise<void> = async () => undefined;
let make: ((ended: AbortSignal) => Attacking) | undefined;

const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

/** The status, and the kind of error that SCIM gives besides (RFC 7644 section 3.12). */
function kindOf({ status, text }: Answer): string {
  const [, scimType] = /"scimType":"(\w+)"/.exec(text) ?? [];
  return scimType === undefined ? String(status) : `${status} ${scimType}`;
}

function report(state: Report['state'], error?: unknown): void {
  process.send?.({
    state,
    counts,
    slowestMs,
    examples,
    ...(error !== undefined && { error: String(error) }),
  });
}

async function prepare({ attack: name, target, addresses }: Exclude<Order, string>): Promise<void> {
  const attack = attacks.find((one) => one.name === name);
  if (attack === undefined) throw new Error(`There is no attack ${name}`);
  const caller = createCaller(target.url, addresses[0] ?? '');
  attackOnce = await attack.start(caller, target);
  make = (ended) => ({
    target,
    addresses,
    ended,
    count,
    async send(shot) {
      try {
        const answer = await caller.send(shot);
        const kind = kindOf(answer);
        count(kind);
        examples[kind] ??= answer.text.slice(0, 300);
        slowestMs = Math.max(slowestMs, answer.ms);
        return answer;
      } catch {
        count('broken');
        return undefined;
      }
    },
    async rounds(everyMs, round) {
      for (let number = 0; !ended.aborted; number++) {
        const started = performance.now();
        await round(number);
        const left = started + everyMs - performance.now();
        // The pause ends early with the phase.
        if (left > 0) await pause(left, undefined, { signal: ended }).catch(() => undefined);
      }
    },
  });
}

process.on('message', async (order: Order) => {
  try {
    if (order === 'begin') {
      phase = new AbortController();
      if (make !== undefined) running = attackOnce(make(phase.signal));
      running.catch((error) => report('attacking', error));
    } else if (order === 'end') {
      phase?.abort();
      await running;
      report('ended');
    } else {
      await prepare(order);
      report('ready');
    }
  } catch (error) {
    report('ended', error);
  }
});
process.on('disconnect', () => process.exit());

setPriority(priority);
setInterval(() => report('attacking'), reportEveryMs);
