import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as oidc from 'openid-client';
import t from 'tap';
import { followGuide } from '../../support/docs/follow-guide.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';
import { isLoginPage, requireArrival, UserAgent } from '../../support/oidc/user-agent.js';

/**
 * The guides whose programs no test runs: what they register and write down is enough to sign a person in and out, with the
 * addresses that the program of the guide has.
 */

const muster = await startMusterOfReader(t);

const guides = [
  {
    name: 'aspnet.md',
    address: 'https://localhost:5001',
    callback: '/signin-oidc',
    end: '/signout-callback-oidc',
  },
  { name: 'django.md', address: 'http://localhost:8000', callback: '/oidc/callback/', end: '/' },
  { name: 'go.md', address: 'http://localhost:3000', callback: '/callback', end: '/' },
  {
    name: 'nextjs.md',
    file: '.env.local',
    address: 'http://localhost:3000',
    callback: '/api/auth/callback/muster',
    end: '/',
  },
  { name: 'nginx.md', address: 'http://localhost:8083', callback: '/oauth2/callback', end: '/' },
  {
    name: 'spring-boot.md',
    address: 'http://localhost:8082',
    callback: '/login/oauth2/code/muster',
    end: '/',
  },
];

for (const { name, file = '.env', address, callback, end } of guides) {
  t.test(`${name}: a person signs in with what the guide registers`, async (t) => {
    const { folder } = await followGuide(t, muster, { name, ports: [] });
    const written = await readFile(join(folder, file), 'utf8');
    const value = (key: RegExp) => key.exec(written)?.[1] ?? '';
    const client = await oidc.discovery(
      new URL(value(/ISSUER(?:_URL)?=(\S+)/i)),
      value(/CLIENT_?ID=(\S+)/i),
      value(/CLIENT_?SECRET=(\S+)/i),
      undefined,
      { execute: [oidc.allowInsecureRequests] },
    );
    const browser = new UserAgent(muster.baseUrl);
    const state = oidc.randomState();
    const asked = oidc.buildAuthorizationUrl(client, {
      redirect_uri: address + callback,
      scope: 'openid profile email',
      state,
    });
    const { url } = requireArrival(await browser.signIn(await browser.open(asked), muster.person));
    const checks = { expectedState: state, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(client, url, checks);
    const { sub = '' } = tokens.claims() ?? {};
    t.match(await oidc.fetchUserInfo(client, tokens.access_token, sub), { name: 'Anna Lind' });
    const ending = oidc.buildEndSessionUrl(client, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: address + end,
    });
    t.equal(requireArrival(await browser.open(ending)).url.href, address + end);
    t.ok(isLoginPage(await browser.open(asked)), 'the session at Muster has ended too');
  });
}
