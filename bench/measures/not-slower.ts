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

let number: number = firstNumbers.besideReads;

/** What both versions do, at a rate per second. */
interface Case {
  readonly measure: string;
  readonly unit: string;
  readonly sides: readonly [ours: Side, peer: Side];
  readonly rates: [ours: number, peer: number][];
}

/** Does the work for so many seconds, and tells its rate. */
type Side = (seconds: number) => Promise<number>;

/**
 * What must not become slower: tokens, SCIM, logins, imports, verifications and conversions, compared with an earlier version in alternating rounds.
 * @param options `rows` receives each row when it is measured
 */
export async function measureNotSlower(
  setting: Setting,
  { folder, pace, rows }: { folder: string; pace: Pace; rows: Row[] },
): Promise<void> {
  let cases: readonly Case[] = [];
  const files = await mkdtemp(join(tmpdir(), 'muster-bench-beside-'));
  try {
    await besideEarlier(setting, { folder, starts: rounds }, async (now, before, round) => {
      if (round === 0)
        cases = [...(await prepareCases(now, before)), ...(await conversions(now, before, files))];
      for (const { sides, rates } of cases) rates.push(await measureRound(sides, { pace, round }));
    });
  } finally {
    await rm(files, { recursive: true });
  }
  for (const { measure, unit, rates } of cases) {
    const ours = median(rates.map(([now]) => now));
    const peer = median(rates.map(([, before]) => before));
    const named = {
      measure: `${measure}, beside the earlier version`,
      ours: rate(ours, unit),
      peer: `earlier version: ${rate(peer, unit)}`,
    };
    const ratios = rates.map(([now, before]) => now / before);
    console.log(`${measure}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`);
    rows.push(judged(named, median(ratios), { atLeast }));
  }
}

/** The rates of both sides. The one that began in a round is the second in the next one. */
async function measureRound(
  [ours, peer]: Case['sides'],
  { pace, round }: { pace: Pace; round: number },
): Promise<[number, number]> {
  await ours(pace.warmUpSeconds);
  await peer(pace.warmUpSeconds);
  if (round % 2 === 0) return [await ours(pace.seconds), await peer(pace.seconds)];
  const second = await peer(pace.seconds);
  return [await ours(pace.seconds), second];
}

async function prepareCases(now: Version, before: Version): Promise<Case[]> {
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
  const cases: Case[] = [];
  const side = (load: Load): Side => {
    return async (seconds) => (await fire(load, seconds)).rate;
  };
  for (const [measure, load] of Object.entries(loads)) {
    const sides = [side(await load(now, users)), side(await load(before, others))] as const;
    cases.push({ measure, unit: 'req/s', sides, rates: [] });
  }
  const addCase = (measure: string, unit: string, sides: Case['sides']) =>
    cases.push({ measure, unit, sides, rates: [] });
  addCase('login with a password', 'logins/s', [await now.peopleOf(), await before.peopleOf()]);
  const size = imported.toLocaleString('en');
  addCase(`import of ${size} users`, 'users/s', [await imports(now), await imports(before)]);
  addCase(`verification of ${size} users`, 'users/s', [
    await verifications(now),
    await verifications(before),
  ]);
  return cases;
}

/** Converts people of Auth0, and of a table with a mapping. @param folder receives the files */
async function conversions(now: Version, before: Version, folder: string): Promise<Case[]> {
  const tenant = await writeTenant(folder, converted);
  const { map, csv } = await writeMappedTable(folder, converted);
  const words = {
    auth0: ['--users', tenant.users, '--passwords', tenant.passwords, '--email-verified'],
    csv: ['--users', csv, '--map', map],
  };
  return Object.entries(words).map(([system, files]) => {
    const output = join(folder, 'body.json');
    const side = ({ command }: Version): Side => {
      const run = () => runProgram([command, 'convert', system, '--org', '1', ...files, '--output', output]);
      return (seconds) => repeatFor(seconds, { users: converted, work: run });
    };
    const measure = `muster convert ${system}, ${converted.toLocaleString('en')} users`;
    return { measure, unit: 'users/s', sides: [side(now), side(before)], rates: [] };
  });
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
