import { randomBytes } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import { type BucketOptions, readTarget } from '../storage/read-target.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { isOfDisk } from './disk-error.js';
import { followJob, jobOf, jobPath } from './follow-job.js';
import { rememberJob } from './remembered-job.js';
import { addressFor } from './send-import.js';

/** Attempts to download the result. If the connection breaks this often, another attempt does not help. */
const downloadTries = 10;
/** The most kinds of objects that a result names as not exported. */
const mostKinds = 50;

interface ExportOptions extends ServiceOptions, BucketOptions {
  readonly output?: string | undefined;
  readonly org: readonly string[];
  readonly excludeOrg: readonly string[];
  readonly withPasswords?: boolean | undefined;
  readonly withOtp?: boolean | undefined;
  /** Exports the passkeys alone. */
  readonly passkeys?: boolean | undefined;
  readonly timeout: string;
  /** The organization whose owner exports it alone. */
  readonly ownerOf?: string | undefined;
}

/** Runs `muster export`. */
export async function exportFile(given: ExportOptions, screen: Output): Promise<void> {
  const { output, bucket, path } = given;
  if (output === undefined && bucket === undefined) throw new StartError('--output or --bucket is required');
  const object = bucket === undefined ? undefined : await readTarget({ ...given, bucket });
  const client = await openAdminClient(given, screen.note);
  const isOfPasskeys = given.passkeys === true;
  if (isOfPasskeys && (given.withPasswords || given.withOtp))
    throw new StartError('--passkeys writes a file of its own, without --with-passwords and --with-otp');
  if (isOfPasskeys && given.ownerOf !== undefined)
    throw new StartError('--passkeys needs an owner of the instance, and no --owner-of');
  const address = isOfPasskeys ? '/admin/v1/export/passkeys' : addressFor('export', given.ownerOf);
  const options = {
    orgIds: given.org,
    excludedOrgIds: given.excludeOrg,
    ...(!isOfPasskeys && { withPasswords: given.withPasswords === true, withOtp: given.withOtp === true }),
    timeout: given.timeout,
    responseOutput: output !== undefined,
  };
  const { provider, target, place } = object ?? {};
  const request = { baseUrl: client.baseUrl, address, ...options, provider, ...place };
  const remembered = rememberJob(output ?? 'export', request);
  const found = await remembered.find();
  const jobId = found !== undefined && (await isUsable(client, found)) ? found : await begin();

  async function begin(): Promise<string> {
    await client.connect();
    const sent = await client.insist(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'respond-async' },
      body: () => JSON.stringify({ ...options, ...(provider && { [`${provider}Output`]: target }) }),
    });
    const jobId = jobOf(sent);
    await remembered.keep(jobId);
    return jobId;
  }

  const { state, progress, result } = await followJob(client, { jobId, label: 'export' }, screen);
  if (state !== 'completed') {
    await remembered.forget();
    throw new StartError(`The export is ${plainWord(state)}; nothing was written.`);
  }
  if (output !== undefined) await download(client, jobId, output);
  await remembered.forget();
  const places = [output, bucket && `${path} in ${bucket}`].filter(Boolean).join(' and ');
  screen.print(`${places}: ${progress.processed} records`);
  const notExported = notExportedOf(result);
  if (notExported !== undefined) {
    const named = Object.entries(notExported).map(([kind, count]) => `${count} ${wordsOf(kind)}`);
    screen.print(`Not exported: ${named.join(', ')}`);
  }
  screen.result({
    jobId,
    records: progress.processed,
    ...(notExported && { notExported }),
    ...(output !== undefined && { output }),
    ...(bucket !== undefined && { bucket, path }),
  });
}

/** Returns the numbers of what the organizations have and the file does not. Undefined if there is nothing. */
function notExportedOf(result: unknown): Record<string, number> | undefined {
  const told = isJsonObject(result) ? result['notExported'] : undefined;
  const counts = Object.entries(isJsonObject(told) ? told : {}).flatMap(([kind, count]) =>
    typeof count === 'number' ? [[kind, count] as const] : [],
  );
  return counts.length === 0 ? undefined : Object.fromEntries(counts.slice(0, mostKinds));
}

/** Returns a name such as `personalAccessTokens` as words. */
function wordsOf(kind: string): string {
  return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns whether the job waits, runs or has completed. */
async function isUsable(client: AdminClient, jobId: string): Promise<boolean> {
  const { status, body } = await client.read(jobPath(jobId), { accepted: [404] });
  return status === 200 && ['queued', 'running', 'completed'].includes(textIn(body, 'state'));
}

/**
 * Downloads the result. The file appears when it is complete. After a broken connection, the download continues where
 * it stopped. @throws StartError
 */
async function download(client: AdminClient, jobId: string, path: string): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    for (let attempt = 1; ; attempt++) {
      const have = statSync(unfinished, { throwIfNoEntry: false })?.size ?? 0;
      const answer = await client.insist(`/admin/v1/jobs/${argumentSegment(jobId)}/result`, {
        ...(have > 0 && { headers: { range: `bytes=${have}-` } }),
      });
      try {
        const flags = answer.status === 206 ? 'a' : 'w';
        await pipeline(answer.body ?? [], createWriteStream(unfinished, { flags, mode: 0o600 }));
        break;
      } catch (error) {
        if (isOfDisk(error)) throw new StartError(`${path} cannot be written: ${error.message}`);
        if (attempt === downloadTries) throw new StartError(`The download broke off ${downloadTries} times`);
      }
    }
    const file = await open(unfinished, 'r+');
    await file.sync();
    await file.close();
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
