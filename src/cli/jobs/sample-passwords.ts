import { readFileSync, statSync } from 'node:fs';
import { maxTypedPassword } from '#src/directory/index.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';

/** The most samples of one file, and of one request. */
const most = 1_000;
const atOnce = 100;
/** The longest texts that the service takes in a sample. */
const longest = { loginName: 400, password: maxTypedPassword };
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
  const others: { readonly line: number; readonly told: string }[] = [];
  const tell = ({ line, loginName }: Sample, outcome: string) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (outcome !== 'confirmed')
      others.push({ line, told: `line ${line}: ${outcome}: ${loginName.slice(0, longest.loginName)}` });
  };
  const sendable = samples.filter((sample) => {
    const known = outcomeBefore(sample);
    if (known !== undefined) tell(sample, known);
    return known === undefined;
  });
  for (let at = 0; at < sendable.length; at += atOnce) {
    const some = sendable.slice(at, at + atOnce);
    const sent = some.map(({ loginName, password }) => ({ loginName, password }));
    const { body } = await client.read('/admin/v1/password-samples', {
      method: 'POST',
      // Another attempt would count again.
      tries: 1,
      headers: { 'content-type': 'application/json' },
      body: () => JSON.stringify({ samples: sent, ...(orgId !== undefined && { orgId }) }),
    });
    const outcomes = Array.isArray(body['outcomes']) ? body['outcomes'] : [];
    for (const [index, sample] of some.entries()) tell(sample, String(outcomes[index] ?? 'unknown'));
  }
  output.print(table(['passwords', 'count'], Object.entries(counts)));
  others.sort((a, b) => a.line - b.line);
  for (const { told } of others.slice(0, shown)) output.print(plainWord(told));
  if (others.length > shown) output.print(`... and ${others.length - shown} more`);
  return { counts, areConfirmed: others.length === 0 };
}

/** The outcome of a sample that the service would refuse together with all others of its request. */
function outcomeBefore({ loginName, password }: Sample): 'tooLong' | 'unknown' | undefined {
  if (password.length > longest.password) return 'tooLong';
  return loginName.length > longest.loginName ? 'unknown' : undefined;
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
