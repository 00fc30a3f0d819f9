import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** An object in the form in which it would be applied. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

/** Programs that can build a kustomization. Each is a command line to which the folder is appended. */
const builders = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
];

/**
 * The objects of a kustomization. If neither kubectl nor kustomize is installed: the objects of its files, without the
 * changes of the overlay.
 */
export function render(folder: string): { objects: KubernetesObject[]; with: string | undefined } {
  for (const [command = '', subcommand = ''] of builders) {
    const { error, status, stdout, stderr } = spawnSync(command, [subcommand, folder], { encoding: 'utf8' });
    if (error !== undefined) continue;
    if (status !== 0) throw new Error(`${command} ${subcommand} ${folder}: ${stderr.trim()}`);
    return { objects: objectsOf(stdout), with: command };
  }
  return {
    objects: filesOf(folder).flatMap((file) => objectsOf(readFileSync(file, 'utf8'))),
    with: undefined,
  };
}

function filesOf(folder: string): string[] {
  const { resources = [] } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
    resources?: string[];
  };
  return resources.flatMap((name) => {
    const path = join(folder, name);
    return existsSync(join(path, 'kustomization.yaml')) ? filesOf(path) : [path];
  });
}

function objectsOf(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}
