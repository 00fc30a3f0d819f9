import type { JsonObject } from '#src/platform/json/json-object.js';
import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { findConnection, type NamedConnection, objectIn, onePath } from './find-connection.js';

/** Runs `muster connections show`. */
export async function showConnection(
  named: NamedConnection,
  options: ServiceOptions,
  output: Output,
): Promise<void> {
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const connection = await findConnection(client, named);
  const { body: health } = await client.read(`${onePath(named.orgId, connection)}/health`);
  output.print(tell(connection, health));
  output.result({ ...connection, health });
}

function tell(connection: JsonObject, health: JsonObject): string {
  const [provider = {}, linking = {}, service = {}] = ['provider', 'linking', 'service'].map((name) =>
    objectIn(connection, name),
  );
  const facts: readonly (readonly [string, string])[] = [
    ['Name', textIn(connection, 'name')],
    ['Identifier', textIn(connection, 'id')],
    ['State', connection['enabled'] === true ? 'on' : 'off'],
    ['Address for the provider', textIn(connection, 'redirectUri') || textIn(service, 'acsUrl')],
    ['Entity ID for the provider', textIn(service, 'entityId')],
    ['Issuer', textIn(provider, 'issuer')],
    ['Client identifier', textIn(provider, 'clientId')],
    ['Proves itself by', textIn(provider, 'authMethod')],
    ['Provisioned by', textIn(linking, 'provisionedBy')],
    [
      'Somebody whom no rule links',
      connection['creation'] === 'create' ? 'becomes a new user' : 'is refused',
    ],
    ['A sign-in counts as', textIn(connection, 'strength')],
    ['Last sign-in', textIn(health, 'lastSignIn') || 'nobody yet'],
    ['Last provisioning', textIn(objectIn(health, 'lastProvisioning'), 'time')],
  ];
  const refusals = objectsIn(health, 'refusals').map((refusal) => {
    const [time, reason, detail] = ['time', 'reason', 'detail'].map((name) => textIn(refusal, name));
    return `  ${plainWord(`${time}  ${reason}${detail === '' ? '' : `: ${detail}`}`)}`;
  });
  return [
    ...facts.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${plainWord(value)}`),
    refusals.length === 0 ? 'No sign-in was refused.' : 'Refused sign-ins:',
    ...refusals,
  ].join('\n');
}
