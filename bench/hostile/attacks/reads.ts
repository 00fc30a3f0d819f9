import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signInToConsole } from '../../sign-in.js';
import type { Attack, Target } from '../attack.js';
import type { Caller, Shot } from '../caller.js';
import { cheapRequests, cheapShot, overConnections, partOf, times } from '../clients.js';
import { ask, ofOwner } from '../owner.js';
import { scim, unique, urn } from '../scim.js';

const senders = 20;
const operations = 50;

/** A change of so many users of the attacker's organization, as one Bulk. */
function bulk(target: Target, ids: readonly string[]): Shot {
  const shot = scim(target, 'POST', '/Bulk', {
    schemas: [urn.bulk],
    Operations: ids.map((id) => ({
      method: 'PATCH',
      path: `/Users/${id}`,
      data: {
        schemas: [urn.patch],
        Operations: [{ op: 'replace', path: 'title', value: `Title ${unique()}` }],
      },
    })),
  });
  return { ...shot, headers: { ...shot.headers, prefer: 'respond-async' } };
}

async function firstUsers(caller: Caller, target: Target): Promise<string[]> {
  const page = await ask(caller, scim(target, 'GET', '/Users?attributes=id&count=100'));
  return (page['Resources'] as { id: string }[]).map(({ id }) => id);
}

export const asynchronousBulks: Attack = {
  name: 'B8a asynchronous Bulks',
  sends: `${senders} connections, each with a Bulk of ${operations} PATCHes with Prefer: respond-async, at most two in a second`,
  reached: ['202'],
  possible: ['429', '503'],
  leavesWork: true,
  async start(caller, target) {
    const ids = await firstUsers(caller, target);
    return (attacking) =>
      overConnections(attacking, { connections: senders, everyMs: 500 }, (n) => {
        const from = (n * operations) % ids.length;
        return bulk(target, ids.slice(from, from + operations));
      });
  },
  control: cheapRequests(senders),
};

const receivers = 20;
/** A change becomes an event of the stream after 90 seconds. */
const settledMs = 95_000;

/** Service users that may read users. @returns their tokens */
async function addReceivers(caller: Caller, target: Target): Promise<string[]> {
  const path = `/orgs/${target.orgId}`;
  const tokens: string[] = [];
  for (const _ of times(partOf(receivers, target), String)) {
    const named = { userName: `receiver-${unique()}` };
    const { id } = await ask(caller, ofOwner(target, 'POST', `${path}/service-users`, named), 201);
    const role = { userId: id, role: 'ORG_USER_VIEWER' };
    await ask(caller, ofOwner(target, 'POST', `${path}/memberships`, role), 201);
    const { token } = await ask(
      caller,
      ofOwner(target, 'POST', `${path}/service-users/${id}/tokens`, {}),
      201,
    );
    tokens.push(String(token));
  }
  return tokens;
}

export const polls: Attack = {
  name: 'B8b polls of security events',
  sends: `${2 * receivers} connections of ${receivers} service users that poll for 100 events each and acknowledge none, each at most 10 in a second`,
  reached: ['200'],
  possible: ['429', '503'],
  async start(caller, target) {
    const tokens = await addReceivers(caller, target);
    const poll = (n: number): Shot => {
      const token = tokens[n % tokens.length] ?? '';
      return scim({ orgId: target.orgId, token }, 'POST', '/SecurityEvents', { maxEvents: 100 });
    };
    // The first poll begins a stream.
    for (const n of times(tokens.length, Number)) await ask(caller, poll(n));
    const ids = await firstUsers(caller, target);
    await caller.send(bulk(target, ids));
    // In a trial the polls are of an empty stream.
    if (target.part === 1) await pause(settledMs);
    return (attacking) => overConnections(attacking, { connections: 2 * receivers, everyMs: 100 }, poll);
  },
  control: cheapRequests(2 * receivers),
};

const visitors = 20;

export const consolePages: Attack = {
  name: 'B8c pages of the console',
  sends: `${visitors} connections that read pages of an organization as its owner, each at most 10 in a second`,
  reached: ['200'],
  possible: ['429', '503'],
  async start(_caller, target) {
    const cookie = await signInToConsole(
      { baseUrl: target.url, address: () => target.url },
      target.administrator,
    );
    const pages = ['users', 'users?search=p1', 'groups', 'applications', 'service-users', 'log'];
    const page = (n: number): Shot => ({
      method: 'GET',
      path: `/console/orgs/${target.orgId}/${pages[n % pages.length]}`,
      headers: { cookie },
    });
    return (attacking) => overConnections(attacking, { connections: visitors, everyMs: 100 }, page);
  },
  control: cheapRequests(visitors),
};

const forgers = 20;
const keptTokens = 200;

/** Tokens that no process has seen: unknown ones of each form, and valid ones. */
async function unseenTokens(caller: Caller, target: Target): Promise<(n: number) => string> {
  const { keys } = await ask(caller, { method: 'GET', path: '/oauth/v2/keys' });
  const { kid, alg } = (keys as { kid: string; alg: string }[])[0] ?? {};
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const head = part({ alg, kid, typ: 'at+jwt' });
  const valid: string[] = [];
  for (const _ of times(partOf(keptTokens, target), String)) {
    const { access_token } = await ask(caller, tokenRequest(target));
    valid.push(String(access_token));
  }
  const kinds: ((n: number) => string)[] = [
    () => `mpat_${unique()}.${randomBytes(32).toString('base64url')}`,
    () => randomBytes(300).toString('base64url'),
    () => `${head}.${part({ iss: target.url, sub: unique() })}.${randomBytes(256).toString('base64url')}`,
    (n) => valid[n % valid.length] ?? '',
  ];
  return (n) => kinds[n % kinds.length]?.(Math.floor(n / kinds.length)) ?? '';
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

function form({ client }: Target, path: string, fields: Record<string, string>): Shot {
  const body = new URLSearchParams({ client_id: client.id, client_secret: client.secret, ...fields });
  return { method: 'POST', path, headers: formType, body: body.toString() };
}

const tokenRequest = (target: Target) =>
  form(target, '/oauth/v2/token', { grant_type: 'client_credentials' });

const fourth =
  'a fourth each of unknown personal access tokens, unknown opaque tokens, forged JWTs and valid tokens';

export const unseenCallers: Attack = {
  name: 'B8d callers with unseen tokens',
  sends: `${forgers} connections that read GET /admin/v1/me, each at most 20 in a second, with ${fourth}`,
  reached: ['200', '401'],
  possible: ['429', '503'],
  async start(caller, target) {
    const token = await unseenTokens(caller, target);
    return (attacking) =>
      overConnections(attacking, { connections: forgers, everyMs: 50 }, (n) => ({
        method: 'GET',
        path: '/admin/v1/me',
        headers: { authorization: `Bearer ${token(n)}` },
      }));
  },
  control: cheapRequests(forgers, (target) => cheapShot(target)),
};

export const unseenIntrospections: Attack = {
  name: 'B8e introspection of unseen tokens',
  sends: `${forgers} connections that introspect, each at most 20 in a second, ${fourth}`,
  reached: ['200'],
  possible: ['429', '503'],
  async start(caller, target) {
    const token = await unseenTokens(caller, target);
    return (attacking) =>
      overConnections(attacking, { connections: forgers, everyMs: 50 }, (n) =>
        form(target, '/oauth/v2/introspect', { token: token(n) }),
      );
  },
  control: cheapRequests(forgers),
};
