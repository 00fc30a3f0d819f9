import { existsSync } from 'node:fs';
import { type Setting, settings } from '#src/config.js';
import { ConfigError, readConfig } from '#src/read-config.js';
import { isWorkload } from './check-pods.js';
import type { KubernetesObject } from './render.js';

/** Objects that an operator makes by hand before, if the overlay does not make them. */
const secretsByReference = /^muster-secrets/;

const sampleSecrets = {
  MONGODB_URL: 'mongodb://mongo',
  REDIS_URL: 'redis://redis',
  MUSTER_MASTER_KEYS: `k1:${'B'.repeat(43)}`,
};

type Labels = Readonly<Record<string, string>>;

/** Objects that refer to something that does not exist, and settings that the service would refuse. */
export function checkReferences(objects: readonly KubernetesObject[]): string[] {
  const workloads = objects.filter(isWorkload);
  const names = (kind: string) =>
    objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
  const labels = workloads.map(({ spec }) => spec.template.metadata?.labels ?? {});
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };

  for (const object of objects) {
    const place = `${object.kind} ${object.metadata.name}`;
    const spec = (object['spec'] ?? {}) as {
      scaleTargetRef?: { name: string };
      selector?: { matchLabels?: Labels } & Labels;
    };
    if (spec.scaleTargetRef !== undefined) {
      const { name } = spec.scaleTargetRef;
      demand(names('Deployment').includes(name), `${place} scales ${name}, which does not exist`);
    }
    const selects = object.kind === 'Service' ? spec.selector : spec.selector?.matchLabels;
    if (['Service', 'PodDisruptionBudget'].includes(object.kind) && selects !== undefined) {
      demand(
        labels.some((pod) => Object.entries(selects).every(([key, value]) => pod[key] === value)),
        `${place} selects no pod`,
      );
    }
    if (object.kind === 'ConfigMap' && object.metadata.name.startsWith('muster-settings')) {
      problems.push(...wrongSettings(object['data'] as Labels).map((line) => `${place}: ${line}`));
    }
  }
  for (const { kind, metadata, spec } of workloads) {
    for (const { envFrom = [], command = [] } of spec.template.spec.containers) {
      for (const { configMapRef, secretRef } of envFrom) {
        const map = configMapRef?.name;
        demand(
          !map || names('ConfigMap').includes(map),
          `${kind} ${metadata.name} reads ${map}: it is not there`,
        );
        const secret = secretRef?.name;
        const known = !secret || secretsByReference.test(secret) || names('Secret').includes(secret);
        demand(known, `${kind} ${metadata.name} reads ${secret}: nothing makes it`);
      }
      const script = command.find((word) => word.startsWith('dist/'));
      const source = script?.replace(/^dist\//, '').replace(/\.js$/, '.ts');
      demand(
        !source || existsSync(source),
        `${kind} ${metadata.name} starts ${script}: there is no ${source}`,
      );
    }
  }
  return [...problems, ...differentNames(objects), ...killedEarly(objects)];
}

/** Processes that Kubernetes would kill before they finish the work in progress. */
function killedEarly(objects: readonly KubernetesObject[]): string[] {
  const map = objects.find(({ metadata }) => metadata.name.startsWith('muster-settings'));
  const given = (map?.['data'] ?? {}) as Labels;
  return objects.filter(isWorkload).flatMap(({ kind, metadata, spec }) => {
    const { containers, terminationGracePeriodSeconds: grace = 30 } = spec.template.spec;
    const commands = containers.flatMap(({ command = [] }) => command);
    const names = [
      ...(commands.some((word) => word.startsWith('dist/')) ? ['MUSTER_SHUTDOWN_SECONDS'] : []),
      ...(commands.includes('dist/src/server.js') ? ['MUSTER_DRAIN_SECONDS'] : []),
    ];
    const needed = names.reduce((sum, name) => sum + Number(given[name] ?? 0), 0);
    return names.length === 0 || grace > needed
      ? []
      : [`${kind} ${metadata.name} is killed after ${grace} s: ${names.join(' and ')} are ${needed} s`];
  });
}

/** Values that an overlay states twice and that must agree: the host of the service, and its namespace. */
function differentNames(objects: readonly KubernetesObject[]): string[] {
  const settingsOf = objects.find(({ metadata }) => metadata.name.startsWith('muster-settings'));
  const address = (settingsOf?.['data'] as Labels | undefined)?.['MUSTER_BASE_URL'];
  return objects.flatMap(({ kind, metadata, spec }) => {
    const text = JSON.stringify(spec ?? {});
    const said = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
    if (kind === 'Ingress' && address !== undefined) {
      const hosts = said(/"host":"([^"]*)"/g).filter((host) => host !== new URL(address).host);
      return hosts.map((host) => `Ingress ${metadata.name} is of ${host}, MUSTER_BASE_URL of ${address}`);
    }
    if (kind !== 'ScaledObject') return [];
    return said(/namespace=\\"([^"\\]*)\\"/g)
      .filter((name) => name !== metadata.namespace)
      .map((name) => `ScaledObject ${metadata.name} asks for the namespace ${name}, which is another one`);
  });
}

function wrongSettings(given: Labels): string[] {
  const known = new Set(Object.values(settings as Record<string, Setting>).map(({ env }) => env));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  try {
    readConfig({ ...sampleSecrets, ...given });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.problems];
  }
  return unknown.map((name) => `there is no setting ${name}`);
}
