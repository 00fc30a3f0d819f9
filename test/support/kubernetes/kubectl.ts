import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { type KubernetesObject, render } from '../../../dev/kubernetes/render.js';
import { until } from '../../../dev/stage/stage.js';
import { type Cluster, Refused } from './cluster.js';
import type { Output } from './image.js';
import { hasLabels, type Workload } from './objects.js';

/** What takes longer here never comes. */
const patienceMs = 100_000;

/** The commands that the guide uses, against the stand-in for a cluster. Anything else is an error of the test. */
export async function kubectl(cluster: Cluster, args: readonly string[], cwd: string): Promise<Output> {
  const dashes = args.indexOf('--');
  const inside = dashes < 0 ? [] : args.slice(dashes + 1);
  const { values, positionals } = parseArgs({
    args: [...(dashes < 0 ? args : args.slice(0, dashes))],
    allowPositionals: true,
    options: {
      namespace: { type: 'string', short: 'n', default: 'default' },
      filename: { type: 'string', short: 'f' },
      kustomize: { type: 'string', short: 'k' },
      selector: { type: 'string', short: 'l' },
      'from-literal': { type: 'string', multiple: true, default: [] },
      cert: { type: 'string' },
      key: { type: 'string' },
      for: { type: 'string' },
      timeout: { type: 'string', default: '30s' },
      replicas: { type: 'string' },
      type: { type: 'string' },
      patch: { type: 'string' },
      'ignore-not-found': { type: 'boolean' },
    },
  });
  const { namespace } = values;
  const [verb = '', ...rest] = positionals;
  const file = (path: string) => readFileSync(join(cwd, path), 'utf8');
  try {
    switch (verb) {
      case 'apply': {
        const objects =
          values.kustomize === undefined
            ? parseAllDocuments(file(values.filename ?? '')).map((one) => one.toJS() as KubernetesObject)
            : render(join(cwd, values.kustomize)).objects;
        return said(...cluster.apply(objects.filter((object) => isSelected(object, values.selector))));
      }
      case 'create': {
        const [, kind, name = ''] = rest;
        const data =
          kind === 'tls'
            ? { 'tls.crt': file(values.cert ?? ''), 'tls.key': file(values.key ?? '') }
            : Object.fromEntries(
                values['from-literal'].map((literal) => {
                  const at = literal.indexOf('=');
                  return [literal.slice(0, at), literal.slice(at + 1)];
                }),
              );
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data };
        return said(...cluster.apply([secret]));
      }
      case 'wait': {
        const name = (rest[0] ?? '').replace(/^job\//, '');
        const conditions: Record<string, () => boolean> = {
          'jsonpath={.status.ready}=1': () => cluster.jobStatus(namespace, name).ready === 1,
          'condition=complete': () => cluster.jobStatus(namespace, name).succeeded === 1,
          delete: () => !cluster.hasPods(labelsOf(values.selector)),
        };
        const condition = conditions[values.for ?? ''];
        if (condition === undefined) break;
        return waited(condition, values.timeout, rest[0] ?? '');
      }
      case 'rollout': {
        const [what, ...deployments] = rest;
        const [name = '', ...others] = deployments.map(nameOf);
        if (what === 'restart') {
          for (const one of [name, ...others]) cluster.restart(namespace, one);
          return said(`${name} restarted`);
        }
        if (what !== 'status' || others.length > 0) break;
        return waited(() => cluster.isRolledOut(namespace, name), '600s', name);
      }
      case 'exec': {
        const [kind, name = ''] = (rest[0] ?? '').split('/');
        const pods = cluster.podsOf(namespace, kind === 'job' ? 'Job' : 'Deployment', name);
        const pod = pods.find((one) => one.exitCode() === undefined && !one.isEnding());
        if (pod === undefined)
          throw new Refused(`cannot exec into a container in a completed pod of ${name}`);
        return await pod.exec(inside);
      }
      case 'delete': {
        const jobs = rest[0] === 'job' ? cluster.all<Workload>(namespace, 'Job') : [];
        const named =
          rest[0] === 'job' ? [] : rest.map((one) => cluster.get(namespace, kindOf(one), nameOf(one)));
        const chosen = [...jobs.filter((job) => isSelected(job, values.selector)), ...named];
        for (const object of chosen) cluster.delete(object);
        return said(...chosen.map(({ kind, metadata }) => `${kind} "${metadata.name}" deleted`));
      }
      case 'scale':
        for (const one of rest) cluster.scale(namespace, nameOf(one), Number(values.replicas));
        return said('scaled');
      case 'patch': {
        const [kind, name = ''] = rest;
        if (kind !== 'secret' || values.type !== 'merge') break;
        cluster.patchSecret(namespace, name, JSON.parse(values.patch ?? '').stringData);
        return said(`secret/${name} patched`);
      }
    }
  } catch (error) {
    if (error instanceof Refused) return { code: 1, stdout: '', stderr: `error: ${error.message}\n` };
    throw error;
  }
  throw new Error(`The stand-in for a cluster knows no kubectl ${args.join(' ')}`);
}

function said(...lines: readonly string[]): Output {
  return { code: 0, stdout: lines.map((line) => `${line}\n`).join(''), stderr: '' };
}

async function waited(condition: () => boolean, timeout: string, name: string): Promise<Output> {
  const [, count = '0', unit = 's'] = /^(\d+)([smh])$/.exec(timeout) ?? [];
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3_600 }[unit] ?? 1);
  return until(condition, { within: Math.min(seconds * 1_000, patienceMs), every: 100 }).then(
    () => said(`${name} condition met`),
    (error) => {
      if (!String(error).includes('Not within')) throw error;
      return { code: 1, stdout: '', stderr: `error: timed out waiting for the condition on ${name}\n` };
    },
  );
}

const kinds: Record<string, string> = { hpa: 'HorizontalPodAutoscaler', scaledobject: 'ScaledObject' };

function kindOf(typeAndName: string): string {
  return kinds[typeAndName.slice(0, typeAndName.indexOf('/'))] ?? typeAndName;
}

function nameOf(typeAndName: string): string {
  return typeAndName.slice(typeAndName.indexOf('/') + 1);
}

function labelsOf(selector = ''): Record<string, string> {
  const [name = '', value = ''] = selector.split('=');
  return { [name]: value };
}

/** `name=value`, and `name notin (a, b)`, which is true of what has no such label too. */
function isSelected({ metadata }: KubernetesObject, selector: string | undefined): boolean {
  if (selector === undefined) return true;
  const { labels = {} } = metadata as { labels?: Record<string, string> };
  const [, label = '', list] = /^(\S+) notin \((.*)\)$/.exec(selector) ?? [];
  if (list !== undefined) return !list.split(/, */).includes(labels[label] ?? '');
  return hasLabels(labels, labelsOf(selector));
}
