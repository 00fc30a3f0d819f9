import { randomUUID } from 'node:crypto';
import t from 'tap';
import { notRun } from '../../../dev/not-run.js';
import { onPath } from '../../../dev/services/exec.js';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { isSignedIn, leaveFor, newVisitor, refusedPage } from '../../support/oidc/connected.js';
import { dexClient, prepareDex } from '../../support/processes/dex.js';

/** dex as the provider of connections by OpenID Connect. It needs Go 1.25 or newer and its module proxy, from which dex is built once, for some
 * minutes. */

t.test('people of dex sign in by a connection', { timeout: 900_000 }, async (t) => {
  const go = await onPath('go');
  if (go === null) return notRun(t, 'go is not installed');
  const certificate = await makeCertificate(t);
  if (certificate === undefined) return;
  const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
  const { container, call, clock } = service;
  const dex = await prepareDex(t, go, certificate);

  const connect = async (creation: 'create' | 'refuse') => {
    const { orgId, owner } = await makeTenant(container);
    const connectionId = randomUUID();
    const body = {
      ...{ id: connectionId, name: 'dex', creation, clientSecret: dexClient.secret },
      provider: { issuer: dex.issuer, clientId: dexClient.id },
    };
    const path = `/admin/v1/orgs/${orgId}/connections`;
    const callback = `/login/connections/${orgId}/${connectionId}/callback`;
    return {
      ...{ orgId, connectionId, callback },
      add: () => call(`POST ${path}`, { as: owner, body }),
      change: (own: object) => call(`PATCH ${path}/${connectionId}`, { as: owner, body: own }),
      async lastRefusal(): Promise<string> {
        const health = await call(`GET ${path}/${connectionId}/health`, { as: owner });
        const [refusal] = health.body.refusals;
        return `${refusal?.reason}: ${refusal?.detail}`;
      },
    };
  };
  const [acme, other] = [await connect('create'), await connect('refuse')];
  t.match((await acme.add()).body, { id: 'connections.providerUnusable' }, 'dex does not run yet');
  await dex.start([acme, other].map(({ callback }) => `${container.config.baseUrl}${callback}`));
  // A provider that could not be read is asked again after half a minute.
  clock.advance(31);
  for (const { add } of [acme, other]) {
    const added = await add();
    t.equal(added.status, 201, JSON.stringify(added.body));
  }

  const enter = async (connection = acme) => {
    clock.advance(11);
    const visitor = newVisitor(service);
    const seen = await visitor.get(await dex.signIn(await leaveFor(visitor, connection)));
    return { visitor, seen, why: isSignedIn(seen) ? undefined : await connection.lastRefusal() };
  };
  const { visitor, seen, why } = await enter();
  t.equal(why, undefined);
  t.match((await visitor.follow(seen)).text, 'Anna Lind');
  t.equal((await enter()).why, undefined, 'the second time');
  t.equal(await container.users.count(acme.orgId), 1, 'one person');
  t.notOk(isSignedIn(await visitor.get(seen.url)), 'an answer works once');

  const back = await dex.signIn(await leaveFor(newVisitor(service), acme));
  t.notOk(isSignedIn(await newVisitor(service).get(back)), 'another browser');
  await t.rejects(dex.signIn(await leaveFor(newVisitor(service), acme), 'wrong'), /No way on/);

  t.match((await enter(other)).why, /^unknownPerson/, 'a person of the first organization is unknown');
  const mixed = newVisitor(service);
  const state = new URL(await leaveFor(mixed, other)).searchParams.get('state') ?? '';
  const answer = new URL(await dex.signIn(await leaveFor(newVisitor(service), acme)));
  answer.searchParams.set('state', state);
  const carried = await mixed.get(`${other.callback}${answer.search}`);
  t.notOk(isSignedIn(carried), 'a code for the first organization');
  t.match(await other.lastRefusal(), /^(codeRefused|tokenInvalid|answerInvalid)/);
  t.equal(await container.users.count(other.orgId), 0);

  await acme.change({ clientSecret: 'another secret' });
  const wrong = await enter();
  await refusedPage(wrong.visitor, wrong.seen);
  t.match(wrong.why, /^codeRefused/, 'dex does not know the secret');
});
