import { setPriority } from 'node:os';
import type { Shot } from './load.js';
import { scimUser } from './people.js';

/** The program of the clients that send Bulks. The parent says where, and when they begin and end. */

/** Messages of the parent: first what to send, then the phases. */
export type BulkOrder =
  | { readonly url: string; readonly shot: Shot; readonly inFlight: number; readonly firstNumber: number }
  | 'begin'
  | 'end';

/** Sent when a phase has ended. */
export interface BulkReport {
  /** Why a Bulk failed. */
  readonly error?: string;
}

const bulkSize = 100;
/** A lower priority than that of the service. In production the clients are other machines. */
const priority = 10;

let number = 0;
let lane: () => Promise<void> = async () => undefined;
let lanes = 0;
let isOver = false;
let running: Promise<unknown> = Promise.resolve();

/** The body of a Bulk that adds the next people. */
function bulkBody(): string {
  const Operations = Array.from({ length: bulkSize }, (_, index) => {
    number += 1;
    return { method: 'POST', path: '/Users', bulkId: `u${index}`, data: scimUser(number) };
  });
  return JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations });
}

function prepare({ url, shot, inFlight, firstNumber }: Exclude<BulkOrder, string>): void {
  const { path, ...request } = shot;
  number = firstNumber;
  lanes = inFlight;
  lane = async () => {
    while (!isOver) {
      const answer = await fetch(url + path, { ...request, body: bulkBody() } as RequestInit);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`A Bulk answers ${answer.status}: ${text}`);
    }
  };
}

process.on('message', (order: BulkOrder) => {
  if (typeof order === 'object') return prepare(order);
  isOver = order === 'end';
  if (order === 'begin') {
    running = Promise.all(Array.from({ length: lanes }, () => lane()));
    // The parent hears of a failure at the end of the phase.
    running.catch(() => undefined);
    return;
  }
  const report = (said: BulkReport) => void process.send?.(said);
  running.then(
    () => report({}),
    (error: unknown) => report({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
setPriority(priority);
