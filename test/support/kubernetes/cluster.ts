import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../dev/kubernetes/render.js';
import type { Image } from './image.js';
import {
  type Autoscaler,
  type Container,
  hasLabels,
  type Ingress,
  requireKnownFields,
  type Service,
  type Values,
  type Workload,
} from './objects.js';
import { type Pod, startPod } from './pod.js';

/** What `kubectl` says when the cluster refuses something. */
export class Refused extends Error {}

export interface JobStatus {
  readonly ready: number;
  readonly succeeded: number;
}

/** Kinds without a controller here: looked up where something refers to them, or for a real cluster alone. */
const keptKinds = new Set([
  'Namespace',
  'ServiceAccount',
  'ConfigMap',
  'Secret',
  'Service',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'ScaledObject',
  'PodMonitor',
  'PrometheusRule',
  'NetworkPolicy',
  'Ingress',
]);

/**
 * A stand-in for a Kubernetes cluster on this machine. It does what the objects of this project ask of the kubelet and
 * the controllers of Deployments and Jobs: pods with the environment, probes, volumes and end that their manifests say,
 * replaced one after another, and endpoints of a Service that come and go with their readiness.
 */
export class Cluster {
  readonly #folder: string;
  readonly #image: Image;
  readonly #images: ReadonlySet<string>;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #pods = new Map<string, Pod[]>();
  /** How often pods of an owner ended by themselves, and when the next one may start. */
  readonly #failures = new Map<string, { count: number; until: number }>();
  /** All pods that there ever were. */
  readonly #history: Pod[] = [];
  #restarts = 0;
  #closed = false;
  readonly #loop: Promise<void>;
  #problem: unknown;

  /** @param images the references that can be pulled; all of them are the one image */
  constructor(of: { folder: string; image: Image; images: ReadonlySet<string> }) {
    this.#folder = of.folder;
    this.#image = of.image;
    this.#images = of.images;
    this.#loop = this.#run();
  }

  /** Containers that failed, or ended without being told to where they should run on. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Pods that had to be killed, because they did not end when they were told to. */
  get overstayed(): string[] {
    return this.#history.filter((pod) => pod.overstayed()).map(({ name }) => name);
  }

  /** What all containers have written, by pod. */
  logs(): string {
    return this.#history
      .map((pod) => `--- ${pod.name} (${pod.exitCode() ?? 'runs'})\n${pod.log()}`)
      .join('\n');
  }

  apply(objects: readonly KubernetesObject[]): string[] {
    this.#requireHealth();
    return objects.map((object) => {
      const key = keyOf(object);
      const former = this.#objects.get(key);
      const { namespace } = object.metadata;
      if (namespace !== undefined && !this.#objects.has(`/Namespace/${namespace}`))
        throw new Refused(`namespaces "${namespace}" not found`);
      if (object.kind === 'Job' || object.kind === 'Deployment')
        requireKnownFields((object as Workload).spec.template);
      else if (!keptKinds.has(object.kind))
        throw new Error(`The stand-in for a cluster knows no ${object.kind}`);
      if (object.kind === 'Job' && former !== undefined && !isDeepStrictEqual(former, object))
        throw new Refused(`The Job "${object.metadata.name}" is invalid: spec.template: field is immutable`);
      this.#objects.set(key, withScale(object, former));
      return `${object.kind.toLowerCase()}/${object.metadata.name} ${former === undefined ? 'created' : 'configured'}`;
    });
  }

  get<T extends KubernetesObject>(namespace: string, kind: string, name: string): T {
    const found = this.#objects.get(`${namespace}/${kind}/${name}`);
    if (found === undefined) throw new Refused(`${kind} "${name}" not found in "${namespace}"`);
    return found as T;
  }

  all<T extends KubernetesObject>(namespace: string, kind: string): T[] {
    const start = `${namespace}/${kind}/`;
    return [...this.#objects].filter(([key]) => key.startsWith(start)).map(([, object]) => object as T);
  }

  /** Deletes it; its pods are ended. */
  delete(object: KubernetesObject): void {
    const key = keyOf(object);
    this.#objects.delete(key);
    for (const pod of this.#pods.get(key) ?? []) this.#end(key, pod);
    this.#pods.delete(key);
  }

  /** Sets how many pods there should be, which stays when the object is applied again without a number. */
  scale(namespace: string, name: string, replicas: number): void {
    const deployment = this.get<Workload>(namespace, 'Deployment', name);
    this.#objects.set(keyOf(deployment), { ...deployment, spec: { ...deployment.spec, replicas } });
  }

  /** Replaces the pods, as a change of the template does. */
  restart(namespace: string, name: string): void {
    const deployment = this.get<Workload>(namespace, 'Deployment', name);
    const { template } = deployment.spec;
    const annotations = { 'kubectl.kubernetes.io/restartedAt': String(this.#history.length) };
    const metadata = { ...template.metadata, annotations };
    const spec = { ...deployment.spec, template: { ...template, metadata } };
    this.#objects.set(keyOf(deployment), { ...deployment, spec });
  }

  /** Changes values of a Secret. */
  patchSecret(namespace: string, name: string, values: Readonly<Record<string, string>>): void {
    const secret = this.get<Values>(namespace, 'Secret', name);
    this.#objects.set(keyOf(secret), { ...secret, data: { ...secret.data, ...values } } as Values);
  }

  /** Whether a pod with these labels runs, also one that is about to end. */
  hasPods(labels: Readonly<Record<string, string>>): boolean {
    return this.#history.some(
      (pod) => pod.exitCode() === undefined && hasLabels(pod.template.metadata.labels, labels),
    );
  }

  podsOf(namespace: string, kind: string, name: string): readonly Pod[] {
    this.#requireHealth();
    return this.#pods.get(`${namespace}/${kind}/${name}`) ?? [];
  }

  jobStatus(namespace: string, name: string): JobStatus {
    this.get(namespace, 'Job', name);
    const pods = this.podsOf(namespace, 'Job', name);
    return {
      ready: pods.filter((pod) => pod.isReady()).length,
      succeeded: pods.filter((pod) => pod.exitCode() === 0).length,
    };
  }

  /** Whether all pods are of the last template, ready, and as many as they should be. */
  isRolledOut(namespace: string, name: string): boolean {
    const deployment = this.get<Workload>(namespace, 'Deployment', name);
    const pods = this.podsOf(namespace, 'Deployment', name);
    const { template } = deployment.spec;
    return (
      pods.length === this.#desired(deployment) &&
      pods.every((pod) => pod.isReady() && isDeepStrictEqual(pod.template, template))
    );
  }

  /** Addresses of the pods of a Service that are ready and not about to end. */
  endpoints(namespace: string, name: string, port: string): string[] {
    const { selector, ports } = this.get<Service>(namespace, 'Service', name).spec;
    const target = ports.find((one) => one.name === port)?.targetPort;
    if (target === undefined) throw new Error(`The Service ${name} has no port ${port}`);
    return [...this.#pods.values()]
      .flat()
      .filter((pod) => pod.isReady() && hasLabels(pod.template.metadata.labels, selector))
      .map((pod) => pod.address(target));
  }

  ingresses(): Ingress[] {
    return [...this.#objects.values()].filter(({ kind }) => kind === 'Ingress') as Ingress[];
  }

  /** Kills everything that runs. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#loop;
    for (const pod of this.#history) pod.kill();
  }

  #requireHealth(): void {
    if (this.#problem !== undefined) throw this.#problem;
  }

  /** The controllers: bring what runs closer to what was applied, again and again. */
  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        for (const object of this.#objects.values()) {
          if (object.kind === 'Deployment') await this.#reconcile(object as Workload);
          if (object.kind === 'Job') await this.#runJob(object as Workload);
        }
      } catch (error) {
        this.#problem ??= error;
      }
      await pause(100);
    }
  }

  async #reconcile(deployment: Workload): Promise<void> {
    const key = keyOf(deployment);
    const { template } = deployment.spec;
    this.#sweep(key);
    const pods = this.#pods.get(key) ?? [];
    const desired = this.#desired(deployment);
    const isCurrent = (pod: Pod) => isDeepStrictEqual(pod.template, template);
    const serving = pods.filter((pod) => !pod.isEnding());
    const former = serving.filter((pod) => !isCurrent(pod));
    const current = serving.filter(isCurrent);
    // One more than desired at most, and never fewer that are ready: maxSurge 1, maxUnavailable 0.
    if (current.length < desired && serving.length < desired + (former.length > 0 ? 1 : 0))
      await this.#start(key, deployment);
    const readyCount = serving.filter((pod) => pod.isReady()).length;
    const [surplus] = former.length > 0 ? former : current.slice(desired);
    if (surplus !== undefined && (readyCount > desired || !surplus.isReady())) this.#end(key, surplus);
  }

  async #runJob(job: Workload): Promise<void> {
    const key = keyOf(job);
    const pods = this.#pods.get(key) ?? [];
    if (pods.some((pod) => pod.exitCode() === 0 || pod.exitCode() === undefined)) return;
    this.#sweep(key);
    await this.#start(key, job);
  }

  /** Forgets pods that have ended; those that nobody ended are started again later and later. */
  #sweep(key: string): void {
    const pods = this.#pods.get(key) ?? [];
    for (const pod of pods) {
      if (pod.exitCode() === undefined || pod.isEnding()) continue;
      this.#restarts++;
      const count = (this.#failures.get(key)?.count ?? 0) + 1;
      this.#failures.set(key, { count, until: Date.now() + Math.min(10 * 2 ** (count - 1), 300) * 1_000 });
    }
    const left = pods.filter((one) => one.exitCode() === undefined);
    this.#pods.set(key, left);
  }

  async #start(key: string, owner: Workload): Promise<void> {
    if ((this.#failures.get(key)?.until ?? 0) > Date.now()) return;
    const { template } = owner.spec;
    const [container] = template.spec.containers;
    if (!this.#images.has(container.image)) throw new Refused(`ErrImagePull: ${container.image}`);
    const env = this.#environment(owner.metadata.namespace ?? '', container);
    const name = `${owner.metadata.name}-${this.#history.length + 1}`;
    const folder = join(this.#folder, name);
    await mkdir(folder, { recursive: true });
    const pod = await startPod({ name, template, image: this.#image, env, folder });
    this.#history.push(pod);
    this.#pods.set(key, [...(this.#pods.get(key) ?? []), pod]);
  }

  #end(key: string, pod: Pod): void {
    if (pod.isEnding()) return;
    void pod.end().then(() => {
      const left = (this.#pods.get(key) ?? []).filter((other) => other !== pod);
      this.#pods.set(key, left);
    });
  }

  #environment(namespace: string, { envFrom = [] }: Container): Record<string, string> {
    const env: Record<string, string> = {};
    for (const { configMapRef, secretRef } of envFrom) {
      if (configMapRef) Object.assign(env, this.get<Values>(namespace, 'ConfigMap', configMapRef.name).data);
      if (secretRef) Object.assign(env, this.get<Values>(namespace, 'Secret', secretRef.name).data);
    }
    return env;
  }

  #desired({ metadata: { namespace = '', name }, spec }: Workload): number {
    const scalers = [
      ...this.all<Autoscaler>(namespace, 'HorizontalPodAutoscaler'),
      ...this.all<Autoscaler>(namespace, 'ScaledObject'),
    ].filter((scaler) => scaler.spec.scaleTargetRef.name === name);
    const least = scalers.map(
      ({ spec: { minReplicas, minReplicaCount } }) => minReplicas ?? minReplicaCount ?? 1,
    );
    // Autoscalers leave alone what somebody scaled to nothing.
    return spec.replicas === 0 ? 0 : Math.max(spec.replicas ?? 1, ...least);
  }
}

function keyOf({ kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${namespace}/${kind}/${name}`;
}

/** What was scaled keeps its number, where the object names none. */
function withScale(object: KubernetesObject, former: KubernetesObject | undefined): KubernetesObject {
  if (object.kind !== 'Deployment' || former === undefined) return object;
  const { replicas } = (former as Workload).spec;
  return { ...object, spec: { ...(replicas !== undefined && { replicas }), ...(object as Workload).spec } };
}
