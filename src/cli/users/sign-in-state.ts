import type { JsonObject } from '#src/platform/json/json-object.js';
import type { AdminClient } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import type { SeenUser } from './seen-user.js';

/** What a sign-in of a user meets, as `GET /admin/v1/orgs/{orgId}/users/{id}/sign-in-state` answers. */
export interface SignInState {
  readonly userId: string;
  readonly orgId: string;
  readonly userName: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly locks: readonly Lock[];
  readonly obstacles: readonly string[];
  readonly steps: readonly string[];
  readonly unmetRules: readonly ToldRule[];
  readonly loginNames: readonly string[];
  readonly refused: readonly ToldRefusal[];
  /** '' if there was none. */
  readonly lastAccepted: string;
}

/** A rule of the sign-in policy that the person cannot meet. Texts are '' if the rule does not have them. */
interface ToldRule {
  readonly rule: string;
  readonly factors: readonly string[];
  readonly of: string;
  readonly groups: readonly string[];
  readonly acr: string;
  readonly from: string;
  /** Whether the day of a demand has come. */
  readonly holds: boolean;
}

/** A refused sign-in. Texts are '' if the service does not say them. */
interface ToldRefusal {
  readonly time: string;
  readonly reason: string;
  readonly why: string;
  readonly clientId: string;
  readonly address: string;
  readonly userAgent: string;
}

export interface Lock {
  readonly of: string;
  readonly loginName: string;
  readonly failures: number;
  readonly until: string;
}

export const adminUserPath = ({ orgId, id }: Pick<SeenUser, 'orgId' | 'id'>) =>
  `/admin/v1/orgs/${argumentSegment(orgId)}/users/${argumentSegment(id)}`;

/** Reads the sign-in state of a user. @throws Refused, Unreachable */
export async function readSignInState(
  client: AdminClient,
  user: Pick<SeenUser, 'orgId' | 'id'>,
): Promise<SignInState> {
  const { body: state } = await client.read(`${adminUserPath(user)}/sign-in-state`);
  return {
    userId: textIn(state, 'userId'),
    orgId: textIn(state, 'orgId'),
    userName: textIn(state, 'userName'),
    displayName: textIn(state, 'displayName'),
    active: state['active'] === true,
    locks: objectsIn(state, 'locks').map((lock) => ({
      of: textIn(lock, 'of'),
      loginName: textIn(lock, 'loginName'),
      failures: Number(lock['failures']),
      until: textIn(lock, 'until'),
    })),
    obstacles: textsIn(state, 'obstacles'),
    steps: textsIn(state, 'steps'),
    unmetRules: objectsIn(state, 'unmetRules').map((one) => ({
      rule: textIn(one, 'rule'),
      factors: textsIn(one, 'factors'),
      of: textIn(one, 'of'),
      groups: textsIn(one, 'groups'),
      acr: textIn(one, 'acr'),
      from: textIn(one, 'from'),
      holds: one['holds'] === true,
    })),
    loginNames: textsIn(state, 'loginNames'),
    refused: objectsIn(state, 'refused').map((one) => ({
      time: textIn(one, 'time'),
      reason: textIn(one, 'reason'),
      why: textIn(one, 'why'),
      clientId: textIn(one, 'clientId'),
      address: textIn(one, 'address'),
      userAgent: textIn(one, 'userAgent'),
    })),
    lastAccepted: textIn(state, 'lastAccepted'),
  };
}

function textsIn(answer: JsonObject, name: string): string[] {
  const list = answer[name];
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
