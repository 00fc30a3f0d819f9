import { type Config, type Setting, settings } from '#src/config.js';
import { ConfigError, readConfig } from '#src/read-config.js';
import { nearest } from '../base/nearest.js';
import type { Finding } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

const check = 'settings';
const loopback = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:\/|$)/;

/** Checks the settings of an environment. `config` is absent if the service would not start with them. */
export function checkSettings(env: Environment): { config?: Config; findings: Finding[] } {
  const misspelt = misspeltNames(env);
  try {
    const config = readConfig({ ...env });
    const warnings = [...misspelt, ...doubtful(config, env)];
    const fine: Finding = {
      check,
      state: 'ok',
      text: `${Object.values(settings).length} settings are valid`,
    };
    return { config, findings: [fine, ...warnings] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const failures = error.problems.map(
      (text): Finding => ({
        check,
        state: 'failed',
        text,
        remedy: 'Set the variable. /docs/configuration of the service lists every setting.',
      }),
    );
    return { findings: [...failures, ...misspelt] };
  }
}

/** Variables that Kubernetes makes for a Service with the name muster. */
const ofKubernetes = /^MUSTER_(?:SERVICE_|PORT(?:$|_))/;
/** Variables of other programs of Muster. */
const others = ['MUSTER_TOKEN', 'MUSTER_DATA_DIR'];

function misspeltNames(env: Environment): Finding[] {
  const known = (Object.values(settings) as Setting[]).map((setting) => setting.env);
  return Object.keys(env)
    .filter((name) => name.startsWith('MUSTER_') && !ofKubernetes.test(name))
    .filter((name) => !known.includes(name) && !others.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      if (meant === undefined) return [];
      return [
        { check, state: 'warning', text: `${name} is no setting`, remedy: `Did you mean ${meant}?` } as const,
      ];
    });
}

/** Settings that are valid, but seldom meant. */
function doubtful(config: Config, env: Environment): Finding[] {
  const warn = (text: string, remedy: string): Finding => ({ check, state: 'warning', text, remedy });
  const { baseUrl, smtpUrl, mailFrom, tryOut } = config;
  const isPublic = !loopback.test(baseUrl);
  return [
    ...(isPublic && baseUrl.startsWith('http:')
      ? [
          warn(
            `MUSTER_BASE_URL is ${baseUrl}, without TLS`,
            'Use https. Browsers keep the cookies of the login pages only there, and tokens would cross the network in the clear.',
          ),
        ]
      : []),
    ...(!env['MUSTER_BASE_URL'] && config.host !== '127.0.0.1'
      ? [
          warn(
            `MUSTER_BASE_URL is not set, so that clients are sent to ${baseUrl}`,
            'Set it to the address that clients use.',
          ),
        ]
      : []),
    ...(tryOut === 1
      ? [
          warn(
            'MUSTER_TRY_OUT permits a master key that everybody knows',
            'Make a key with muster new-master-key, and remove MUSTER_TRY_OUT.',
          ),
        ]
      : []),
    ...(smtpUrl !== '' && mailFrom.includes('@localhost')
      ? [
          warn(
            `MUSTER_MAIL_FROM is ${mailFrom}, which receivers refuse`,
            'Set it to an address of your domain.',
          ),
        ]
      : []),
  ];
}
