import { randomBytes } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-failure.js';
import { type AdminClient, openAdminClient } from './admin-client.js';
import { isOfDisk } from './disk-error.js';
import { followJob, jobOf, jobPath } from './follow-job.js';
import { rememberJob } from './remembered-job.js';

/** Attempts to download the result. If the connection breaks this often, another attempt does not help. */
const downloadTries = 10;

/** Runs `muster export`. */
export async function exportFile(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      output: { type: 'string' },
      org: { type: 'string', multiple: true, default: [] },
      'exclude-org': { type: 'string', multiple: true, default: [] },
      'with-passwords': { type: 'boolean', default: false },
      'with-otp': { type: 'boolean', default: false },
      timeout: { type: 'string', default: '30m' },
      bucket: { type: 'string' },
      path: { type: 'string' },
      'service-account': { type: 'string' },
      'base-url': { type: 'string' },
      'token-file': { type: 'string' },
    },
  });
  const { output, bucket, path } = values;
  if (output === undefined && bucket === undefined) throw new StartError('--output or --bucket is required');
  const client = await openAdminClient(values);
  const options = {
    orgIds: values.org,
    excludedOrgIds: values['exclude-org'],
    withPasswords: values['with-passwords'],
    withOtp: values['with-otp'],
    timeout: values.timeout,
    responseOutput: output !== undefined,
  };
  const remembered = rememberJob(output ?? 'export', { baseUrl: client.baseUrl, ...options, bucket, path });
  const found = await remembered.find();
  const jobId = found !== undefined && (await isUsable(client, found)) ? found : await begin();

  async function begin(): Promise<string> {
    const gcsOutput =
      bucket === undefined ? undefined : await readBucket(bucket, path, values['service-account']);
    const sent = await client.insist('/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'respond-async' },
      body: () => JSON.stringify({ ...options, ...(gcsOutput && { gcsOutput }) }),
    });
    const jobId = jobOf(sent);
    await remembered.keep(jobId);
    return jobId;
  }

  const { state, progress } = await followJob(client, jobId, 'export');
  if (state !== 'completed') {
    await remembered.forget();
    throw new StartError(`The export is ${state}; nothing was written.`);
  }
  if (output !== undefined) await download(client, jobId, output);
  await remembered.forget();
  const places = [output, bucket && `${path} in ${bucket}`].filter(Boolean).join(' and ');
  console.log(`${places}: ${progress.processed} records`);
}

/** Returns whether the job waits, runs or has completed. */
async function isUsable(client: AdminClient, jobId: string): Promise<boolean> {
  const answer = await client.insist(jobPath(jobId), { accepted: [404] });
  const job: unknown = await answer.json();
  const state = isJsonObject(job) ? job['state'] : undefined;
  return answer.ok && ['queued', 'running', 'completed'].includes(String(state));
}

async function readBucket(bucket: string, path: string | undefined, accountFile: string | undefined) {
  if (path === undefined || accountFile === undefined) {
    throw new StartError('--bucket needs --path and --service-account');
  }
  const account = await readFile(accountFile).catch((error: Error) => {
    throw new StartError(`${accountFile} cannot be read: ${error.message}`);
  });
  return { bucket, path, serviceaccountJson: account.toString('base64') };
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
      const answer = await client.insist(`/jobs/${encodeURIComponent(jobId)}/result`, {
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
