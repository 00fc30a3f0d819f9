import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import type { Organization } from '#src/directory/organization.js';
import { notRun } from '../../dev/not-run.js';
import { findProgram } from '../../dev/programs.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeOrganization } from '../support/app/make.js';
import { goodPassword, makePerson } from '../support/app/people.js';
import { type Seen, UserAgent } from '../support/oidc/user-agent.js';
import { type CeremonyOptions, optionsIn } from '../support/passkeys/authenticator.js';
import { installPythonTool } from '../support/processes/python-tool.js';

/**
 * Authenticators that others wrote: the device of soft-webauthn, which only asks for a touch, and one of the classes of Yubico's fido2, on
 * which soft-webauthn stands, with Ed25519 and user verification. The application listens, and the browser speaks HTTP with it. It needs
 * Python 3.10 or newer with `venv`, and PyPI.
 */

const tool = { name: 'soft-webauthn', version: '0.1.4', program: 'python' };

/** A line of JSON for each ceremony. Options and answers have bytes in base64url, as the script of a page has them. */
const program = String.raw`
import base64, json, os, sys
from cryptography.hazmat.primitives.asymmetric import ed25519
from fido2 import cose
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData
from soft_webauthn import SoftWebauthnDevice

class Verifying:
    """An authenticator with a PIN, of the classes of fido2."""
    def __init__(self):
        self.key = ed25519.Ed25519PrivateKey.generate()
        self.id = os.urandom(24)
        self.count = 0

    def create(self, options, origin):
        public = options['publicKey']
        assert {'alg': -8, 'type': 'public-key'} in public['pubKeyCredParams']
        self.handle = public['user']['id']
        client = CollectedClientData.create('webauthn.create', public['challenge'], origin)
        key = cose.EdDSA.from_cryptography_key(self.key.public_key())
        data = AttestedCredentialData.create(b'\x00' * 16, self.id, key)
        auth = AuthenticatorData.create(sha256(public['rp']['id'].encode()), 0x45, self.count, data)
        return self.answer(clientDataJSON=client, attestationObject=AttestationObject.create('none', auth, {}))

    def get(self, options, origin):
        public = options['publicKey']
        self.count += 1
        client = CollectedClientData.create('webauthn.get', public['challenge'], origin)
        auth = AuthenticatorData.create(sha256(public['rpId'].encode()), 0x05, self.count)
        signature = self.key.sign(auth + client.hash)
        return self.answer(clientDataJSON=client, authenticatorData=auth, signature=signature, userHandle=self.handle)

    def answer(self, **response):
        return {'rawId': self.id, 'response': response, 'type': 'public-key'}

def read(options):
    public = dict(options)
    public['challenge'] = websafe_decode(public['challenge'])
    if 'user' in public:
        public['user'] = dict(public['user'], id=websafe_decode(public['user']['id']))
    for name in ('allowCredentials', 'excludeCredentials'):
        if name in public:
            public[name] = [dict(one, id=websafe_decode(one['id'])) for one in public[name]]
    return {'publicKey': public}

def write(answer):
    raw = websafe_encode(bytes(answer['rawId']))
    parts = {name: websafe_encode(bytes(value)) for name, value in answer['response'].items() if value is not None}
    return {'id': raw, 'rawId': raw, 'type': answer['type'], 'response': parts}

devices = {'touched': SoftWebauthnDevice(), 'verifying': Verifying()}
for line in sys.stdin:
    asked = json.loads(line)
    device = devices[asked['device']]
    answer = getattr(device, asked['act'])(read(asked['options']), asked['origin'])
    print(json.dumps(write(answer)), flush=True)
`;

type Device = 'touched' | 'verifying';
type Ask = (device: Device, act: 'create' | 'get', options: CeremonyOptions) => Promise<string>;

/** Starts the authenticators. They answer for pages of this origin. */
function startDevices(t: Pick<Test, 'teardown'>, python: string, origin: string): Ask {
  const child = spawn(python, ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (device, act, options) => {
    child.stdin.write(`${JSON.stringify({ device, act, options, origin })}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The authenticator ended');
    return String(value);
  };
}

const textOf = (seen: Seen) => (seen.kind === 'page' ? seen.text : '');
const placeOf = ({ url }: Seen) => url.pathname;

t.test('authenticators of others enrol and sign in', { timeout: 240_000 }, async (t) => {
  const python = await findProgram('python3');
  if (python === undefined) return notRun(t, 'python3 is not installed');
  const device = await installPythonTool(python, tool);
  const opened = await buildListeningApp(t, { loginFailureMilliseconds: 0 }, 'localhost');
  const { container, baseUrl, clock } = opened;
  const home: Organization = await makeOrganization(container);
  const person = await makePerson(container, home);
  const ask = startDevices(t, device, baseUrl);
  const signIn = async (agent: UserAgent) => {
    const login = await agent.open(`${baseUrl}/login`);
    return agent.signIn(login, { loginName: person.userName, password: goodPassword });
  };
  const useAlone = async (agent: UserAgent, which: Device) => {
    const login = await agent.open(`${baseUrl}/login`);
    const response = await ask(which, 'get', optionsIn(textOf(login), 'get'));
    return agent.submit(login, { response, page: 'login' }, '/login/passkey');
  };

  const agent = new UserAgent(baseUrl);
  t.equal(placeOf(await signIn(agent)), '/account');
  for (const which of ['touched', 'verifying'] as const) {
    const page = await agent.open(`${baseUrl}/account/passkeys/new`);
    const response = await ask(which, 'create', optionsIn(textOf(page), 'create'));
    t.match(textOf(await agent.submit(page, { response })), /The passkey is added/, which);
  }
  t.equal((await container.accounts.find(home.id, person.id))?.passkeys?.count, 2);

  for (let times = 0; times < 3; times++) {
    clock.advance(1);
    t.equal(placeOf(await useAlone(new UserAgent(baseUrl), 'verifying')), '/account', 'its counter rises');
  }
  t.match(
    textOf(await useAlone(new UserAgent(baseUrl), 'touched')),
    /does not work here/,
    'a touch is one factor',
  );

  const signInPolicy = { demands: [{ of: 'everybody', acr: 'phr', from: '2020-01-01' }] } as const;
  const { changeOrganization } = await import('#src/organizations/change-organization.js');
  await changeOrganization(container, {
    ...{ orgId: home.id, change: { signInPolicy }, editor: { userId: person.id, service: 'test' } },
  });
  const second = new UserAgent(baseUrl);
  const asked = await signIn(second);
  t.equal(placeOf(asked), '/login/second-passkey');
  const options = optionsIn(textOf(asked), 'get');
  t.equal(options.allowCredentials?.length, 2);
  const done = await second.submit(asked, { response: await ask('touched', 'get', options) });
  t.equal(placeOf(done), '/account', 'with the password it is enough');
});
