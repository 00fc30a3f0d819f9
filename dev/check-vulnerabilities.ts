import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { knownAdvisories, knownVulnerable, type Lock } from './known-advisories.js';
import { type AuditReport, seriousAdvisories, whyNotAsked } from './vulnerabilities.js';

/**
 * The longest wait for the registry, in milliseconds. It is short, so that a machine without a network is reported
 * soon.
 */
const limitMs = 20_000;

/**
 * Asks the registry for known vulnerabilities of the shipped packages. Without a registry, a line says that it could
 * not.
 */
function ask(): AuditReport {
  const options = ['--omit=dev', '--json', '--fetch-retries=0', `--fetch-timeout=${limitMs / 2}`];
  const { stdout, error } = spawnSync('npm', ['audit', ...options], { encoding: 'utf8', timeout: limitMs });
  if (error !== undefined) return { message: error.message };
  try {
    return JSON.parse(stdout) as AuditReport;
  } catch {
    return { message: 'an answer that is no JSON' };
  }
}

const report = ask();
const advisories = seriousAdvisories(report);
if (advisories === undefined) {
  const names = knownAdvisories.map(({ id, name }) => `${name} ${id}`).join(', ');
  console.log(`not checked: known vulnerabilities of what is shipped: ${whyNotAsked(report)}`);
  console.log(`checked without the registry, by dev/known-advisories.ts: ${names}`);
}
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const found = [...new Set([...(advisories ?? []), ...knownVulnerable(lock)])];
for (const line of found) console.error(line);
if (found.length > 0) process.exit(1);
