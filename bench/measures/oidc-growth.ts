import { compareP95, type Pace } from '../compare.js';
import type { Load, Shot } from '../load.js';
import type { Running } from '../processes.js';
import { startApi } from '../programs.js';
import { judged, milliseconds, type Row } from '../report.js';
import { openSetting, type Setting } from '../setting.js';
import { addPeopleWithPassword, byPassword, compareLogins, logIn } from './oidc-login.js';
import { ownSide } from './oidc-own-side.js';
import * as oidc from './oidc-side.js';
import { accessTokenOf, refreshTokenOf, type Stored, storeMany } from './oidc-stored.js';

const connections = 4;
const asked = { atMost: 2 };
/** The number of access tokens that are used in turn. Each has its own application, family and session. */
const tokens = 2_000;
/** The number of families that are refreshed in turn. */
const chains = 200;
/** The maximum number of access tokens that are revoked in a second. */
const revocationsPerSecond = 10_000;

export interface GrowthSizes {
  readonly small: number;
  readonly large: number;
}

/**
 * The 95th percentile of the endpoints with many stored applications, refresh families and sessions, compared with few.
 * There are two databases and two processes. Clients are chosen at random from all stored ones.
 */
export async function measureGrowth({ small, large }: GrowthSizes, pace: Pace): Promise<Row[]> {
  const opened: { api: Running; setting: Setting }[] = [];
  const open = async (size: number) => {
    const setting = await openSetting();
    opened.push({ setting, api: await startApi(setting) });
    return loadsOf(setting, size);
  };
  try {
    const few = await open(small);
    const many = await open(large);
    const rows: Row[] = [];
    const at = (measure: string) =>
      `${measure} at ${large.toLocaleString('en')} applications, families, sessions`;
    for (const [name, load] of Object.entries(many.loads)) {
      const result = await compareP95(load, few.loads[name as keyof typeof few.loads], pace);
      const row = {
        measure: at(`${name}, p95`),
        ours: milliseconds(result.ours),
        peer: `at ${small.toLocaleString('en')}: ${milliseconds(result.peer)}`,
      };
      rows.push(judged(row, result.ratio, asked));
    }
    const logins = await compareLogins(many.logIn, few.logIn, pace);
    const row = {
      measure: at('password login, time of one'),
      ours: milliseconds(logins.ours),
      peer: `at ${small.toLocaleString('en')}: ${milliseconds(logins.peer)}`,
    };
    return [...rows, judged(row, logins.ratio, asked)];
  } finally {
    for (const { api, setting } of opened) {
      await api.stop();
      await setting.close();
    }
  }
}

async function loadsOf(setting: Setting, size: number) {
  const stored = await storeMany(setting, size);
  const people = await addPeopleWithPassword(setting);
  const side = ownSide(setting, stored.any);
  const shown = await Promise.all(
    Array.from({ length: tokens }, async () => {
      const signedIn = stored.any();
      return { client: signedIn.client, token: await accessTokenOf(setting, signedIn) };
    }),
  );
  const load = (next: Load['next']): Load => ({ url: side.url, connections, next });
  const loads = {
    introspection: oidc.introspecting(
      side,
      shown.map(({ client, token }) => oidc.post(side.paths.introspection, client, { token })),
      connections,
    ),
    userinfo: load(shown.map(({ token }) => oidc.bearer(side.paths.userinfo, token))),
    'authorization code exchange': { ...oidc.codeExchange(side), connections },
    refresh: await refreshing(setting, stored, side),
    revocation: revoking(setting, stored, side),
    'authorization in a session': {
      ...load(() => {
        const { client, cookie } = stored.any();
        return oidc.authorize(client.id, cookie);
      }),
      status: 303,
      answered: oidc.requireCode,
    },
  } satisfies Record<string, Load>;
  return {
    loads,
    logIn: (seconds: number) =>
      logIn(side.url, { anyClient: () => stored.any().client.id, prove: byPassword(people), seconds }),
  };
}

/** Refreshes the families of this many clients in turn. */
async function refreshing(setting: Setting, stored: Stored, { url, paths }: oidc.Side): Promise<Load> {
  const chosen = Array.from({ length: chains }, stored.any);
  const ready = await Promise.all(
    [...new Map(chosen.map((one) => [one.familyId, one])).values()].map(async (signedIn) => ({
      client: signedIn.client,
      token: await refreshTokenOf(setting, signedIn),
    })),
  );
  const underWay = new Map<string, oidc.ClientCredentials>();
  return {
    url,
    connections,
    next() {
      const one = ready.shift();
      if (one === undefined) throw new Error('All chains are busy: raise chains');
      underWay.set(one.client.id, one.client);
      return oidc.post(paths.token, one.client, { grant_type: 'refresh_token', refresh_token: one.token });
    },
    answered(body) {
      const { refresh_token: token, id_token: idToken = '' } = JSON.parse(body) as Record<string, string>;
      const { azp } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
      const client = underWay.get(azp);
      if (token !== undefined && client !== undefined) ready.push({ client, token });
    },
  };
}

/** Revokes access tokens. Each belongs to another sign-in. */
function revoking(setting: Setting, stored: Stored, { url }: oidc.Side): Load {
  const ready: Shot[] = [];
  return {
    url,
    connections,
    async prepare(seconds) {
      while (ready.length < revocationsPerSecond * seconds) {
        const signedIn = stored.any();
        const token = await accessTokenOf(setting, signedIn);
        ready.push(oidc.post('/oauth/v2/revoke', signedIn.client, { token }));
      }
    },
    next() {
      const shot = ready.pop();
      if (shot === undefined) throw new Error('All tokens are revoked: raise revocationsPerSecond');
      return shot;
    },
  };
}
