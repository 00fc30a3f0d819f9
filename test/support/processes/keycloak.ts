import { type ChildProcess, spawn } from 'node:child_process';
import { request as send } from 'node:https';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { fetchKeycloak, missingForKeycloak } from '../../../dev/stage/fetch-keycloak.js';
import { until } from '../../../dev/until.js';
import type { Certificate } from '../network/certificate.js';

const version = '26.0.8';

/** The administrator of every realm. */
export const keycloakAdmin = { userName: 'admin', password: 'admin-of-keycloak' } as const;

/** A Keycloak by https, which its makers built, with its admin console. */
export interface Keycloak {
  /** Such as `https://127.0.0.1:8443`. */
  readonly address: string;
  /** Adds a realm with a person whose password is {@link keycloakPassword}. */
  addRealm(realm: string, person: { userName: string; email: string }): Promise<void>;
  /** Calls its admin API as the administrator. @param request a method and a path below `/admin` */
  call(request: string, body?: object): Promise<unknown>;
}

export const keycloakPassword = 'Of-Keycloak-7';

/**
 * Starts Keycloak, which ends with the test. It comes from Maven Central once, and stays in the data folder.
 * @returns undefined if Java or Maven is missing; the report then says so
 */
export async function startKeycloak(
  t: Pick<Test, 'teardown'> & MaySkip,
  { certFile, keyFile, cert }: Certificate,
): Promise<Keycloak | undefined> {
  const missing = await missingForKeycloak();
  if (missing !== undefined) {
    notRun(t, `${missing} is not installed`);
    return undefined;
  }
  const folder = await fetchKeycloak(version);
  const [port, plainPort] = [await freePort(), await freePort()];
  const address = `https://127.0.0.1:${port}`;
  const options = [
    ...['start-dev', '--db=dev-mem', '--cache=local', '--http-host=127.0.0.1', '--log-level=warn'],
    ...[`--https-port=${port}`, `--http-port=${plainPort}`],
    ...[`--https-certificate-file=${certFile}`, `--https-certificate-key-file=${keyFile}`],
  ];
  const child = spawn('sh', [join(folder, 'bin', 'kc.sh'), ...options], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: keycloakAdmin.userName,
      KC_BOOTSTRAP_ADMIN_PASSWORD: keycloakAdmin.password,
      JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx640m',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    // It starts Java as a child, which ends with its group.
    detached: true,
  });
  t.teardown(() => endGroup(child));
  const ask = (path: string, more: Asked = {}) => askKeycloak(new URL(path, address), cert, more);
  const isUp = async () => (await ask('/realms/master').catch(() => undefined))?.status === 200;
  await until(isUp, { within: 180_000, every: 500 });
  return keycloakAt(address, ask);
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
}

interface Asked {
  readonly method?: string;
  readonly token?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Ask = (path: string, more?: Asked) => Promise<Answer>;

function keycloakAt(address: string, ask: Ask): Keycloak {
  const call = async (request: string, json?: object): Promise<unknown> => {
    const [method = '', path = ''] = request.split(' ');
    const form = {
      ...{ grant_type: 'password', client_id: 'admin-cli' },
      ...{ username: keycloakAdmin.userName, password: keycloakAdmin.password },
    };
    const granted = await ask('/realms/master/protocol/openid-connect/token', { method: 'POST', form });
    const { access_token: token } = JSON.parse(granted.text) as { access_token: string };
    const answer = await ask(`/admin${path}`, { method, token, ...(json && { json }) });
    if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  };
  return {
    address,
    call,
    async addRealm(realm, { userName: username, email }) {
      await call('POST /realms', { realm, enabled: true });
      const credentials = [{ type: 'password', value: keycloakPassword, temporary: false }];
      const names = { firstName: 'Anna', lastName: 'Lind', email, emailVerified: true };
      await call(`POST /realms/${realm}/users`, { username, ...names, credentials, enabled: true });
    },
  };
}

function askKeycloak(url: URL, ca: string, { method = 'GET', token, form, json }: Asked): Promise<Answer> {
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  return new Promise((answer, reject) => {
    const headers = {
      ...(body !== undefined && { 'content-type': type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const request = send(url, { method, headers, ca, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      answer({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
    });
    request.once('error', reject).end(body);
  });
}
