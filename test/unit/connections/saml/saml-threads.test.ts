import { Worker } from 'node:worker_threads';
import t from 'tap';
import { longestResponse } from '#src/connections/saml/expected-response.js';
import { createSamlThreads } from '#src/connections/saml/saml-threads.js';
import { allowedHoldMs, longestHold } from '../../../support/hostile/longest-hold.js';
import {
  assertionXml,
  makeSamlKey,
  responseXml,
  signElement,
  toBase64,
  usuallySaid,
} from '../../../support/saml/saml-documents.js';

const now = new Date('2026-03-01T12:00:00Z');
const provider = makeSamlKey();
const fixed = {
  issuer: 'https://idp.example/saml',
  acsUrl: 'https://muster.example/acs',
  audience: 'https://muster.example/metadata',
  requestId: '_request-1',
  now,
};
const said = usuallySaid(fixed);
const questionOf = (xml: string) => ({
  response: toBase64(xml),
  entityId: fixed.issuer,
  certificates: [provider.certificate],
  signed: 'assertion' as const,
  allowsSha1: false,
  acsUrl: fixed.acsUrl,
  audience: fixed.audience,
  requestId: fixed.requestId,
  now: now.getTime(),
});

const threads = createSamlThreads();
t.teardown(() => threads.close());

/** A signed response of this length, in bytes, with an attribute of many values. */
function responseOf(bytes: number): string {
  const value = 'cn=group,ou=groups,dc=acme,dc=example';
  const count = Math.floor((bytes - 4_000) / (value.length + 43));
  const told = { ...said, attributes: { groups: Array.from({ length: count }, () => value) } };
  return signElement(responseXml(told, assertionXml(told)), 'Assertion', { key: provider });
}

t.test('a thread verifies a response, and refuses one with the reason', async (t) => {
  const xml = responseOf(8_000);
  t.match(await threads.run('acme', 'verifyResponse', questionOf(xml)), { nameId: { value: 'anna' } });
  await t.rejects(
    threads.run('acme', 'verifyResponse', questionOf(xml.replace('>anna<', '>boss<'))),
    /No certificate/,
  );
});

t.test('a sign-in waits for one logout request at most, however many anybody sends', async (t) => {
  const ended: string[] = [];
  const question = {
    ...{
      message: toBase64('<x/>'),
      binding: 'post' as const,
      entityId: fixed.issuer,
      destination: fixed.acsUrl,
    },
    ...{ certificates: [provider.certificate], allowsSha1: false, now: now.getTime() },
  };
  const logout = () =>
    threads.run('crowd', 'verifyLogoutRequest', question).catch(({ message }: Error) => ended.push(message));
  const logouts = Array.from({ length: 60 }, logout);
  const signIn = threads
    .run('crowd', 'verifyResponse', questionOf(responseOf(8_000)))
    .then(() => ended.push('signed in'));
  await Promise.all([...logouts, signIn]);
  const isRefused = (text: string) => /^Too many/.test(text);
  t.equal(ended.filter(isRefused).length, 54, 'one is read, and five wait');
  t.equal(ended.filter((text) => !isRefused(text)).indexOf('signed in'), 1);
});

t.test('a response of 256 KiB holds no event loop, verified or refused', async (t) => {
  const large = responseOf(longestResponse);
  t.ok(large.length > longestResponse - 3_000 && large.length <= longestResponse, `${large.length} bytes`);
  const good = questionOf(large);
  const bad = questionOf(large.replace('>anna<', '>boss<'));
  await threads.run('acme', 'verifyResponse', good);
  const hold = await longestHold(async () => {
    await threads.run('acme', 'verifyResponse', good);
    await threads.run('acme', 'verifyResponse', bad).catch(() => undefined);
  });
  t.comment(`longest hold ${hold.toFixed(1)} ms`);
  t.ok(hold <= allowedHoldMs);
});

t.test('a thread that takes too long is ended, and the next task gets another one', async (t) => {
  const endless = `require('node:worker_threads').parentPort.on('message', ([, { question }]) => {
    if (question.requestId === '_endless') for (;;);
  });`;
  let started = 0;
  const few = createSamlThreads({
    longestMs: 300,
    start: () => {
      started++;
      return new Worker(endless, { eval: true });
    },
  });
  t.teardown(() => few.close());
  const question = { ...questionOf(''), requestId: '_endless' };
  await t.rejects(few.run('acme', 'verifyResponse', question), /in time/);
  await t.rejects(few.run('acme', 'verifyResponse', question), /in time/);
  t.equal(started, 2);
});

t.test('an organization takes one thread, and others go on', async (t) => {
  const order: string[] = [];
  const slow = `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ([id, { question }]) => {
      const end = Date.now() + (question.requestId === '_slow' ? 400 : 0);
      while (Date.now() < end);
      parentPort.postMessage([id, { answer: {} }]);
    });`;
  const few = createSamlThreads({ start: () => new Worker(slow, { eval: true }) });
  t.teardown(() => few.close());
  const ask = (orgId: string, requestId: string) =>
    few.run(orgId, 'verifyResponse', { ...questionOf(''), requestId }).then(() => order.push(orgId));
  await Promise.all([ask('a', '_slow'), ask('a', '_slow'), ask('b', '_fast')]);
  t.strictSame(order, ['b', 'a', 'a']);
});

t.test('too much work of an organization is refused', async (t) => {
  const silent = createSamlThreads({ start: () => new Worker('setInterval(() => {}, 1e6)', { eval: true }) });
  t.teardown(() => silent.close());
  const all = Array.from({ length: 52 }, () =>
    silent.run('acme', 'verifyResponse', questionOf('')).catch((error: Error) => error.message),
  );
  t.equal(await Promise.race(all), 'Too many documents of SAML wait');
  await silent.close();
});
