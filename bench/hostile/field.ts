import { addMembership } from '#src/access/memberships/add-membership.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import type { Organization } from '#src/directory/organization.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { addUser } from '#src/people/users/add-user.js';
import type { Rooms } from '#src/rooms.js';
import { freePort } from '../../dev/free-port.js';
import { installedProgram } from '../../dev/programs.js';
import { startNginx } from '../../dev/stage/nginx.js';
import { loadUsers } from '../load-users.js';
import { startApi, startWorker } from '../programs.js';
import { addClient, editor, openSetting, type Setting } from '../setting.js';
import { type Person, redirectUri } from '../sign-in.js';
import type { Target } from './attack.js';
import { startAttacker } from './attacker.js';
import { createBystanders } from './bystander.js';
import { watchHealth } from './health.js';
import { ingressConfiguration } from './ingress.js';
import { type KeptProcess, keepProcess } from './kept-process.js';
import type { Field } from './measure.js';
import { comeToRest } from './rest.js';

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
  await installedProgram('python3', log);
  const ends: (() => unknown)[] = [];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const setting = await openSetting({ ...shipped, ...settings });
    ends.push(() => setting.close());
    const { apis, worker, streamingPort } = await startProcesses(setting, program, ends);
    const apiUrls = apis.map(({ url }) => url);
    const { bystander, ...attacked } = await addOrganizations(setting, people);
    const { all, close: closeCaller } = await createBystanders({ url: setting.baseUrl, ...bystander });
    ends.push(closeCaller);
    const streamingUrl = `http://127.0.0.1:${streamingPort}`;
    const target: Target = { url: setting.baseUrl, streamingUrl, apiUrls, part, redirectUri, ...attacked };
    return {
      engine: setting.engine,
      bystanders: all,
      startAttacker: (attack) => startAttacker(attack, target),
      memory: async () => Math.max(...(await Promise.all(apis.map((api) => api.memory())))),
      watchHealth: () => watchHealth(apiUrls),
      deaths: () => apis.reduce((sum, api) => sum + api.deaths(), 0),
      async settled(withinMs) {
        await Promise.all(apis.map((api) => api.ready()));
        return comeToRest([...apis, worker], withinMs);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts two API processes behind nginx, and a worker. @param ends gets what ends them, in the order of their starts */
async function startProcesses(setting: Setting, program: string, ends: (() => unknown)[]) {
  const { env, baseUrl } = setting;
  const start = async (name: string): Promise<KeptProcess & { url: string }> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const own = { ...setting, baseUrl: url, env: { ...env, PORT: String(port) } };
    // The log of a process that ended stays.
    const api = await keepProcess((n) => startApi(own, n === 0 ? name : `${name}-again-${n}`));
    ends.push(() => api.stop());
    return { ...api, url };
  };
  const apis = [await start('api-1'), await start('api-2')];
  const worker = await startWorker(setting);
  ends.push(() => worker.stop());
  const streamingPort = await freePort();
  const servers = apis.map(({ url }) => url);
  const ports = { port: Number(new URL(baseUrl).port), streamingPort, servers };
  await startNginx(
    { teardown: (end: unknown) => void (typeof end === 'function' && ends.push(() => end())) },
    { program, configure: (folder) => ingressConfiguration(folder, ports) },
  );
  return { apis, worker, streamingPort };
}

/** Adds the organizations of the attacker and of the bystander, with their clients. */
async function addOrganizations({ container }: Setting, people: number) {
  const attacker = await addOrganization(container, { name: 'Attacker', editor });
  const bystander = await addOrganization(container, { name: 'Bystander', editor });
  await loadUsers(container, attacker, people);
  const manager = await addClient(container, attacker.id, 'ORG_USER_MANAGER');
  const owner = await addClient(container, attacker.id, 'ORG_OWNER', 'owner');
  const administrator = await addAdministrator(container, attacker);
  const large = await addOrganization(container, { name: 'Attacker with large users', editor });
  const largeManager = await addClient(container, large.id, 'ORG_USER_MANAGER');
  const largeViewer = await addClient(container, large.id, 'ORG_USER_VIEWER', 'viewer');
  const client = await addClient(container, bystander.id, 'ORG_USER_MANAGER');
  const { application } = await addApplication(container, {
    orgId: bystander.id,
    settings: { name: 'Shop', type: 'native', authMethod: 'none', redirectUris: [redirectUri] },
    editor,
  });
  const clientId = application.id;
  return {
    orgId: attacker.id,
    token: manager.personalAccessToken,
    ownerToken: owner.personalAccessToken,
    client: owner,
    administrator,
    large: {
      orgId: large.id,
      token: largeManager.personalAccessToken,
      viewerToken: largeViewer.personalAccessToken,
    },
    clientId,
    bystander: { orgId: bystander.id, client, clientId },
  };
}

/** A person who owns the organization. */
async function addAdministrator(container: Rooms, organization: Organization): Promise<Person> {
  const [loginName, password] = ['hostile-owner', 'Correct-Horse-7'];
  const profile = { userName: loginName, name: { givenName: 'Hostile', familyName: 'Owner' }, active: true };
  const { id } = await addUser(container, { organization, draft: { profile, password }, editor });
  await addMembership(container, { userId: id, role: 'ORG_OWNER', orgId: organization.id, editor });
  return { loginName, password };
}
