import type { JobKind } from './catalogue.js';

/** A job is open while it is `queued` or `running`. In the other states it has ended. `expired`: the deadline came first. */
export type JobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';

/** What a kind keeps in the record of its job, so that a short job needs no other documents. It contains no secret. */
export interface KeptInJob {
  /** Present until the kind has noted the end of its work, so that an index can hold these jobs alone. */
  readonly open?: true;
}

/** The record of a piece of work that workers do. */
export interface Job {
  readonly id: string;
  readonly kind: JobKind;
  /** The organization that it works in; `*` for several or all. */
  readonly orgId: string;
  /** The organization under which it queues: see fair-queue.ts. */
  readonly queuedUnder: string;
  /** The service user that requested it. */
  readonly requestedBy: string;
  readonly state: JobState;
  readonly progress: { readonly processed: number; readonly total: number; readonly errors: number };
  /** The result of each part, by index. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly created: Date;
  readonly finished?: Date;
  readonly kept?: KeptInJob;
}

/** A job without the results of its parts. */
export type JobSummary = Omit<Job, 'parts'>;

export const openStates = ['queued', 'running'] as const;

export function isOpen({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}
