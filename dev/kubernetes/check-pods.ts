import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { KubernetesObject } from './render.js';

interface Labelled {
  readonly labels?: Readonly<Record<string, string>>;
}

interface Workload extends KubernetesObject {
  readonly spec: {
    readonly strategy?: { readonly type?: string };
    readonly template: { readonly metadata?: Labelled; readonly spec: IPodSpec };
  };
}

/** The objects that run pods. */
export function isWorkload(object: KubernetesObject): object is Workload {
  return ['Deployment', 'Job', 'StatefulSet'].includes(object.kind);
}

/**
 * Reports pods without the settings that limit their privileges and resources, and pods of a Deployment without probes.
 */
export function checkPods(objects: readonly KubernetesObject[]): string[] {
  return objects.filter(isWorkload).flatMap((workload) => {
    const { spec } = workload.spec.template;
    const { securityContext } = spec;
    const demands: [holds: boolean, what: string][] = [
      // The server fills it in. Without it, every later apply reports a change.
      [workload.kind !== 'Deployment' || workload.spec.strategy?.type !== undefined, 'strategy.type'],
      [securityContext?.runAsNonRoot === true, 'runAsNonRoot'],
      [securityContext?.seccompProfile?.type === 'RuntimeDefault', 'seccompProfile RuntimeDefault'],
      [spec.automountServiceAccountToken === false, 'automountServiceAccountToken: false'],
      ...spec.containers.flatMap((container): [boolean, string][] => {
        const { securityContext: own, resources, name } = container;
        const isOurs = container.image?.includes('muster') === true && workload.kind === 'Deployment';
        return [
          [own?.readOnlyRootFilesystem === true, `${name}: readOnlyRootFilesystem`],
          [own?.allowPrivilegeEscalation === false, `${name}: allowPrivilegeEscalation: false`],
          [own?.capabilities?.drop?.includes('ALL') === true, `${name}: drop of ALL capabilities`],
          [resources?.requests?.['cpu'] !== undefined, `${name}: a request of cpu`],
          [resources?.requests?.['memory'] !== undefined, `${name}: a request of memory`],
          [resources?.limits?.['memory'] !== undefined, `${name}: a limit of memory`],
          [!isOurs || container.startupProbe !== undefined, `${name}: startupProbe`],
          [!isOurs || container.livenessProbe !== undefined, `${name}: livenessProbe`],
          [!isOurs || container.readinessProbe !== undefined, `${name}: readinessProbe`],
        ];
      }),
    ];
    return demands
      .filter(([holds]) => !holds)
      .map(([, what]) => `${workload.kind} ${workload.metadata.name} lacks ${what}`);
  });
}
