import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import { plainWord } from '../terminal/plain-text.js';

/** An organization, and the identifier or the name of a connection of it. */
export interface NamedConnection {
  readonly orgId: string;
  readonly connection: string;
}

/** The path of the connections of an organization. */
export const connectionsPath = (orgId: string) => `/admin/v1/orgs/${argumentSegment(orgId)}/connections`;

/** The path of a connection that the service listed. */
export const onePath = (orgId: string, connection: JsonObject) =>
  `${connectionsPath(orgId)}/${argumentSegment(textIn(connection, 'id'))}`;

/**
 * Returns the connection with an identifier or a name. Two connections may have the same name.
 * @throws StartError if none or several have it. Refused, Unreachable
 */
export async function findConnection(
  client: AdminClient,
  { orgId, connection: text }: NamedConnection,
): Promise<JsonObject> {
  const { body } = await client.read(connectionsPath(orgId));
  const all = objectsIn(body, 'items');
  const found = all.find((one) => textIn(one, 'id') === text);
  if (found !== undefined) return found;
  const named = all.filter((one) => textIn(one, 'name') === text);
  if (named.length > 1)
    throw new StartError(
      `${named.length} connections have the name ${plainWord(text)}. Name one by its identifier.`,
    );
  const [only] = named;
  if (only !== undefined) return only;
  throw new StartError(`The organization has no connection ${plainWord(text)}. See muster connections list.`);
}

/** The object below a name of an answer. Empty if there is none. */
export function objectIn(answer: JsonObject, name: string): JsonObject {
  const value = answer[name];
  return isJsonObject(value) ? value : {};
}
