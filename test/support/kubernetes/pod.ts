import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../network/free-port.js';
import { containerArguments, type Image, type Output, runInImage } from './image.js';
import type { HttpProbe, PodTemplate } from './objects.js';

export interface Pod {
  readonly name: string;
  readonly template: PodTemplate;
  /** 0 when it ended well; undefined while it runs. */
  exitCode(): number | undefined;
  isReady(): boolean;
  isEnding(): boolean;
  /** Whether it was told to end and did not within its grace period. */
  overstayed(): boolean;
  /** Where its port of that name is. */
  address(port: string): string;
  exec(command: readonly string[]): Promise<Output>;
  /** SIGTERM, and SIGKILL after the grace period, as the kubelet does. Comes back when it is gone. */
  end(): Promise<void>;
  kill(): void;
  log(): string;
}

const defaultGraceSeconds = 30;

/**
 * A container by bubblewrap: nothing of this machine but its programs and the files of the image, read-only but for
 * its volumes, which are empty folders, no root, nothing of the environment of the test, process 1. It shares the
 * network, so that each of its ports is another one here.
 * @param env what `envFrom` comes to
 * @param folder for its volumes, and for its log
 */
export async function startPod(of: {
  name: string;
  template: PodTemplate;
  image: Image;
  env: Readonly<Record<string, string>>;
  folder: string;
}): Promise<Pod> {
  const { name, template, image, folder } = of;
  const { containers, securityContext, terminationGracePeriodSeconds } = template.spec;
  const [container] = containers;
  const ports = new Map<string, { inside: number; here: number }>();
  for (const { name: port, containerPort } of container.ports ?? []) {
    ports.set(port, { inside: containerPort, here: await freePort() });
  }
  const env = withPorts(of.env, [...ports.values()]);
  const volumes = new Map<string, string>();
  for (const { name: volume, mountPath } of container.volumeMounts ?? []) {
    const path = join(folder, volume);
    await mkdir(path, { recursive: true });
    volumes.set(mountPath, path);
  }
  const inside = (command: readonly string[]) => ({
    command,
    env,
    volumes,
    user: { uid: securityContext.runAsUser, gid: securityContext.runAsGroup },
    readOnly: container.securityContext.readOnlyRootFilesystem,
  });

  const logFile = join(folder, 'log');
  const file = openSync(logFile, 'a');
  const args = ['--info-fd', '3', ...containerArguments(image, inside(container.command))];
  const child = spawn('bwrap', args, { stdio: ['ignore', file, file, 'pipe'] });
  closeSync(file);
  let information = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    information += chunk.toString();
  });
  let ended: number | undefined;
  const end = new Promise<void>((done) => {
    child.once('error', () => undefined);
    child.once('close', (code, signal) => {
      ended = code ?? (signal === null ? 1 : 137);
      done();
    });
  });
  /** The process of the container: a signal to bubblewrap would reach nobody. */
  const signal = (kind: NodeJS.Signals) => {
    const pid = /"child-pid": (\d+)/.exec(information)?.[1];
    try {
      if (pid !== undefined && ended === undefined) process.kill(Number(pid), kind);
    } catch {
      // It is gone already.
    }
  };
  const run = (command: readonly string[]) => runInImage(image, inside(command));
  const address = (port: string) => `http://127.0.0.1:${ports.get(port)?.here}`;

  let ready = false;
  let ending = false;
  let overstayed = false;
  const passes = async ({ httpGet, exec }: HttpProbe): Promise<boolean> => {
    if (exec !== undefined) return (await run(exec.command)).code === 0;
    if (httpGet === undefined) return true;
    const answer = fetch(`${address(httpGet.port)}${httpGet.path}`, { signal: AbortSignal.timeout(5_000) });
    return answer.then(
      ({ ok }) => ok,
      () => false,
    );
  };
  /** Asks again and again until the pod ends: `tell` hears how often in a row it failed. */
  const ask = async (probe: HttpProbe, tell: (failures: number) => 'enough' | undefined): Promise<void> => {
    let failures = 0;
    while (ended === undefined) {
      failures = (await passes(probe)) ? 0 : failures + 1;
      if (tell(failures) === 'enough') return;
      await Promise.race([end, pause((probe.periodSeconds ?? 10) * 1_000, undefined, { ref: false })]);
    }
  };
  const { startupProbe = {}, livenessProbe = {}, readinessProbe = {} } = container;
  const killWhenDead = (probe: HttpProbe, failures: number) => {
    if (failures >= (probe.failureThreshold ?? 3)) signal('SIGKILL');
  };
  const look = async () => {
    await ask(startupProbe, (failures) => {
      killWhenDead(startupProbe, failures);
      return failures === 0 ? 'enough' : undefined;
    });
    const alive = ask(livenessProbe, (failures) => {
      killWhenDead(livenessProbe, failures);
      return undefined;
    });
    const asked = ask(readinessProbe, (failures) => {
      if (failures === 0) ready = true;
      else if (failures >= (readinessProbe.failureThreshold ?? 3)) ready = false;
      return undefined;
    });
    await Promise.all([alive, asked]);
  };
  void look();

  return {
    name,
    template,
    exitCode: () => ended,
    isReady: () => ready && !ending && ended === undefined,
    isEnding: () => ending,
    overstayed: () => overstayed,
    address,
    exec: run,
    async end() {
      ending = true;
      signal('SIGTERM');
      const grace = (terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1_000;
      await Promise.race([end, pause(grace, undefined, { ref: false })]);
      overstayed = ended === undefined;
      signal('SIGKILL');
      await end;
    },
    kill: () => signal('SIGKILL'),
    log: () => readFileSync(logFile, 'utf8'),
  };
}

/** Settings that name a port of the container name the one that it has here instead. */
function withPorts(
  env: Readonly<Record<string, string>>,
  ports: readonly { inside: number; here: number }[],
): Record<string, string> {
  const names = ['PORT', 'MUSTER_METRICS_PORT'];
  const here = Object.entries(env)
    .filter(([name]) => names.includes(name))
    .map(([name, value]) => {
      const port = ports.find(({ inside }) => String(inside) === value);
      // What the container declares no port for is reached by nobody.
      return [name, String(port?.here ?? 0)];
    });
  return { ...env, ...Object.fromEntries(here), HOST: '127.0.0.1', MUSTER_METRICS_HOST: '127.0.0.1' };
}
