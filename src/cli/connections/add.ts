import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { connectionsPath, objectIn } from './find-connection.js';
import { readSettings, type SettingsOptions } from './read-settings.js';

/** Runs `muster connections add`. */
export async function addConnectionTo(
  orgId: string,
  options: ServiceOptions & SettingsOptions & { readonly off?: boolean | undefined },
  output: Output,
): Promise<void> {
  const settings = await readSettings(options);
  const body = { ...settings, ...(options.off === true && { enabled: false }) };
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const { body: added } = await client.read(connectionsPath(orgId), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify(body),
    // Another attempt after a broken connection could add a second one.
    tries: 1,
  });
  output.print(plainWord(textIn(added, 'id')));
  const service = objectIn(added, 'service');
  const [redirectUri, entityId, acsUrl] = [
    textIn(added, 'redirectUri'),
    textIn(service, 'entityId'),
    textIn(service, 'acsUrl'),
  ].map(plainWord) as [string, string, string];
  if (entityId === '') output.note(`Register this address at the provider: ${redirectUri}`);
  else output.note(`Register this at the provider: the entity ID ${entityId}, and the ACS address ${acsUrl}`);
  output.result(added);
}
