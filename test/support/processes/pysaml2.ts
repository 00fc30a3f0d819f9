import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { makeSamlKey } from '../saml/saml-documents.js';
import { installPythonTool } from './python-tool.js';

const tool = { name: 'pysaml2', version: '7.5.5', program: 'python' };

/**
 * A line of JSON for each act. It reads our metadata and our requests, and writes its own metadata, responses and logout requests.
 */
const program = `
import base64, json, sys
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server

setup = json.loads(sys.stdin.readline())

def configure(metadata):
    config = IdPConfig()
    config.load({
        'entityid': setup['entityId'],
        'xmlsec_binary': setup['xmlsec1'],
        'key_file': setup['keyFile'],
        'cert_file': setup['certFile'],
        'service': {'idp': {
            'endpoints': {
                'single_sign_on_service': [(setup['address'] + '/sso', BINDING_HTTP_REDIRECT)],
                'single_logout_service': [(setup['address'] + '/slo', BINDING_HTTP_REDIRECT)],
            },
            'name_id_format': [NAMEID_FORMAT_PERSISTENT],
            'policy': {'default': {
                'lifetime': {'minutes': 5},
                'attribute_restrictions': None,
                'name_form': 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
            }},
        }},
        **({'metadata': {'inline': [metadata]}} if metadata else {}),
    })
    return config

def name_id(server, entity_id, user):
    return NameID(format=NAMEID_FORMAT_PERSISTENT, text='id-of-' + user, sp_name_qualifier=entity_id,
                  name_qualifier=setup['entityId'])

server = None
for line in sys.stdin:
    asked = json.loads(line)
    if asked['act'] == 'describe':
        answer = str(entity_descriptor(configure(None)))
    elif asked['act'] == 'learn':
        server = Server(config=configure(asked['metadata']))
        answer = 'learned'
    elif asked['act'] == 'respond':
        request = server.parse_authn_request(asked['request'], BINDING_HTTP_REDIRECT)
        found = server.response_args(request.message, [BINDING_HTTP_POST])
        user = asked['user']
        response = server.create_authn_response(
            {'givenName': 'Python', 'sn': user, 'mail': user + '@python.example'}, userid=user,
            name_id=name_id(server, found['sp_entity_id'], user),
            authn={'class_ref': 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
                   'authn_auth': setup['entityId']},
            **found, **asked['options'])
        answer = base64.b64encode(str(response).encode()).decode()
    elif asked['act'] == 'logOut':
        _, request = server.create_logout_request(
            asked['destination'], asked['entityId'], name_id=name_id(server, asked['entityId'], asked['user']))
        bound = server.apply_binding(BINDING_HTTP_REDIRECT, str(request), asked['destination'], 'state', sign=True,
                                     sigalg='http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
        answer = dict(bound['headers'])['Location']
    print(json.dumps(answer), flush=True)
`;

/** How a provider signs and encrypts its responses. */
interface Signing {
  readonly sign_response?: boolean;
  readonly sign_assertion?: boolean;
  readonly encrypt_assertion?: boolean;
  readonly sign_alg?: string;
  readonly digest_alg?: string;
}

/** pysaml2 signs with SHA-1 unless it is told otherwise. */
const usual: Signing = {
  sign_assertion: true,
  sign_alg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest_alg: 'http://www.w3.org/2001/04/xmlenc#sha256',
};

/** A SAML provider of pysaml2, which others wrote in Python. It signs with the program `xmlsec1`. */
export interface Pysaml2 {
  readonly entityId: string;
  /** The metadata of the provider. */
  describe(): Promise<string>;
  /** Lets the provider read the metadata of this service. */
  learn(metadata: string): Promise<void>;
  /** Signs a person in. @param address to which the browser left @returns the fields of the form with which the browser comes back */
  signIn(address: string, user: string, options?: Signing): Promise<Record<string, string>>;
  /** Makes a signed logout request for a person. @returns the address to which the browser brings it */
  logOut(user: string, to: { entityId: string; destination: string }): Promise<string>;
}

/** @param paths of `python3` and of `xmlsec1` */
export async function startPysaml2(
  t: Pick<Test, 'teardown'>,
  { python, xmlsec1 }: { python: string; xmlsec1: string },
): Promise<Pysaml2> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-pysaml2-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const key = makeSamlKey();
  await Promise.all([writeFile(keyFile, key.privateKey), writeFile(certFile, key.certificate)]);
  const child = spawn(await installPythonTool(python, tool), ['-c', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const address = 'https://pysaml2.example';
  const entityId = `${address}/idp`;
  child.stdin.write(`${JSON.stringify({ entityId, address, keyFile, certFile, xmlsec1 })}\n`);
  const ask = async (asked: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify(asked)}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The provider ended');
    return JSON.parse(String(value));
  };
  return {
    entityId,
    describe: () => ask({ act: 'describe' }),
    async learn(metadata) {
      await ask({ act: 'learn', metadata });
    },
    async signIn(left, user, given = {}) {
      const options = { ...usual, ...given };
      const { searchParams } = new URL(left);
      const request = searchParams.get('SAMLRequest');
      const response = await ask({ act: 'respond', request, user, options });
      return { SAMLResponse: response, RelayState: searchParams.get('RelayState') ?? '' };
    },
    logOut: (user, to) => ask({ act: 'logOut', user, ...to }),
  };
}
