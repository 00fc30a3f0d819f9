import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from './render.js';

/** The source of the types of an API. */
function modelsOf(apiVersion: string): string {
  if (apiVersion.startsWith('keda.sh/')) return `@kubernetes-models/keda/${apiVersion}`;
  if (apiVersion.startsWith('monitoring.coreos.com/'))
    return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

type Model = new (object: KubernetesObject) => { validate(): void };

/** Objects that violate their schema, one line each: first wrong values, then fields that do not exist. */
export async function checkSchemas(objects: readonly KubernetesObject[]): Promise<string[]> {
  const problems: string[] = [];
  for (const object of objects) {
    try {
      const models = (await import(modelsOf(object.apiVersion))) as Record<string, Model | undefined>;
      const Known = models[object.kind];
      if (Known === undefined) throw new Error(`${object.apiVersion} has no ${object.kind}`);
      new Known(object).validate();
    } catch (error) {
      problems.push(`${object.kind} ${object.metadata.name}: ${(error as Error).message}`);
    }
  }
  return problems.length > 0 ? problems : checkFields(objects);
}

/** The schemas accept unknown fields, as an API server does. The types of the same package do not. */
function checkFields(objects: readonly KubernetesObject[]): string[] {
  // This folder can resolve the packages, and is not part of the project.
  const folder = join('node_modules', '.cache', `muster-kubernetes-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const lines = objects.map(
      (object, index) =>
        `import type { I${object.kind} as T${index} } from '${modelsOf(object.apiVersion)}';\n` +
        `export const o${index}: T${index} = ${JSON.stringify(object)};\n`,
    );
    writeFileSync(join(folder, 'objects.ts'), lines.join(''));
    const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['objects.ts'] }));
    const { status, stdout } = spawnSync('npx', ['tsc', '-p', folder], { encoding: 'utf8' });
    if (status === 0) return [];
    return stdout
      .trim()
      .split('\n')
      .map((line) => {
        const at = Number(/objects\.ts\((\d+)/.exec(line)?.[1] ?? 0);
        const object = objects[Math.floor((at - 1) / 2)];
        return `${object?.kind} ${object?.metadata.name}: ${line.replace(/^.*?error /, '')}`;
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
