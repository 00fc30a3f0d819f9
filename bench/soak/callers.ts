import { makeServiceUser } from '../../dev/stage/service-user.js';
import { type Person, redirectUri, SignInEnded, signIn } from '../sign-in.js';
import { addApplication } from './add-application.js';
import type { Caller } from './caller.js';
import type { Expected } from './expected.js';
import { provisioningCallers } from './provisioning.js';
import type { Service } from './service.js';

export interface Callers {
  readonly callers: readonly Caller[];
  /** Checks that each revoked token is revoked. A token that is active counts as wrong. */
  checkRevoked(): Promise<void>;
}

const scope = 'urn:service:iam:org:project:id:soak:aud';

/** The clients of the soak. Each repeats a request until a response confirms it, as provisioning clients do. */
export async function makeCallers(service: Service, expected: Expected): Promise<Callers> {
  const { send, stage, tally, apis } = service;
  const [first] = apis;
  if (first === undefined) throw new Error('No API process runs');
  const { clientId, clientSecret } = await makeServiceUser(stage, first, 'ORG_USER_MANAGER');
  const client = { client_id: clientId, client_secret: clientSecret };
  const { id: applicationId } = await addApplication(service, {
    type: 'native',
    authMethod: 'none',
    redirectUris: [redirectUri],
  });
  const api = await addApplication(service, { type: 'api', projectId: 'soak' });
  // For a form, the HTTP client removes `authorization`. It keeps this spelling.
  const basic = { Authorization: `Basic ${Buffer.from(`${api.id}:${api.secret}`).toString('base64')}` };
  const person: Person = { loginName: 'soak-person', password: 'Correct-Horse-7' };

  const site = { baseUrl: stage.baseUrl, address: () => service.next().address };

  async function tokenOf(): Promise<string> {
    const form = { grant_type: 'client_credentials', scope, ...client };
    const wish = { kind: 'token', line: 'POST /oauth/v2/token', options: { form }, expected: [200] };
    return (await send(wish)).body.access_token;
  }

  async function expectActive(token: string, isActive: boolean): Promise<void> {
    const wish = { kind: 'introspect', line: 'POST /oauth/v2/introspect', expected: [200] };
    const { body } = await send({ ...wish, options: { form: { token }, headers: basic } });
    if (body.active !== isActive) tally.wrong('introspect', `active is ${body.active}, not ${isActive}`);
  }

  const tokens: Caller = {
    async turn() {
      const token = await tokenOf();
      await expectActive(token, true);
      const form = { token, ...client };
      await send({ kind: 'revoke', line: 'POST /oauth/v2/revoke', options: { form }, expected: [200] });
      expected.revoked.push(token);
      await expectActive(token, false);
      await expectActive(expected.revoked[Math.floor(Math.random() * expected.revoked.length)] ?? '', false);
    },
  };

  const logins: Caller = {
    async turn() {
      const isCalm = service.watchCalm();
      try {
        await signIn(site, applicationId, person);
        tally.count('sign-in', 'right', isCalm());
      } catch (error) {
        if (isCalm() && error instanceof SignInEnded) tally.wrong('sign-in', error.message);
        else tally.count('sign-in', 'lost', isCalm());
      }
    },
  };

  const provisioning = provisioningCallers(service, expected);
  await provisioning.create(person.loginName, person.password);
  return {
    callers: [...provisioning.callers, tokens, logins],
    async checkRevoked() {
      for (const token of expected.revoked) await expectActive(token, false);
    },
  };
}
