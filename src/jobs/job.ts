import type { JobKind } from './catalogue.js';

/** `queued` and `running` are open; the others are final. `expired`: the deadline came first. */
export type JobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';

/** A piece of work that workers do, as its record tells it. */
export interface Job {
  readonly id: string;
  readonly kind: JobKind;
  /** Organization it works in. */
  readonly orgId: string;
  /** Organization whose turns it takes: see turns.ts. */
  readonly turnOf: string;
  /** The service user who asked for it. */
  readonly requestedBy: string;
  readonly state: JobState;
  readonly progress: { readonly processed: number; readonly total: number; readonly errors: number };
  /** What each part came to, by index. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly created: Date;
  readonly finished?: Date;
}

/** A job without what its parts came to. */
export type JobSummary = Omit<Job, 'parts'>;

export const openStates = ['queued', 'running'] as const;

export function isOpen({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}
