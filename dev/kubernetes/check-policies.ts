import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer';
import { isWorkload } from './check-pods.js';
import type { KubernetesObject } from './render.js';

type Labels = Readonly<Record<string, string>>;
type Selector = NonNullable<INetworkPolicyPeer['podSelector']>;

const nameLabel = 'app.kubernetes.io/name';

function isPolicy(object: KubernetesObject): object is KubernetesObject & INetworkPolicy {
  return object.kind === 'NetworkPolicy';
}

/** Whether the selector matches pods with these labels. */
function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const held = labels[key];
      if (operator === 'Exists') return held !== undefined;
      if (operator === 'DoesNotExist') return held === undefined;
      return (held !== undefined && values.includes(held)) === (operator === 'In');
    })
  );
}

/**
 * Reports three mistakes of network policies. The policy selects none of our pods. It opens a port that none of its
 * pods has. It asks for pods of other namespaces by a name label that kustomize has replaced with ours, because
 * kustomize writes our name into every `matchLabels`.
 */
export function checkPolicies(objects: readonly KubernetesObject[]): string[] {
  const pods = objects.filter(isWorkload).map(({ spec }) => spec.template);
  return objects.filter(isPolicy).flatMap(({ metadata, spec }) => {
    const { podSelector = {}, ingress = [], egress = [] } = spec ?? {};
    const place = `NetworkPolicy ${metadata.name}`;
    const ours = pods.filter((pod) => selects(podSelector, pod.metadata?.labels ?? {}));
    if (ours.length === 0) return [`${place} selects no pod`];
    const ports = ours.flatMap((pod) => pod.spec.containers.flatMap((container) => container.ports ?? []));
    const closed = ingress
      .flatMap((rule) => rule.ports ?? [])
      .filter(({ port }) => !ports.some(({ name, containerPort }) => port === name || port === containerPort))
      .map(({ port }) => `${place} lets in at ${port}, where none of its pods listens`);
    const named = [...ingress.map(({ from }) => from), ...egress.map(({ to }) => to)]
      .flatMap((peers) => peers ?? [])
      .filter((peer) => peer.namespaceSelector && peer.podSelector?.matchLabels?.[nameLabel] !== undefined)
      .map(() => `${place} wants pods of other namespaces to be called as ours`);
    return [...closed, ...named];
  });
}
