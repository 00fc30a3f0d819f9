import { randomBytes } from 'node:crypto';
import { StartError } from '#src/platform/start-error.js';
import type { Output } from '../terminal/output.js';

/** Runs `muster new-master-key`. @throws StartError if the settings would refuse the identifier */
export function newMasterKey({ id }: { readonly id: string }, output: Output): void {
  if (!/^[A-Za-z0-9_-]{1,16}$/.test(id)) throw new StartError('--id is 1 to 16 of A-Z a-z 0-9 _ -');
  const key = `${id}:${randomBytes(32).toString('base64url')}`;
  output.print(key);
  output.result({ id, key });
}
