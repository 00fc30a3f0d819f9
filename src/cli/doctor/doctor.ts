import { type Config, type Setting, type SettingName, settings } from '#src/config.js';
import { endWith } from '../base/exit-codes.js';
import type { BucketOptions } from '../storage/read-target.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { checkAddress } from './check-address.js';
import { checkBucket } from './check-bucket.js';
import { checkClock } from './check-clock.js';
import { checkMail } from './check-mail.js';
import { checkSettings } from './check-settings.js';
import { checkMongo, checkRedis } from './check-stores.js';
import { findTrial } from './find-trial.js';
import type { Finding } from './finding.js';

/** Runs `muster doctor`. Sets the exit code of the process. */
export async function doctor(options: BucketOptions, output: Output): Promise<void> {
  const trial = await findTrial(process.env);
  if (trial !== undefined) output.note(`Checking the trial that make run runs: ${trial.file}`);
  const { config, findings: ofSettings } = checkSettings(trial?.settings ?? process.env);
  const others = config === undefined ? [] : await checkService(config, options);
  const findings = [...ofSettings, ...others].map(withoutSecrets(config));
  for (const finding of findings) output.print(lineOf(finding));
  if (config === undefined) output.note('The other checks need valid settings.');
  const isHealthy = findings.every(({ state }) => state !== 'failed');
  output.result({ healthy: isHealthy, findings });
  if (!isHealthy) endWith('failed');
}

/** Runs the checks side by side. The clock is that of the stores. */
async function checkService(config: Config, bucket: BucketOptions): Promise<Finding[]> {
  const [mongo, redis, mail, ofBucket, address] = await Promise.all([
    checkMongo(config),
    checkRedis(config),
    checkMail(config),
    checkBucket(bucket, config),
    checkAddress(config),
  ]);
  const clocks = [mongo.clock, redis.clock].filter((clock) => clock !== undefined);
  return [...mongo.findings, ...redis.findings, ...checkClock(clocks), ...mail, ...ofBucket, ...address];
}

function lineOf({ check, state, text, remedy }: Finding): string {
  const line = `${state.padEnd(7)}  ${check.padEnd(8)}  ${plainWord(text)}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(19)}Remedy: ${plainWord(remedy)}`;
}

/** Returns a function that hides the secret settings and their passwords, which an error of a library may repeat. */
function withoutSecrets(config: Config | undefined): (finding: Finding) => Finding {
  const secrets = Object.entries(settings as Record<string, Setting>)
    .filter(([, { secret }]) => secret === true)
    .map(([name]) => String(config?.[name as SettingName] ?? ''))
    .flatMap((value) => [value, passwordOf(value), decoded(passwordOf(value))])
    .filter((secret) => secret !== '');
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
  return (finding) => ({ ...finding, text: hide(finding.text) });
}

function passwordOf(url: string): string {
  return /^[a-z+-]+:\/\/[^/@]*?:([^/@]*)@/.exec(url)?.[1] ?? '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
