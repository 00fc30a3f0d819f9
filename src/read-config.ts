import Value from 'typebox/value';
import { type Config, type Setting, type SettingName, settings } from './config.js';

/** The key of docker-compose.yml: 32 bytes of zero. */
const tryOutKey = `:${'A'.repeat(43)}`;

/** Thrown by {@link readConfig}. `problems` has one line for each wrong setting. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the settings from the environment. No other code reads `process.env`.
 * @throws ConfigError that lists all missing and malformed settings
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting][]) {
    const text = env[setting.env];
    if (text === undefined || text === '') {
      if (setting.default === undefined) problems.push(`${setting.env} is missing: ${setting.about}`);
      config[name] = setting.default;
      continue;
    }
    const value = Value.Convert(setting.schema, text);
    if (!Value.Check(setting.schema, value)) {
      const shown = setting.secret ? 'the given value' : JSON.stringify(text);
      problems.push(`${setting.env}: ${shown} does not fit. ${setting.about}`);
    }
    config[name] = value;
  }
  if (config['tryOut'] !== 1 && String(config['masterKeys']).includes(tryOutKey)) {
    problems.push(
      'MUSTER_MASTER_KEYS has the key of docker-compose.yml, which everybody knows. `muster new-master-key` prints a key of your own. MUSTER_TRY_OUT=1 permits it.',
    );
  }
  if (env['MUSTER_BASE_URL'] === undefined && typeof config['port'] === 'number') {
    config['baseUrl'] = `http://127.0.0.1:${config['port']}`;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config) as Config;
}
