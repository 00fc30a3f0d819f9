import type { JsonObject } from '#src/platform/json/json-object.js';
import type { AdminClient } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import { plainWord } from '../terminal/plain-text.js';
import type { SeenUser } from './seen-user.js';
import { adminUserPath } from './sign-in-state.js';

/** What a sign-in of a user by each connection of the organization meets. Empty if it has none, or the service is older. */
export async function readSeenStates(
  client: AdminClient,
  user: Pick<SeenUser, 'orgId' | 'id'>,
): Promise<JsonObject[]> {
  const path = `${adminUserPath(user)}/connection-states`;
  const { status, body } = await client.read(path, { accepted: [404] });
  return status === 404 ? [] : objectsIn(body, 'items');
}

const obstacles: Readonly<Record<string, string>> = {
  off: 'the connection is off. Remedy: muster connections change --on',
  notLinked:
    'no identity is linked. Remedy: let its SCIM client provision the user, or let a rule of the connection link the first sign-in',
  inactive: 'the user is inactive. Remedy: muster users enable',
  roleOutside:
    'the user has a role in the instance or in another organization. Remedy: take it away, or sign in with a password or a passkey',
};

/** Returns a line for what prevents the sign-in by each connection, and for each of its refusals that may be of the user. */
export function explainConnections(states: readonly JsonObject[]): string[] {
  return states.flatMap((state) => {
    const name = plainWord(textIn(state, 'name'));
    const met = Array.isArray(state['obstacles']) ? state['obstacles'].map(String) : [];
    const refusals = objectsIn(state, 'refusals').map((refusal) => {
      const [time, reason, detail] = ['time', 'reason', 'detail'].map((field) => textIn(refusal, field));
      const who = refusal['isOwn'] === true ? '' : ', perhaps another person';
      return plainWord(`  ${time}  ${reason}${detail === '' ? '' : ` (${detail})`}${who}`);
    });
    return [
      ...(met.length === 0 ? [`The connection ${name} can sign this person in.`] : []),
      ...met.map((one) => `Not by the connection ${name}: ${obstacles[one] ?? plainWord(one)}.`),
      ...(refusals.length === 0 ? [] : [`Refused sign-ins by the connection ${name}:`, ...refusals]),
    ];
  });
}
