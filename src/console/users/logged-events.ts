import { ApiProblem } from '../http/api.js';
import type { ConsoleVisit } from '../http/visit.js';
import { type ScimUser, scimUserPath } from './user.js';

/** An event as the admin API has it. */
export interface LoggedEvent {
  readonly type: string;
  readonly editor: { readonly userId: string; readonly service: string };
  readonly aggregate: { readonly id: string; readonly type: string; readonly resourceOwner: string };
  readonly creationDate: string;
}

export interface LoggedEvents {
  readonly events: readonly LoggedEvent[];
  readonly nextCursor?: string;
}

/** The name of who changed something, if it is a user of the organization, or else the identifier. */
export async function nameOf(
  { api, me }: Pick<ConsoleVisit, 'api' | 'me'>,
  orgId: string,
  { userId }: LoggedEvent['editor'],
): Promise<string> {
  if (userId === me.userId) return me.displayName;
  try {
    return (await api.get<ScimUser>(scimUserPath(orgId, userId), { attributes: 'displayName' })).displayName;
  } catch (error) {
    if (error instanceof ApiProblem && error.status < 500) return userId;
    throw error;
  }
}
