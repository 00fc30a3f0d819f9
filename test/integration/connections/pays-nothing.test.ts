import t from 'tap';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { isSignedIn, newVisitor, storeConnection } from '../../support/oidc/connected.js';
import { namesOfCommands } from '../../support/stores/mongo-commands.js';

/** An organization without connections pays nothing for those of others. */

const service = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { container } = service;
const home = await makeHome(container, { name: 'Plain' });
const { id: clientId } = await makeApplication(container, home.id);
const request = `/oauth/v2/authorize?${new URLSearchParams({
  ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid', state: 's' },
})}`;

/** Signs in by the password, for an application and for the account page. */
async function signIn(): Promise<void> {
  const { userName } = await makePerson(container, home);
  const visitor = newVisitor(service);
  const page = await visitor.follow(await visitor.get(request));
  const seen = await visitor.fill(page, { loginName: userName, password: goodPassword }, '/login');
  if (!isSignedIn(seen)) throw new Error(`${seen.status} ${seen.location} ${seen.text}`);
  const done = await visitor.follow(seen);
  if (!/code=/.test(done.location ?? '')) throw new Error(`${done.status} ${done.location}`);
  const account = await visitor.get('/account');
  if (account.status !== 200) throw new Error(`${account.status} ${account.location}`);
}

t.test('a sign-in reads neither a collection nor a key of connections', async (t) => {
  const other = await makeHome(container, { name: 'Connected' });
  await storeConnection(container, other.id, {});
  await signIn();
  const sent = t.capture(container.redis, 'sendCommand', container.redis.sendCommand);
  const mongo = await namesOfCommands(signIn);
  const ofConnections = /connections|setupLinks|identityLinks|domainProofs/;
  t.ok(
    mongo.some((name) => /users/.test(name)),
    'commands are seen',
  );
  t.strictSame(
    mongo.filter((name) => ofConnections.test(name)),
    [],
  );
  const redis = sent().map(({ args: [command] }) => JSON.stringify(command?.args ?? []));
  t.ok(redis.length > 0);
  t.strictSame(
    redis.filter((args) => /:(connection|saml)-/.test(args)),
    [],
  );
});
