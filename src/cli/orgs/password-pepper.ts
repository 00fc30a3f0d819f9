import { readFile } from 'node:fs/promises';
import { StartError } from '#src/platform/start-error.js';
import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';

/** Runs `muster orgs pepper`. The pepper is in no argument, because every user of the machine sees those. */
export async function passwordPepper(
  orgId: string,
  options: ServiceOptions & { readonly file?: string | undefined; readonly remove?: boolean | undefined },
  output: Output,
): Promise<void> {
  const { file, remove = false } = options;
  if (file !== undefined && remove) throw new StartError('--file and --remove exclude each other.');
  const path = `/admin/v1/orgs/${argumentSegment(orgId)}/password-pepper`;
  const pepper = file === undefined ? undefined : await pepperIn(file);
  const client = await openAdminClient(options, output.note);
  await client.connect();
  if (remove) {
    await client.insist(path, { method: 'DELETE' });
    output.note('The pepper was removed.');
    output.result({ removed: true });
    return;
  }
  const { body } =
    pepper === undefined
      ? await client.read(path)
      : await client.read(path, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: () => JSON.stringify({ pepper }),
        });
  output.print(`The pepper was set at ${plainWord(textIn(body, 'created'))}.`);
  output.result(body);
}

async function pepperIn(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
