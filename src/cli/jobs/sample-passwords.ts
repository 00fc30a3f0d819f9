import { readFileSync, statSync } from 'node:fs';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';

/** The most samples of one file, and of one request. */
const most = 1_000;
const atOnce = 100;
/** The most bytes of a file with that many samples. */
const mostBytes = most * 1_024;
/** Number of samples that are not confirmed that the command shows. */
const shown = 10;

interface Sample {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly loginName: string;
  readonly password: string;
}

/** What became of the samples of a file. */
interface SampledPasswords {
  /** The number of samples by their outcome. */
  readonly counts: Readonly<Record<string, number>>;
  readonly areConfirmed: boolean;
}

/**
 * Asks the service whether the stored hashes confirm the passwords of a file, and prints how many of them. It prints the lines of those
 * that are not confirmed, and no password. @throws StartError
 */
export async function samplePasswords(
  client: AdminClient,
  { path, orgId }: { path: string; orgId: string | undefined },
  output: Output,
): Promise<SampledPasswords> {
  const samples = readSamples(path);
  const counts: Record<string, number> = {};
  const others: string[] = [];
  for (let at = 0; at < samples.length; at += atOnce) {
    const some = samples.slice(at, at + atOnce);
    const sent = some.map(({ loginName, password }) => ({ loginName, password }));
    const { body } = await client.read('/admin/v1/password-samples', {
      method: 'POST',
      // Another attempt would count again.
      tries: 1,
      headers: { 'content-type': 'application/json' },
      body: () => JSON.stringify({ samples: sent, ...(orgId !== undefined && { orgId }) }),
    });
    const outcomes = Array.isArray(body['outcomes']) ? body['outcomes'] : [];
    for (const [index, { line, loginName }] of some.entries()) {
      const outcome = String(outcomes[index] ?? 'unknown');
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (outcome !== 'confirmed') others.push(`line ${line}: ${outcome}: ${loginName}`);
    }
  }
  output.print(table(['passwords', 'count'], Object.entries(counts)));
  for (const one of others.slice(0, shown)) output.print(plainWord(one));
  if (others.length > shown) output.print(`... and ${others.length - shown} more`);
  return { counts, areConfirmed: others.length === 0 };
}

/** Reads the samples. Empty lines are left out. No error repeats what the file says. @throws StartError */
function readSamples(path: string): Sample[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new StartError(`${path} is no file`);
  if (stats.size > mostBytes) throw new StartError(`${path} is larger than ${mostBytes} bytes`);
  const samples = readFileSync(path, 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((text, index): Sample[] => {
      if (text === '') return [];
      const end = text.includes('\t') ? text.indexOf('\t') : text.indexOf(' ');
      const [loginName, password] = [text.slice(0, Math.max(0, end)), text.slice(end + 1)];
      if (loginName === '' || password === '') {
        throw new StartError(
          `${path}, line ${index + 1}: expected a login name, a tab or space, and a password`,
        );
      }
      return [{ line: index + 1, loginName, password }];
    });
  if (samples.length === 0) throw new StartError(`${path} has no samples`);
  if (samples.length > most) throw new StartError(`${path} has more than ${most} samples`);
  return samples;
}
