import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { table } from '../terminal/table.js';
import { connectionsPath, objectIn, onePath } from './find-connection.js';

const head = ['id', 'name', 'issuer', 'state', 'last sign-in', 'last refusal'];

/** Runs `muster connections list`. */
export async function listConnections(orgId: string, options: ServiceOptions, output: Output): Promise<void> {
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const { body } = await client.read(connectionsPath(orgId));
  const items = await Promise.all(
    objectsIn(body, 'items').map(async (connection) => {
      const { body: health } = await client.read(`${onePath(orgId, connection)}/health`);
      return { connection, health };
    }),
  );
  const rows = items.map(({ connection, health }) => [
    textIn(connection, 'id'),
    textIn(connection, 'name'),
    textIn(objectIn(connection, 'provider'), 'issuer'),
    connection['enabled'] === true ? 'on' : 'off',
    textIn(health, 'lastSignIn'),
    textIn(objectsIn(health, 'refusals')[0] ?? {}, 'time'),
  ]);
  if (rows.length === 0) output.note('The organization has no connection.');
  else output.print(table(head, rows));
  output.result({ connections: items.map(({ connection, health }) => ({ ...connection, health })) });
}
