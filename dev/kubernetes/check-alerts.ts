import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { findProgram } from '../programs.js';

const folder = 'k8s/monitoring';
const rulesFile = 'alerts.yaml';
const testsFile = 'alerts.test.yaml';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Tests {
  readonly tests: readonly {
    readonly input_series?: readonly { readonly series: string }[];
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts?: readonly object[];
    }[];
  }[];
}

/** The mistakes of the alerts, one line each. `unchecked` says why their expressions were not evaluated. */
export interface AlertsChecked {
  readonly problems: readonly string[];
  readonly unchecked?: string;
}

/** Checks that each alert keeps instances apart and has a test. If promtool is installed, it also runs the tests. */
export async function checkAlerts(): Promise<AlertsChecked> {
  const { spec: rules } = parse(readFileSync(join(folder, rulesFile), 'utf8')) as { spec: Rules };
  const tests = parse(readFileSync(join(folder, testsFile), 'utf8')) as Tests;
  const problems = [...mixed(rules), ...untested(rules, tests)];
  const promtool = await findProgram('promtool');
  if (promtool === undefined) return { problems, unchecked: 'promtool is not installed' };
  return { problems: [...problems, ...evaluated(promtool, rules)] };
}

/** Alerts that add up metrics from several namespaces. */
export function mixed({ groups }: Rules): string[] {
  return groups
    .flatMap(({ rules }) => rules)
    .filter(({ expr }) => {
      const aggregations = [...expr.matchAll(/\b(?:sum|min|max|avg|count|topk)\b\s*(by \([^)]*\))?/g)];
      return aggregations.some(([, by = '']) => !/\bnamespace\b/.test(by));
    })
    .map(({ alert }) => `${alert} does not keep namespaces apart`);
}

/** Alerts without a test in which the alert fires while the second instance has its own series. */
function untested({ groups }: Rules, { tests }: Tests): string[] {
  const tested = tests
    .filter(({ input_series: given = [] }) => given.some(({ series }) => series.includes('namespace="two"')))
    .flatMap(({ alert_rule_test: expected }) => expected)
    .filter(({ exp_alerts: fired = [] }) => fired.length > 0)
    .map(({ alertname }) => alertname);
  return groups
    .flatMap(({ rules }) => rules)
    .filter(({ alert }) => !tested.includes(alert))
    .map(({ alert }) => `${alert} has no test in ${testsFile}`);
}

/** promtool reads plain rules as Prometheus does, without the Kubernetes object around them. */
function evaluated(promtool: string, rules: Rules): string[] {
  const place = mkdtempSync(join(tmpdir(), 'muster-alerts-'));
  try {
    writeFileSync(join(place, rulesFile), stringify(rules));
    cpSync(join(folder, testsFile), join(place, testsFile));
    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', testsFile], {
      cwd: place,
      encoding: 'utf8',
    });
    return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
