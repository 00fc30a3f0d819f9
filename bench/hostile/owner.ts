import type { Target } from './attack.js';
import type { Caller, Shot } from './caller.js';

/** A request of the admin API by an owner of the attacker's organization. */
export function ofOwner({ ownerToken }: Target, method: string, path: string, json?: object): Shot {
  return {
    method,
    path: `/admin/v1${path}`,
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  };
}

/** The JSON of a response. @throws Error if it has another status */
export async function ask(caller: Caller, shot: Shot, status = 200): Promise<Record<string, unknown>> {
  const answer = await caller.send(shot);
  if (answer.status !== status)
    throw new Error(`${shot.method} ${shot.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return JSON.parse(answer.text);
}
