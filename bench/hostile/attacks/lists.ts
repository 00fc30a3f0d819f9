import type { Attack, Target } from '../attack.js';
import type { Caller, Shot } from '../caller.js';
import { cheapRequests, cheapShot, overConnections, partOf } from '../clients.js';
import { ask } from '../owner.js';
import { largeUser, scim, urn } from '../scim.js';
import { cheapUnread, holdUnread, type Unread } from '../unread.js';
import { unreadPromises } from './unread.js';

const usersOfPage = 100;

/** Fills the organization of large users, of which a page has 6.3 MB. */
async function addLargeUsers(caller: Caller, { large, part }: Target): Promise<void> {
  const { totalResults } = await ask(caller, scim(large, 'GET', '/Users?count=0'));
  for (let n = Number(totalResults); n < partOf(usersOfPage, { part }); n++)
    await ask(caller, scim(large, 'POST', '/Users', largeUser(`large-${n}`)), 201);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A page of the large users, as a viewer. */
const pageOfUsers = ({ large }: Target): Shot => ({
  method: 'GET',
  path: `/scim/v2/${large.orgId}/Users?count=${usersOfPage}`,
  headers: bearer(large.viewerToken),
});

const cheapAsViewer = ({ large }: Target) => cheapShot(large, large.viewerToken);

/** A page may be refused with a lower count. Lists may wait for their turn, and give way. */
const refusals = ['400 tooMany', '429', '503'];

function unreadLists(name: string, connections: number): Attack {
  const unread: Unread = {
    connections,
    connectionsPerSecond: 100,
    url: ({ url }) => url,
    shot: pageOfUsers,
  };
  return {
    name,
    sends: `${connections} connections, each with GET /Users?count=100 of 100 users of 61 KB as a viewer, and reads nothing`,
    ...unreadPromises,
    longer: 2,
    reached: [['200', '400']],
    possible: ['ended', 'refused', '429', '502', '503'],
    async start(caller, target) {
      await addLargeUsers(caller, target);
      return (attacking) => holdUnread(attacking, unread);
    },
    control: cheapUnread(unread),
  };
}

/** A connection asks again for a page that was refused after this time. */
const everyMs = 100;

function readLists(
  name: string,
  connections: number,
  promises: Pick<Attack, 'mostMib' | 'slowestHealthMs'> = {},
): Attack {
  return {
    name,
    sends: `${connections} connections that read GET /Users?count=100 of 100 users of 61 KB as a viewer, again and again`,
    ...promises,
    reached: [['200', '400 tooMany']],
    possible: refusals,
    async start(caller, target) {
      await addLargeUsers(caller, target);
      return (attacking) =>
        overConnections(attacking, { connections, everyMs }, () => pageOfUsers(attacking.target));
    },
    control: cheapRequests(connections, cheapAsViewer),
  };
}

export const unreadLists120 = unreadLists('A2a 120 unread lists', 120);
export const unreadLists250 = unreadLists('A2b 250 unread lists', 250);
export const readLists150 = readLists('A2c 150 lists that are read', 150, unreadPromises);
export const readLists30 = readLists('B3a lists of users, 30 connections', 30);
export const readLists3 = readLists('B3b lists of users, 3 connections', 3);

const membersOfGroup = 6_000;
const groupNames = ['Members 1', 'Members 2'];

/** Adds two groups with many members to the attacker's organization. */
async function addLargeGroups(caller: Caller, target: Target): Promise<void> {
  const { totalResults } = await ask(caller, scim(target, 'GET', '/Groups?count=0'));
  if (Number(totalResults) >= groupNames.length) return;
  const members: { value: string }[] = [];
  let cursor = '';
  do {
    const path = `/Users?attributes=id&count=100&cursor=${encodeURIComponent(cursor)}`;
    const page = await ask(caller, scim(target, 'GET', path));
    members.push(...(page['Resources'] as { id: string }[]).map(({ id }) => ({ value: id })));
    cursor = String(page['nextCursor'] ?? '');
  } while (cursor !== '' && members.length < partOf(membersOfGroup, target));
  for (const displayName of groupNames) {
    const group = { schemas: [urn.group], displayName, members: members.slice(0, membersOfGroup) };
    await ask(caller, scim(target, 'POST', '/Groups?attributes=id', group), 201);
  }
}

function readGroups(name: string, connections: number): Attack {
  return {
    name,
    sends: `${connections} connections that read GET /Groups?count=100 of two groups of 6,000 members, again and again`,
    reached: [['200', '400 tooMany']],
    possible: refusals,
    async start(caller, target) {
      await addLargeGroups(caller, target);
      const shot = scim(target, 'GET', '/Groups?count=100');
      return (attacking) => overConnections(attacking, { connections, everyMs }, () => shot);
    },
    control: cheapRequests(connections),
  };
}

export const readGroups30 = readGroups('B4a lists of groups, 30 connections', 30);
export const readGroups3 = readGroups('B4b lists of groups, 3 connections', 3);
