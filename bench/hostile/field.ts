import { addApplication } from '#src/directory/applications/add-application.js';
import { addOrganization } from '#src/directory/organizations/add-organization.js';
import { freePort } from '../../dev/free-port.js';
import { installedProgram } from '../../dev/programs.js';
import { startNginx } from '../../dev/stage/nginx.js';
import { loadUsers } from '../load-users.js';
import type { Running } from '../processes.js';
import { startApi, startWorker } from '../programs.js';
import { addClient, editor, openSetting } from '../setting.js';
import { redirectUri } from '../sign-in.js';
import type { Target } from './attack.js';
import { startAttacker } from './attacker.js';
import { createBystanders } from './bystander.js';
import { ingressConfiguration } from './ingress.js';
import type { Field } from './measure.js';

/** The limits that the bench usually turns off. An empty text leaves the default. */
const shipped = {
  MUSTER_RATE_LIMIT_PER_ADDRESS: '',
  MUSTER_RATE_LIMIT_REFUSED: '',
  MUSTER_RATE_LIMIT_PER_CLIENT: '',
  MUSTER_RATE_LIMIT_PER_ORGANIZATION: '',
  MUSTER_RATE_LIMIT_PER_PERSON: '',
  MUSTER_SHED_DELAY_MILLISECONDS: '',
  LOG_LEVEL: '',
  // As in k8s/overlays/prod.
  MUSTER_TRUST_PROXY: '1',
};

export interface FieldOptions {
  /** Users of the attacker's organization. */
  readonly people: number;
  /** See {@link Target}. */
  readonly part: number;
  /** Settings other than the shipped ones. */
  readonly settings?: Record<string, string>;
  readonly log: (message: string) => void;
}

export interface OpenField extends Field {
  readonly engine: string;
  close(): Promise<void>;
}

/**
 * Two API processes with the limits of the product behind nginx, a worker, an organization of the attacker and one of the
 * bystander.
 */
export async function openField({ people, part, settings, log }: FieldOptions): Promise<OpenField> {
  const program = await installedProgram('nginx', log);
  const ends: (() => unknown)[] = [];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const setting = await openSetting({ ...shipped, ...settings });
    ends.push(() => setting.close());
    const { container, env, baseUrl } = setting;
    const start = async (name: string): Promise<Running & { url: string }> => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const api = await startApi({ ...setting, baseUrl: url, env: { ...env, PORT: String(port) } }, name);
      ends.push(() => api.stop());
      return { ...api, url };
    };
    const apis = [await start('api-1'), await start('api-2')];
    const worker = await startWorker(setting);
    ends.push(() => worker.stop());
    const streamingPort = await freePort();
    const ports = { port: Number(new URL(baseUrl).port), streamingPort, servers: apis.map(({ url }) => url) };
    await startNginx(
      { teardown: (end: unknown) => void (typeof end === 'function' && ends.push(() => end())) },
      { program, configure: (folder) => ingressConfiguration(folder, ports) },
    );

    const attacker = await addOrganization(container, { name: 'Attacker', editor });
    const bystander = await addOrganization(container, { name: 'Bystander', editor });
    await loadUsers(container, attacker, people);
    const { personalAccessToken } = await addClient(container, attacker.id, 'ORG_USER_MANAGER');
    const client = await addClient(container, bystander.id, 'ORG_USER_MANAGER');
    const { application } = await addApplication(container, {
      orgId: bystander.id,
      settings: { name: 'Shop', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
      editor,
    });
    const clientId = application.id;
    const { all, close: closeCaller } = await createBystanders({
      url: baseUrl,
      orgId: bystander.id,
      client,
      clientId,
    });
    ends.push(closeCaller);
    const target: Target = {
      url: baseUrl,
      streamingUrl: `http://127.0.0.1:${streamingPort}`,
      orgId: attacker.id,
      part,
      token: personalAccessToken,
      clientId,
      redirectUri,
    };
    return {
      engine: setting.engine,
      bystanders: all,
      startAttacker: (attack) => startAttacker(attack, target),
      memory: async () => Math.max(...(await Promise.all(apis.map((api) => api.memory())))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
