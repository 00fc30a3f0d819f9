import { fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { killIfLeft } from '../../dev/leftovers.js';
import type { Attack, Target } from './attack.js';
import type { Order, Report } from './attacker-process.js';

/** The clients of one attack. */
export interface Attacker {
  begin(): void;
  /** Begins a phase with the control of the attack, at the rate of the last phase under attack. */
  beginControl(): void;
  /** Ends the phase. It resolves when every request of the phase has its response. */
  end(): Promise<void>;
  /** What all phases have counted so far: responses by kind, and other things by name. */
  counts(): Readonly<Record<string, number>>;
  /** The same of the controls. */
  controlCounts(): Readonly<Record<string, number>>;
  /** The longest time until a response, in milliseconds. */
  slowestMs(): number;
  /** The beginning of the first response of each kind. */
  examples(): Readonly<Record<string, string>>;
  close(): void;
}

/** The address of the bystander's clients. */
const bystanderAddress = '127.0.0.1';
/** Connections of one address share a part of the memory for bodies, so an attacker uses several. */
const otherAddresses = Array.from({ length: 10 }, (_, n) => `127.0.1.${n + 1}`);

/** Starts the clients of an attack in a process of their own, and prepares what the attack needs. */
export async function startAttacker(attack: Attack, target: Target): Promise<Attacker> {
  // The program is TypeScript if this file is.
  const program = join(import.meta.dirname, `attacker-process${extname(import.meta.filename)}`);
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  killIfLeft(child);
  let last: Report = { state: 'attacking', counts: {}, controlCounts: {}, slowestMs: 0, examples: {} };
  let failure: Error | undefined;
  let wake = () => {};
  child.on('message', (report: Report) => {
    last = report;
    if (report.error !== undefined) failure = new Error(`${attack.name}: ${report.error}`);
    if (report.state !== 'attacking' || failure) wake();
  });
  child.once('exit', () => {
    failure ??= new Error(`${attack.name}: its process has ended`);
    wake();
  });
  /** Sends an order and waits for the report about it. */
  const order = async (message: Order) => {
    const reported = new Promise<void>((done) => {
      wake = done;
    });
    child.send(message);
    await reported;
    if (failure !== undefined) throw failure;
  };
  const addresses = attack.fromSameAddress ? [bystanderAddress] : otherAddresses;
  await order({ attack: attack.name, target, addresses });
  return {
    begin: () => void child.send('begin'),
    beginControl: () => void child.send('control'),
    end: () => order('end'),
    counts: () => last.counts,
    controlCounts: () => last.controlCounts,
    slowestMs: () => last.slowestMs,
    examples: () => last.examples,
    close: () => void child.kill('SIGKILL'),
  };
}
