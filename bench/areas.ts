import type { Pace } from './compare.js';
import type { Cost } from './growth.js';
import { measureBulk } from './measures/bulk.js';
import { measureChanges } from './measures/changes.js';
import { measureConnections } from './measures/connections.js';
import { measureConsole } from './measures/console.js';
import { measureConvert } from './measures/convert.js';
import { measureConvertAny } from './measures/convert-any.js';
import { measureExport } from './measures/export.js';
import { measureGroups } from './measures/groups.js';
import { measureImport } from './measures/import.js';
import { measureImportBeside } from './measures/import-beside.js';
import { measureImportMapped } from './measures/import-mapped.js';
import { measureOidc } from './measures/oidc.js';
import { measureGrowth } from './measures/oidc-growth.js';
import { measureLogin } from './measures/oidc-login.js';
import { measureOrganizations } from './measures/organizations.js';
import { measurePaging } from './measures/paging.js';
import { measurePasskeyLogin } from './measures/passkey-login.js';
import { measurePolicyTrial } from './measures/policy-trial.js';
import { measureProvisioning } from './measures/provisioning.js';
import { measureScim } from './measures/scim.js';
import { measureSearch } from './measures/search.js';
import { measureSmallImports } from './measures/small-imports.js';
import { measureStart } from './measures/start.js';
import { accessToken, measureTokens } from './measures/tokens.js';
import { measureTwoProcesses } from './measures/two-processes.js';
import { measureVerify } from './measures/verify.js';
import type { Running } from './processes.js';
import type { Row } from './report.js';
import type { Setting } from './setting.js';
import { scimTarget } from './target.js';

/** What an area needs to be measured. */
export interface Field {
  readonly setting: Setting;
  readonly pace: Pace;
  /** Whether this is a trial with small sizes. */
  readonly quick: boolean;
  /** The most users of the areas that compare sizes. */
  readonly most: number;
  /** Receives how costs grow. */
  readonly costs: Cost[];
}

type Areas<Needs> = Readonly<Record<string, (needs: Needs) => Promise<Row[]>>>;

/** These start processes of their own. They come first, because some measure memory. */
export const areasAlone: Areas<Field> = {
  start: ({ setting, pace, quick }) => measureStart(setting, { pace, quick }),
  connections: ({ pace }) => measureConnections(pace),
  'two-processes': ({ setting, pace }) => measureTwoProcesses(setting, pace),
  export: ({ setting, pace, quick, most, costs }) => {
    const [large, others] = quick ? [20_000, [1_000]] : [most, [1_000, 100_000]];
    return measureExport(setting, {
      sizes: { small: 10_000, large, others: below(large, others) },
      pace,
      costs,
    });
  },
  import: ({ setting, pace, quick, most, costs }) => {
    const [large, others] = quick ? [50_000, [1_000]] : [most, [1_000, 100_000]];
    return measureImport(setting, {
      sizes: { small: 10_000, large, others: below(large, others) },
      pace,
      costs,
    });
  },
  'import-beside': ({ setting, pace, quick, most }) => {
    const sizes = quick ? { small: 1_000, giant: 20_000 } : { small: 5_000, giant: Math.min(most, 200_000) };
    return measureImportBeside(setting, { ...sizes, pace });
  },
  'import-mapped': ({ setting, pace, quick, most }) =>
    measureImportMapped(setting, { count: quick ? 5_000 : Math.min(most, 200_000), pace }),
  verify: ({ setting, pace, quick }) => measureVerify(setting, { size: quick ? 20_000 : 100_000, pace }),
  convert: ({ pace, quick, most }) => measureConvert({ small: 10_000, large: quick ? 100_000 : most }, pace),
  'convert-any': ({ pace, quick, most }) => measureConvertAny(quick ? 100_000 : most, pace),
};

/** What areas need that share one API process and one worker. */
export interface SharedField extends Field {
  readonly api: Running;
}

export const sharedAreas: Areas<SharedField> = {
  tokens: ({ setting, pace }) => measureTokens(setting, pace),
  oidc: ({ setting, api, pace }) => measureOidc(setting, api, pace),
  login: ({ setting, api, pace }) => measureLogin(setting, api, pace),
  passkeys: ({ setting, pace }) => measurePasskeyLogin(setting, pace),
  growth: ({ pace, quick, most }) =>
    measureGrowth({ small: 100, large: quick ? 10_000 : Math.min(most, 100_000) }, pace),
  organizations: ({ pace, quick, most }) =>
    measureOrganizations({ few: 10, many: Math.max(20, (quick ? 2_000 : most) / 100) }, pace),
  groups: ({ setting, pace, quick, most, costs }) => {
    const sizes = { few: 100, many: quick ? 10_000 : Math.min(most, 100_000) };
    return measureGroups(setting, { token: setting.client.personalAccessToken, sizes, pace, costs });
  },
  'small-imports': ({ setting, pace }) => measureSmallImports(setting, pace),
  scim: async ({ setting, pace }) => {
    const withAccessToken = targetOf(setting, await accessToken(setting));
    return measureScim(setting, { ours: targetOf(setting), withAccessToken }, pace);
  },
  changes: ({ setting, pace }) => measureChanges(setting, targetOf(setting), pace),
  bulk: ({ setting, pace }) => measureBulk(setting, targetOf(setting), pace),
  provisioning: async ({ setting, pace }) =>
    measureProvisioning(targetOf(setting, await accessToken(setting)), pace),
  search: ({ setting, pace, quick, most, costs }) => {
    const [large, huge] = quick ? [10_000, 10_000] : [Math.min(most, 100_000), most];
    const sizes = { small: 1_000, large, ...(huge > large && { huge }) };
    return measureSearch(setting, { token: setting.client.personalAccessToken, sizes, pace, costs });
  },
  paging: ({ setting, pace, quick, most }) =>
    measurePaging(setting, {
      ...{ token: setting.client.personalAccessToken, pace, users: quick ? 10_000 : most },
    }),
  'policy-trial': ({ setting, pace, quick, most }) =>
    measurePolicyTrial(setting, {
      ...{ token: setting.client.personalAccessToken, pace, users: quick ? 25_000 : most },
    }),
  console: ({ setting, quick, most }) =>
    measureConsole(setting, {
      ...(quick
        ? { users: 2_000, organizations: 20, visits: 20 }
        : { users: most, organizations: 1_000, visits: 200 }),
    }),
};

/** SCIM requests to the organization of the setting. */
function targetOf({ baseUrl, organization, client }: Setting, token = client.personalAccessToken) {
  return scimTarget(baseUrl, organization.id, token);
}

function below(large: number, sizes: readonly number[]): number[] {
  return sizes.filter((size) => size < large);
}
