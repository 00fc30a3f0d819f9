import type { KubernetesObject } from '../../../dev/kubernetes/render.js';

/** The fields of objects that the stand-in for a cluster acts on. Others of theirs are for a real one. */
export interface HttpProbe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: HttpProbe;
  readonly readinessProbe?: HttpProbe;
  readonly livenessProbe?: HttpProbe;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly resources?: unknown;
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  };
}

export interface Workload extends KubernetesObject {
  readonly spec: { readonly template: PodTemplate; readonly replicas?: number };
}

export interface Autoscaler extends KubernetesObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicas?: number;
    readonly minReplicaCount?: number;
  };
}

export interface Service extends KubernetesObject {
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
  };
}

export interface Ingress extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & {
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly tls: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly backend: {
            readonly service: { readonly name: string; readonly port: { readonly name: string } };
          };
        }[];
      };
    }[];
  };
}

export interface Values extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

/** What a container may ask for here: a field that nobody knows would pass unseen. */
const containerFields = new Set([
  'name',
  'image',
  'command',
  'envFrom',
  'ports',
  'startupProbe',
  'readinessProbe',
  'livenessProbe',
  'volumeMounts',
  'resources',
  'securityContext',
]);
const podFields = new Set([
  'containers',
  'volumes',
  'terminationGracePeriodSeconds',
  'securityContext',
  'serviceAccountName',
  'automountServiceAccountToken',
  'enableServiceLinks',
  'topologySpreadConstraints',
  'restartPolicy',
]);

/** @throws Error when the pods ask for what the stand-in does not do */
export function requireKnownFields({ spec }: PodTemplate): void {
  const [container, ...more] = spec.containers;
  const unknown = [
    ...Object.keys(spec).filter((field) => !podFields.has(field)),
    ...Object.keys(container).filter((field) => !containerFields.has(field)),
    ...more.map(({ name }) => `containers ${name}`),
  ];
  if (unknown.length > 0) throw new Error(`The stand-in for a cluster knows no ${unknown.join(', ')}`);
}

export function hasLabels(
  labels: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
