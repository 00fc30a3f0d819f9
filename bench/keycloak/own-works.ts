import { addApplication } from '#src/clients/applications/add-application.js';
import { signInPeople } from '../measures/oidc.js';
import { addPeopleWithPassword, passwordOfPeople } from '../measures/oidc-login.js';
import { ownSide, type SignedIn } from '../measures/oidc-own-side.js';
import { introspection, userinfo } from '../measures/oidc-side.js';
import { smallImports } from '../measures/small-imports.js';
import { jwtRequest } from '../measures/tokens.js';
import { editor, type Setting } from '../setting.js';
import { redirectUri, signIn } from '../sign-in.js';
import { scimTarget } from '../target.js';
import { scimWorks } from './scim-works.js';
import { calls, requests, sendOne, type Work, type Works } from './work.js';

/** Muster as a side. */
export async function ownWorks(
  setting: Setting,
  inFlight: { logins: number; imports: number },
): Promise<Works> {
  const { baseUrl, organization, client } = setting;
  const signedIn = await signInPeople(setting);
  let turn = 0;
  const side = ownSide(setting, () => signedIn[turn++ % signedIn.length] as SignedIn);
  const [{ client: application }] = signedIn as [SignedIn];
  const imports = (size: number): Work => {
    const load = smallImports(setting, size);
    return calls(inFlight.imports, async () => {
      await sendOne(load);
      return size;
    });
  };
  return {
    'client credentials, JWT': requests({ url: baseUrl, connections: 16, next: await jwtRequest(setting) }),
    'introspection of the token of a person': requests(await introspection(side, application)),
    'userinfo, profile and email': requests(await userinfo(side)),
    'password login: page, form, code, tokens': calls(inFlight.logins, await logins(setting)),
    ...(await scimWorks(scimTarget(baseUrl, organization.id, client.personalAccessToken))),
    'users of imports of 10 a call': imports(10),
    'users of imports of 100 a call': imports(100),
    'users of imports of 1,000 a call': imports(1_000),
  };
}

async function logins(setting: Setting): Promise<() => Promise<number>> {
  const { container, organization, baseUrl } = setting;
  const { application } = await addApplication(container, {
    orgId: organization.id,
    settings: { name: 'Logins', type: 'native', redirectUris: [redirectUri] },
    editor,
  });
  const people = await addPeopleWithPassword(setting);
  const site = { baseUrl, address: () => baseUrl };
  let turn = 0;
  return async () => {
    const loginName = people[turn++ % people.length]?.userName ?? '';
    await signIn(site, application.id, { loginName, password: passwordOfPeople });
    return 1;
  };
}
