import { setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Attacking, Rate, Target } from './attack.js';
import { attacks } from './attacks.js';
import { type Answer, type Caller, createCaller, type Shot } from './caller.js';

/**
 * The program of the attacker's clients. They run in a process of their own, so that their work does not delay the
 * bystander's clients. The parent says what to attack, and when phases begin and end.
 */

/** Messages of the parent. */
export type Order =
  | { readonly attack: string; readonly target: Target; readonly addresses: string[] }
  | 'begin'
  | 'control'
  | 'end';

/** Messages to the parent: what all phases together have counted. */
export interface Report {
  readonly state: 'ready' | 'attacking' | 'ended';
  readonly counts: Readonly<Record<string, number>>;
  /** The counts of the controls. */
  readonly controlCounts: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  /** The beginning of the first response of each kind. */
  readonly examples: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** The attack after it was prepared. */
interface Prepared {
  readonly attack: Attack;
  readonly target: Target;
  readonly addresses: readonly string[];
  readonly caller: Caller;
  once(attacking: Attacking): Promise<void>;
}

/** A phase that goes on. */
interface Phase {
  readonly isControl: boolean;
  readonly ended: AbortController;
  readonly started: number;
  readonly running: Promise<void>;
}

const reportEveryMs = 100;
/** A lower priority than that of the service. In production the clients are other machines. */
const priority = 10;

const counts: Record<string, number> = {};
const controlCounts: Record<string, number> = {};
const examples: Record<string, string> = {};
let slowestMs = 0;
let prepared: Prepared | undefined;
let phase: Phase | undefined;
/** The requests of the phase. */
let requests = 0;
let rate: Rate = { requests: 0, perSecond: 0 };

/** The status, and the kind of error that SCIM gives besides (RFC 7644 section 3.12). */
function kindOf({ status, text }: Answer): string {
  const [, scimType] = /"scimType":"(\w+)"/.exec(text) ?? [];
  return scimType === undefined ? String(status) : `${status} ${scimType}`;
}

function report(state: Report['state'], error?: unknown): void {
  process.send?.({
    state,
    counts,
    controlCounts,
    slowestMs,
    examples,
    ...(error !== undefined && { error: String(error) }),
  });
}

async function prepare({ attack: name, target, addresses }: Exclude<Order, string>): Promise<void> {
  const attack = attacks.find((one) => one.name === name);
  if (attack === undefined) throw new Error(`There is no attack ${name}`);
  const caller = createCaller(target.url, addresses[0] ?? '');
  const patient: Caller = { ...caller, send: (shot) => whenAllowed(() => caller.send(shot)) };
  prepared = { attack, target, addresses, caller, once: await attack.start(patient, target) };
}

/** The limits count within a minute. The attack before this one may have reached that of its addresses. */
async function whenAllowed(send: () => Promise<Answer>): Promise<Answer> {
  for (const until = performance.now() + 90_000; ; await pause(2_000)) {
    const answer = await send();
    if (answer.status !== 429 || performance.now() > until) return answer;
  }
}

/** The tools of a phase. */
function toolsOf({ target, addresses, caller }: Prepared, isControl: boolean, ended: AbortSignal): Attacking {
  const into = isControl ? controlCounts : counts;
  const count = (what: string, times = 1) => {
    if (times > 0) into[what] = (into[what] ?? 0) + times;
  };
  const sent = (more: number) => {
    requests += more;
  };
  return {
    target,
    addresses,
    ended,
    count,
    sent,
    async send(shot: Shot) {
      try {
        const answer = await caller.send(shot);
        const kind = kindOf(answer);
        count(kind);
        examples[kind] ??= answer.text.slice(0, 300);
        if (!isControl) slowestMs = Math.max(slowestMs, answer.ms);
        return answer;
      } catch {
        count('broken');
        return undefined;
      } finally {
        sent(1);
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
  };
}

function begin(isControl: boolean): void {
  if (prepared === undefined) throw new Error('Nothing is prepared');
  const ended = new AbortController();
  // Each connection listens.
  setMaxListeners(0, ended.signal);
  const attacking = toolsOf(prepared, isControl, ended.signal);
  requests = 0;
  const running = isControl
    ? (prepared.attack.control?.(attacking, rate) ?? Promise.resolve())
    : prepared.once(attacking);
  running.catch((error) => report('attacking', error));
  phase = { isControl, ended, started: performance.now(), running };
}

async function end(): Promise<void> {
  if (phase === undefined) throw new Error('No phase has begun');
  const { ended, isControl, started, running } = phase;
  // What comes after the phase disturbs nobody who is measured.
  const perSecond = (requests * 1000) / (performance.now() - started);
  ended.abort();
  await running;
  if (!isControl) rate = { requests, perSecond };
}

process.on('message', async (order: Order) => {
  try {
    if (order === 'begin' || order === 'control') {
      begin(order === 'control');
    } else if (order === 'end') {
      await end();
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
