import { compareP95, type Pace } from '../compare.js';
import type { Load, Shot } from '../load.js';
import type { Running } from '../processes.js';
import { startApi } from '../programs.js';
import { judged, milliseconds, type Row } from '../report.js';
import { openSetting, type Setting } from '../setting.js';
import { ownSide } from './oidc-own-side.js';
import * as oidc from './oidc-side.js';
import { accessTokenOf, storeMany } from './oidc-stored.js';

const connections = 4;
const asked = { atMost: 2 };
/** Access tokens that are shown in turn, each of another application, family and session. */
const tokens = 2_000;

export interface GrowthSizes {
  readonly small: number;
  readonly large: number;
}

/**
 * The 95th percentile of the endpoints with many applications, refresh families and sessions stored beside few: two
 * databases, two processes, and clients taken at random from all that there are.
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
    for (const name of ['introspection', 'userinfo', 'authorization code exchange'] as const) {
      const result = await compareP95(many[name], few[name], pace);
      const row = {
        measure: `${name}, p95 at ${large.toLocaleString('en')} applications, families, sessions`,
        ours: milliseconds(result.ours),
        peer: `at ${small.toLocaleString('en')}: ${milliseconds(result.peer)}`,
      };
      rows.push(judged(row, result.ratio, asked));
    }
    return rows;
  } finally {
    for (const { api, setting } of opened) {
      await api.stop();
      await setting.close();
    }
  }
}

async function loadsOf(setting: Setting, size: number) {
  const stored = await storeMany(setting, size);
  const side = ownSide(setting, stored.any);
  const shown = await Promise.all(
    Array.from({ length: tokens }, async () => {
      const signedIn = stored.any();
      return { client: signedIn.client, token: await accessTokenOf(setting, signedIn) };
    }),
  );
  let turn = 0;
  const next = () => shown[turn++ % tokens] as (typeof shown)[number];
  const load = (shot: () => Shot): Load => ({ url: side.url, connections, next: shot });
  return {
    introspection: {
      ...load(() => {
        const { client, token } = next();
        return oidc.post(side.paths.introspection, client, { token });
      }),
      answered: oidc.requireActive,
    },
    userinfo: load(() => oidc.bearer(side.paths.userinfo, next().token)),
    'authorization code exchange': { ...oidc.codeExchange(side), connections },
  };
}
