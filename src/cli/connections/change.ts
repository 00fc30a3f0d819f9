import { StartError } from '#src/platform/start-error.js';
import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { findConnection, type NamedConnection, onePath } from './find-connection.js';
import { readSettings, type SettingsOptions } from './read-settings.js';

/** Runs `muster connections change`. */
export async function changeNamedConnection(
  named: NamedConnection,
  options: ServiceOptions &
    SettingsOptions & { readonly on?: boolean | undefined; readonly off?: boolean | undefined },
  output: Output,
): Promise<void> {
  const { on = false, off = false } = options;
  if (on && off) throw new StartError('--on and --off exclude each other.');
  const settings = await readSettings(options);
  const body = { ...settings, ...(on && { enabled: true }), ...(off && { enabled: false }) };
  if (Object.keys(body).length === 0) throw new StartError('Nothing is to be changed.');
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const connection = await findConnection(client, named);
  const { body: changed } = await client.read(onePath(named.orgId, connection), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify(body),
  });
  const state = changed['enabled'] === true ? 'on' : 'off';
  output.print(`The connection ${plainWord(textIn(changed, 'name'))} was changed. It is ${state}.`);
  output.result(changed);
}
