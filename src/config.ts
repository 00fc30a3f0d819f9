import type { Static } from 'typebox';
import { keysSettings } from './config/keys.settings.js';
import { limitsSettings } from './config/limits.settings.js';
import { mailSettings } from './config/mail.settings.js';
import { observationSettings } from './config/observation.settings.js';
import { outsideHostsSettings } from './config/outside-hosts.settings.js';
import { quotasSettings } from './config/quotas.settings.js';
import { serverSettings } from './config/server.settings.js';
import type { Settings } from './config/setting.js';
import { signingInSettings } from './config/sign-in.settings.js';
import { storesSettings } from './config/stores.settings.js';
import { tokensSettings } from './config/tokens.settings.js';

export type { Setting } from './config/setting.js';

/** Every setting of both processes. `docs/configuration.md` is generated from this table. */
export const settings = {
  ...serverSettings,
  ...storesSettings,
  ...keysSettings,
  ...tokensSettings,
  ...signingInSettings,
  ...mailSettings,
  ...outsideHostsSettings,
  ...limitsSettings,
  ...quotasSettings,
  ...observationSettings,
} as const satisfies Settings;

export type SettingName = keyof typeof settings;

/** The settings of a process, checked and frozen. */
export type Config = { readonly [K in SettingName]: Static<(typeof settings)[K]['schema']> };
