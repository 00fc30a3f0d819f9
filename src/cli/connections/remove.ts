import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { findConnection, type NamedConnection, onePath } from './find-connection.js';

/** Runs `muster connections remove`. */
export async function removeConnectionOf(
  named: NamedConnection,
  options: ServiceOptions,
  output: Output,
): Promise<void> {
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const connection = await findConnection(client, named);
  await client.insist(onePath(named.orgId, connection), { method: 'DELETE' });
  const [id, name] = ['id', 'name'].map((property) => textIn(connection, property)) as [string, string];
  output.print(`The connection ${plainWord(name)} was removed.`);
  output.result({ id, name, removed: true });
}
