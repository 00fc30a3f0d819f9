import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PasswordKind } from '#src/migration/plan/read-contents.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import type { Output } from '../terminal/output.js';
import { followJob, jobOf, jobPath } from './follow-job.js';
import { outcomeOf } from './import-outcome.js';

/** How fast the service imported a sample. */
export interface MeasuredSample {
  readonly people: number;
  readonly seconds: number;
}

const json = { 'content-type': 'application/json' };
/** The longest time of the sample. */
const limitMs = 120_000;

/**
 * Imports invented people into an organization of their own, measures the time, and removes the organization. Nobody can sign in as one
 * of them, because they are inactive. Their addresses are at a host that cannot exist. They have hashes or passwords like the people of the
 * file.
 * @returns undefined if the sample could not be imported
 * @throws StartError if the process is told to end; the organization is removed before
 */
export async function measureSample(
  client: AdminClient,
  passwords: readonly PasswordKind[],
  output: Output,
): Promise<MeasuredSample | undefined> {
  if (passwords.length === 0) return undefined;
  const name = `plan-${randomBytes(8).toString('hex')}`;
  output.note(`Imports ${passwords.length} invented people into the organization ${name}, and removes it`);
  const stop = new AbortController();
  const end = () => stop.abort();
  process.on('SIGINT', end).on('SIGTERM', end);
  let orgId: string | undefined;
  try {
    orgId = await temporaryOrganization(client, name);
    const measured = await Promise.race([
      imported(client, { orgId, name, passwords }, output),
      ended(stop.signal),
    ]);
    return measured.people > 0 ? measured : undefined;
  } catch (error) {
    if (stop.signal.aborted || !(error instanceof StartError)) throw error;
    output.note(`The time was not measured: ${error.message}`);
    return undefined;
  } finally {
    stop.abort();
    if (orgId !== undefined) await remove(client, { orgId, name });
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

async function temporaryOrganization(client: AdminClient, name: string): Promise<string> {
  const { body } = await client.read('/admin/v1/orgs', {
    method: 'POST',
    headers: json,
    body: () => JSON.stringify({ name }),
    tries: 1,
  });
  return textIn(body, 'id');
}

async function imported(
  client: AdminClient,
  { orgId, name, passwords }: { orgId: string; name: string; passwords: readonly PasswordKind[] },
  output: Output,
): Promise<MeasuredSample> {
  const humanUsers = passwords.map((password, number) => invented(`${name}-${number}`, password));
  const body = JSON.stringify({ timeout: `${limitMs / 1000}s`, dataOrgs: { orgs: [{ orgId, humanUsers }] } });
  const sent = await client.insist('/admin/v1/import', {
    method: 'POST',
    headers: { ...json, prefer: 'respond-async' },
    body: () => body,
  });
  const jobId = jobOf(sent);
  const { result } = await followJob(client, { jobId, label: 'sample' }, output);
  const { body: job } = await client.read(jobPath(jobId));
  const seconds = (Date.parse(textIn(job, 'finished')) - Date.parse(textIn(job, 'created'))) / 1000;
  return { people: outcomeOf(result).created, seconds: Math.max(0.001, seconds) };
}

function invented(name: string, password: PasswordKind): object {
  const user = {
    userName: name,
    profile: { firstName: 'Sample', lastName: name },
    email: { email: `${name}@sample.invalid`, isEmailVerified: password === 'none' },
    ...(password === 'hash' && { hashedPassword: { value: `$2b$10$${'.'.repeat(53)}` } }),
    ...(password === 'clear' && { password: `${randomBytes(12).toString('base64url')}aA1!` }),
    scim: { active: false },
  };
  return { userId: name, user };
}

async function remove(client: AdminClient, { orgId, name }: { orgId: string; name: string }): Promise<void> {
  await client.insist(`/admin/v1/orgs/${argumentSegment(orgId)}?name=${name}`, { method: 'DELETE' });
}

/** Never resolves. @throws StartError when the signal aborts */
async function ended(signal: AbortSignal): Promise<never> {
  for (;;) {
    await pause(3_600_000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new StartError('Stopped');
  }
}
