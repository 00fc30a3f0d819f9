import type { Attack, Target } from '../attack.js';
import type { Caller, Shot } from '../caller.js';
import { atPace, cheapRequests, overConnections, times } from '../clients.js';
import { ask, ofOwner } from '../owner.js';
import { unique } from '../scim.js';

/** The most keys that a service user has at once. */
const mostKeys = 10;

/** A service user with as many keys as it may have. @returns the path of its keys */
async function addFullServiceUser(caller: Caller, target: Target): Promise<string> {
  const path = `/orgs/${target.orgId}/service-users`;
  const { id } = await ask(caller, ofOwner(target, 'POST', path, { userName: `keys-${unique()}` }), 201);
  const keys = `${path}/${id}/keys`;
  for (const _ of times(mostKeys, String))
    await ask(caller, ofOwner(target, 'POST', keys, { algorithm: 'ES256' }), 201);
  return keys;
}

export const keyPairs: Attack = {
  name: 'B5 key pairs beyond the limit',
  sends: 'five POST .../service-users/{id}/keys with {} in a second, for a service user with ten keys',
  reached: ['409'],
  possible: ['429', '503'],
  async start(caller, target) {
    const shot = ofOwner(target, 'POST', await addFullServiceUser(caller, target), {});
    return (attacking) => atPace(attacking, 200, () => shot);
  },
  control: cheapRequests(5),
};

/** Each change has another colour. Otherwise nothing would change. */
const change = (target: Target): Shot =>
  ofOwner(target, 'PATCH', `/orgs/${target.orgId}`, {
    login: { brandColor: `#${unique().slice(0, 6)}` },
  });

function changesOfOne(name: string, connections: number): Attack {
  return {
    name,
    sends: `${connections} connections that PATCH the settings of one organization`,
    reached: ['200'],
    possible: ['409', '429', '503'],
    start: async () => (attacking) =>
      overConnections(attacking, { connections, everyMs: 20 }, () => change(attacking.target)),
    control: cheapRequests(connections),
  };
}

export const changes8 = changesOfOne('B6a changes of one organization, 8 connections', 8);
export const changes32 = changesOfOne('B6b changes of one organization, 32 connections', 32);

const strangers = 20;

export const inventedOrganizations: Attack = {
  name: 'B7 schemas of invented organizations',
  sends: `${strangers} connections that read GET /scim/v2/{anything}/Schemas with gzip, each with at most 10 in a second`,
  reached: [['200', '404']],
  possible: ['429', '503'],
  start: async () => (attacking) =>
    overConnections(attacking, { connections: strangers, everyMs: 100 }, () => ({
      method: 'GET',
      path: `/scim/v2/${unique()}/Schemas`,
      headers: { 'accept-encoding': 'gzip' },
    })),
  control: cheapRequests(strangers, ({ orgId }) => ({
    method: 'GET',
    path: `/scim/v2/${orgId}/ServiceProviderConfig`,
  })),
};
