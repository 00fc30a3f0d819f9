import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { argumentSegment } from '../base/argument-segment.js';
import type { Output } from '../terminal/output.js';

/** A job, as `/admin/v1/jobs/{id}` shows it. */
export interface JobAnswer {
  readonly id: string;
  readonly state: string;
  /** Whether an import is a dry run. A service of an earlier version does not say it. */
  readonly dryRun?: boolean;
  readonly progress: {
    readonly processed: number;
    readonly total: number;
    readonly errors: number;
    readonly perSecond?: number;
    readonly remainingSeconds?: number;
  };
  readonly result?: unknown;
}

const openStates = ['queued', 'running'];
const pollMs = 500;

/** Shows the progress of a job until the job ends. Waits while the service is unavailable. @throws StartError */
export async function followJob(
  client: AdminClient,
  { jobId, label }: { jobId: string; label: string | ((job: JobAnswer) => string) },
  output: Pick<Output, 'progress'>,
): Promise<JobAnswer> {
  let progress: ReturnType<Output['progress']> | undefined;
  try {
    for (;;) {
      const { body } = await client.read(jobPath(jobId));
      const job = readJob(body);
      const { processed: done, total } = job.progress;
      progress ??= output.progress(typeof label === 'string' ? label : label(job));
      progress.show({ done, total, note: noteOf(job) });
      if (!openStates.includes(job.state)) return job;
      await pause(pollMs);
    }
  } finally {
    progress?.end();
  }
}

/** Returns the path of a job. It leaves out the parts of the result that can be long. */
export function jobPath(jobId: string): string {
  return `/admin/v1/jobs/${argumentSegment(jobId)}?result=summary`;
}

/** Returns the identifier of the job that a 202 answer names (RFC 9110 section 15.3.3). @throws StartError */
export function jobOf(response: Response): string {
  const jobId = /\/jobs\/([^/?#]+)$/.exec(response.headers.get('location') ?? '')?.[1];
  if (response.status !== 202 || jobId === undefined) throw new StartError('The service named no job');
  return decodeURIComponent(jobId);
}

function noteOf({ state, progress: { errors, perSecond, remainingSeconds } }: JobAnswer): string {
  const notes = [
    errors > 0 && `${errors} errors`,
    perSecond !== undefined && `${Math.round(perSecond)}/s`,
    remainingSeconds !== undefined && remainingSeconds > 0 && `${remainingSeconds} s left`,
    state === 'queued' && 'waiting',
  ];
  return notes.filter(Boolean).join(', ');
}

function readJob(value: unknown): JobAnswer {
  if (!isJob(value)) throw new StartError('The response of the service is not a job');
  return value;
}

function isJob(value: unknown): value is JobAnswer {
  return isJsonObject(value) && 'state' in value && 'progress' in value;
}
