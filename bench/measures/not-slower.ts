import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pace } from '../compare.js';
import { besideEarlier, type Version } from '../earlier-version.js';
import { fire, type Load, median, type Shot } from '../load.js';
import { firstNumbers, scimUser } from '../people.js';
import { judged, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import { runProgram, writeTenant } from './convert.js';
import { writeMappedTable } from './convert-any.js';
import { bodyOf, nextWord, post } from './import-requests.js';
import { longerLogins } from './oidc-login.js';
import { introspecting, post as postForm } from './oidc-side.js';
import { accessToken, tokenRequest } from './tokens.js';

/**
 * So many alternating rounds, also with `--quick`. Each has new processes, because two processes of the same program differ by a tenth for
 * as long as they run. Each version starts first in half of the rounds, so that the order favours neither.
 */
const rounds = 10;
/** The least ratio that counts as not slower. */
const atLeast = 0.95;
const connections = 16;
/** Users that both versions have. */
const people = 200;
/** Users of one import, and of one verification. */
const imported = 5_000;
/** Users of one conversion. */
const converted = 50_000;

let number: number = firstNumbers.notSlower;

/** What both versions do, at a rate per second. */
interface Case {
  readonly measure: string;
  readonly unit: string;
  /** A factor for the length of warm-ups and rounds. */
  readonly longer?: number;
  /** Prepares both sides. A case that is not measured is not prepared, because the earlier version may not have it. */
  readonly prepare: () => Promise<readonly [ours: Side, peer: Side]>;
}

/** Does the work for so many seconds, and tells its rate. */
type Side = (seconds: number) => Promise<number>;

/**
 * What must not become slower: tokens, SCIM, logins, imports, verifications and conversions, compared with an earlier version in alternating rounds.
 * @param options `cases`: with what the names of the measured cases begin
 */
export async function measureNotSlower(
  setting: Setting,
  { folder, cases, pace }: { folder: string; cases: readonly string[]; pace: Pace },
): Promise<Row[]> {
  const measured: { of: Case; sides: readonly [Side, Side]; rates: [ours: number, peer: number][] }[] = [];
  const files = await mkdtemp(join(tmpdir(), 'muster-bench-beside-'));
  try {
    await besideEarlier(setting, { folder, starts: rounds }, async (now, before, round) => {
      if (round === 0) {
        const all = [...(await casesOf(now, before)), ...conversions(now, before, files)];
        for (const of of all.filter(({ measure }) => cases.some((begin) => measure.startsWith(begin))))
          measured.push({ of, sides: await of.prepare(), rates: [] });
      }
      for (const { of, sides, rates } of measured)
        rates.push(await measureRound(sides, { pace: longerPace(pace, of.longer), round }));
    });
  } finally {
    await rm(files, { recursive: true });
  }
  return measured.map(({ of: { measure, unit }, rates }) => {
    const ours = median(rates.map(([now]) => now));
    const peer = median(rates.map(([, before]) => before));
    const named = {
      measure: `${measure}, beside the earlier version`,
      ours: rate(ours, unit),
      peer: `earlier version: ${rate(peer, unit)}`,
    };
    const ratios = rates.map(([now, before]) => now / before);
    console.log(`${measure}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`);
    return judged(named, median(ratios), { atLeast });
  });
}

function longerPace(pace: Pace, factor = 1): Pace {
  return { ...pace, seconds: pace.seconds * factor, warmUpSeconds: pace.warmUpSeconds * factor };
}

/**
 * The rates of both sides, in the order A B B A, so that neither gains from a machine that becomes faster or slower meanwhile. The one that
 * began in a round is the second in the next one.
 */
async function measureRound(
  [ours, peer]: readonly [Side, Side],
  { pace, round }: { pace: Pace; round: number },
): Promise<[number, number]> {
  const [first, second] = round % 2 === 0 ? [ours, peer] : [peer, ours];
  await ours(pace.warmUpSeconds);
  await peer(pace.warmUpSeconds);
  const before = await first(pace.seconds);
  const between = [await second(pace.seconds), await second(pace.seconds)] as const;
  const outer = (before + (await first(pace.seconds))) / 2;
  const inner = (between[0] + between[1]) / 2;
  return round % 2 === 0 ? [outer, inner] : [inner, outer];
}

async function casesOf(now: Version, before: Version): Promise<Case[]> {
  const [users, others] = [await addUsers(now), await addUsers(before)];
  type Prepare = (version: Version, users: readonly ReadUser[]) => Promise<Load>;
  const paths = (pathOf: (user: ReadUser) => string): Prepare => {
    return async (version, of) => reads(version, of.map(pathOf));
  };
  const loads: Record<string, Prepare> = {
    'SCIM create': async (version) => creates(version),
    'SCIM get by id': paths(({ id }) => `/Users/${id}`),
    'SCIM userName eq': paths(({ userName }) => `/Users?filter=userName%20eq%20%22${userName}%22`),
    'SCIM list of 100': async (version) => reads(version, ['/Users?count=100']),
    'SCIM PATCH': async (version, of) => patches(version, of),
    'client_credentials, opaque token': async ({ setting }) => repeat(setting.baseUrl, tokenRequest(setting)),
    introspection: introspections,
  };
  const side = (load: Load): Side => {
    return async (seconds) => (await fire(load, seconds)).rate;
  };
  const both =
    <T>(work: (version: Version, of: readonly ReadUser[]) => Promise<T>) =>
    async () =>
      [await work(now, users), await work(before, others)] as const;
  const size = imported.toLocaleString('en');
  return [
    ...Object.entries(loads).map(([measure, load]) => ({
      ...{ measure, unit: 'req/s' },
      prepare: both(async (version, of) => side(await load(version, of))),
    })),
    {
      ...{ measure: 'login with a password', unit: 'logins/s', longer: longerLogins },
      prepare: both((version) => version.peopleOf()),
    },
    { measure: `import of ${size} users`, unit: 'users/s', prepare: both(imports) },
    { measure: `verification of ${size} users`, unit: 'users/s', prepare: both(verifications) },
  ];
}

/** Conversions of people of Auth0, and of a table with a mapping. @param folder receives the files */
function conversions(now: Version, before: Version, folder: string): Case[] {
  const files = {
    auth0: async () => {
      const { users, passwords } = await writeTenant(folder, converted);
      return ['--users', users, '--passwords', passwords, '--email-verified'];
    },
    csv: async () => {
      const { map, csv } = await writeMappedTable(folder, converted);
      return ['--users', csv, '--map', map];
    },
  };
  return Object.entries(files).map(([system, write]) => ({
    measure: `muster convert ${system}, ${converted.toLocaleString('en')} users`,
    unit: 'users/s',
    async prepare() {
      const words = [...(await write()), '--output', join(folder, 'body.json')];
      const side = ({ command }: Version): Side => {
        const run = () => runProgram([command, 'convert', system, '--org', '1', ...words]);
        return (seconds) => repeatFor(seconds, { users: converted, work: run });
      };
      return [side(now), side(before)] as const;
    },
  }));
}

/** Imports new users into an organization of its own, one import after another. */
async function imports(version: Version): Promise<Side> {
  const orgId = await addOrganization(version);
  return (seconds) =>
    repeatFor(seconds, { users: imported, work: () => importInto(version, orgId, nextWord()) });
}

/** Verifies an import that has not changed since, one verification after another. */
async function verifications(version: Version): Promise<Side> {
  const orgId = await addOrganization(version);
  const word = nextWord();
  await importInto(version, orgId, word);
  const verify = () =>
    post(version, {
      ...{ to: 'verify', keeps: 'beginning' },
      pieces: bodyOf(orgId, imported, word),
      expected: '"isSame":true',
    });
  return (seconds) => repeatFor(seconds, { users: imported, work: verify });
}

function importInto(version: Version, orgId: string, word: string): Promise<void> {
  const pieces = bodyOf(orgId, imported, word);
  return post(version, { to: 'import', pieces, expected: `"created":${imported},` });
}

/** Repeats work about so many users for so many seconds. @returns users per second */
async function repeatFor(
  seconds: number,
  { users, work }: { readonly users: number; readonly work: () => Promise<unknown> },
): Promise<number> {
  const started = performance.now();
  let done = 0;
  do {
    await work();
    done += users;
  } while (performance.now() - started < seconds * 1_000);
  return done / ((performance.now() - started) / 1_000);
}

async function addOrganization(version: Version): Promise<string> {
  return (await add<{ id: string }>(version, 'orgs', { name: `Imports ${nextWord()}` })).id;
}

/** Adds an object by the admin API. @param path after `/admin/v1/` @returns the response */
async function add<T>(version: Version, path: string, object: Record<string, unknown>): Promise<T> {
  const response = await fetch(`${version.setting.baseUrl}/admin/v1/${path}`, {
    method: 'POST',
    headers: { ...headersOf(version), 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as T;
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

/** A token of a program, asked about by an API of the project for which it was issued. */
async function introspections(version: Version): Promise<Load> {
  const { setting, orgId } = version;
  const project = await add<{ id: string }>(version, `orgs/${orgId}/projects`, { name: nextWord() });
  const api = await add<{ clientId: string; clientSecret: string }>(version, `orgs/${orgId}/applications`, {
    ...{ name: nextWord(), type: 'api', projectId: project.id },
  });
  const token = await accessToken(setting, `urn:service:iam:org:project:id:${project.id}:aud`);
  const ask = postForm('/oauth/v2/introspect', { id: api.clientId, secret: api.clientSecret }, { token });
  return introspecting({ url: setting.baseUrl }, [ask], connections);
}
