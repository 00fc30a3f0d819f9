import { compareRates, type Pace } from '../compare.js';
import { besideEarlier, type Version } from '../earlier-version.js';
import type { Load, Shot } from '../load.js';
import { firstNumbers, scimUser } from '../people.js';
import { judged, milliseconds, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import { compareLogins } from './oidc-login.js';
import { accessToken, tokenRequest } from './tokens.js';

/** So many alternating rounds, also with `--quick`, because single rounds of a busy machine differ by a fifth. */
const leastRounds = 9;
/** The least ratio that counts as not slower. */
const atLeast = 0.95;
const connections = 16;
/** Users that both versions have. */
const people = 200;

let number: number = firstNumbers.besideReads;

/**
 * What must not become slower: tokens, SCIM and logins, compared with an earlier version in alternating rounds.
 * @param options `rows` receives each row when it is measured
 */
export async function measureNotSlower(
  setting: Setting,
  { folder, pace, rows }: { folder: string; pace: Pace; rows: Row[] },
): Promise<void> {
  const rounds = leastRounds;
  await besideEarlier(setting, folder, async (now, before) => {
    const [users, others] = [await addUsers(now), await addUsers(before)];
    const cases: [measure: string, load: (version: Version, users: readonly ReadUser[]) => Promise<Load>][] =
      [
        ['SCIM create', async (version) => creates(version)],
        [
          'SCIM get by id',
          async (version, of) =>
            reads(
              version,
              of.map(({ id }) => `/Users/${id}`),
            ),
        ],
        [
          'SCIM userName eq',
          async (version, of) =>
            reads(
              version,
              of.map(({ userName }) => `/Users?filter=userName%20eq%20%22${userName}%22`),
            ),
        ],
        ['SCIM list of 100', async (version) => reads(version, ['/Users?count=100'])],
        ['SCIM PATCH', async (version, of) => patches(version, of)],
        [
          'client_credentials, opaque token',
          async ({ setting }) => repeat(setting.baseUrl, tokenRequest(setting)),
        ],
        ['introspection', introspections],
      ];
    for (const [measure, load] of cases) {
      const loads = [await load(now, users), await load(before, others)] as const;
      const { ours, peer, ratio } = await compareRates(...loads, { ...pace, rounds });
      rows.push(row(measure, { ours: rate(ours), peer: rate(peer), ratio }));
    }
    const logins = [await now.peopleOf(), await before.peopleOf()] as const;
    const { ours, peer, ratio } = await compareLogins(...logins, { ...pace, rounds });
    // Here the values are times. The other ratios are those of rates.
    rows.push(
      row('login with a password', { ours: milliseconds(ours), peer: milliseconds(peer), ratio: 1 / ratio }),
    );
  });
}

function row(measure: string, { ours, peer, ratio }: { ours: string; peer: string; ratio: number }): Row {
  const named = { measure: `${measure}, beside the earlier version`, ours, peer: `earlier version: ${peer}` };
  return judged(named, ratio, { atLeast });
}

interface ReadUser {
  readonly id: string;
  readonly userName: string;
}

const headersOf = ({ setting }: Version) => ({
  authorization: `Bearer ${setting.client.personalAccessToken}`,
  'content-type': 'application/scim+json',
});

function nextUser() {
  number += 1;
  return scimUser(number);
}

async function addUsers(version: Version): Promise<ReadUser[]> {
  const url = `${version.setting.baseUrl}/scim/v2/${version.orgId}/Users`;
  const users: ReadUser[] = [];
  for (let n = 0; n < people; n++) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: headersOf(version),
      body: JSON.stringify(nextUser()),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
    users.push((await answer.json()) as ReadUser);
  }
  return users;
}

const repeat = (url: string, ...next: Shot[]): Load => ({ url, connections, next });

function reads(version: Version, paths: readonly string[]): Load {
  const { authorization } = headersOf(version);
  const next = paths.map((path) => ({
    method: 'GET' as const,
    path: `/scim/v2/${version.orgId}${path}`,
    headers: { authorization },
  }));
  return repeat(version.setting.baseUrl, ...next);
}

function creates(version: Version): Load {
  const next = () => ({
    method: 'POST' as const,
    path: `/scim/v2/${version.orgId}/Users`,
    headers: headersOf(version),
    body: JSON.stringify(nextUser()),
  });
  return { url: version.setting.baseUrl, connections, next };
}

/** Each PATCH changes a user. */
function patches(version: Version, users: readonly ReadUser[]): Load {
  let turn = 0;
  const next = () => {
    turn += 1;
    const Operations = [{ op: 'replace', path: 'title', value: `Title ${turn}` }];
    return {
      method: 'PATCH' as const,
      path: `/scim/v2/${version.orgId}/Users/${users[turn % users.length]?.id}`,
      headers: headersOf(version),
      body: JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }),
    };
  };
  return { url: version.setting.baseUrl, connections, next };
}

async function introspections({ setting }: Version): Promise<Load> {
  const body = new URLSearchParams({ token: await accessToken(setting) }).toString();
  return repeat(setting.baseUrl, { ...tokenRequest(setting), path: '/oauth/v2/introspect', body });
}
