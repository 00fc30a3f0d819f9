import { spawnSync } from 'node:child_process';
import { type AuditReport, seriousAdvisories, whyNotAsked } from './vulnerabilities.js';

/** Longest that the registry is waited for, in milliseconds: a machine without a network has to be told soon. */
const limitMs = 20_000;

/** Asks the registry for known vulnerabilities of what is shipped; without a registry it only says so. */
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
  console.log(`not checked: known vulnerabilities of what is shipped: ${whyNotAsked(report)}`);
}
for (const line of advisories ?? []) console.error(line);
if (advisories !== undefined && advisories.length > 0) process.exit(1);
