import t from 'tap';
import { keepsMail } from '#src/login/mail/kept-mail.js';
import { openMail } from '#src/login/mail/open-mail.js';
import { until } from '../../../dev/until.js';
import { makeTenant } from '../../support/app/make.js';
import { goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';

const baseUrl = 'http://127.0.0.1:8080';
const { container, app } = await buildTestApp(t, { baseUrl, tryOut: 1, loginFailureMilliseconds: 0 });
const { orgId } = await makeTenant(container);
const home = await container.organizations.find(orgId);
if (home === undefined) throw new Error('The organization is gone');

const get = (url: string, given: { remoteAddress?: string; host?: string } = {}) => {
  const { host = '127.0.0.1:8080', ...connection } = given;
  return app.inject({ url, headers: { host, accept: 'text/html' }, ...connection });
};

t.test('a trial shows the mail that it would have sent, and its links work', async (t) => {
  t.match((await get('/dev/mail')).payload, /No mail yet/);
  const user = await makePerson(container, home, { password: null });
  const visitor = visit(app, container);
  await visitor.fill(await visitor.get('/login/forgot'), { loginName: user.userName });
  await until(async () => ((await container.mailer?.unsent?.all())?.length ?? 0) > 0);
  const list = await get('/dev/mail');
  t.match(list.payload, /Reset your password/);
  t.match(list.payload, user.emails[0]?.value);
  const page = /href="[^"]*(\/dev\/mail\/[\w-]+)"/.exec(list.payload)?.[1] ?? '';

  const mail = await get(page);
  const policy = String(mail.headers['content-security-policy']);
  t.match(policy, /default-src 'none'; script-src 'self';.*frame-src 'self'/);
  t.match(
    mail.payload,
    /<iframe class="mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="[^"]*\/html"/,
  );
  const shown = await get(`${page}/html`);
  t.match(shown.headers, {
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  t.match(shown.payload, /<html lang="en">/);

  const link = /http:\/\/127\.0\.0\.1:8080(\/login\/password\?token=[\w-]{43})/.exec(mail.payload)?.[1] ?? '';
  const chosen = { password: goodPassword, repeated: goodPassword };
  const done = await visitor.fill(await visitor.get(link), chosen);
  t.match((await visitor.follow(done)).text, /Your account/);
});

t.test('the machine itself reads it, under the name of the service', async (t) => {
  const [mail] = (await container.mailer?.unsent?.all()) ?? [];
  for (const url of ['/dev/mail', `/dev/mail/${mail?.id}`, `/dev/mail/${mail?.id}/html`]) {
    t.equal((await get(url)).statusCode, 200, url);
    t.equal((await get(url, { remoteAddress: '192.0.2.9' })).statusCode, 404, `${url} from elsewhere`);
    t.equal((await get(url, { host: 'rebound.example:8080' })).statusCode, 404, `${url} by another name`);
  }
  t.equal((await get('/dev/mail/unknown')).statusCode, 404);
});

t.test('only a trial at an address of the machine, without a mail server, keeps mail', async (t) => {
  const rows = [
    [{ smtpUrl: '', tryOut: 1, baseUrl: 'http://127.0.0.1:8080' }, true],
    [{ smtpUrl: '', tryOut: 1, baseUrl: 'http://localhost:8080/id' }, true],
    [{ smtpUrl: '', tryOut: 1, baseUrl: 'http://[::1]:8080' }, true],
    [{ smtpUrl: '', tryOut: 0, baseUrl: 'http://127.0.0.1:8080' }, false],
    [{ smtpUrl: 'smtp://mail.example', tryOut: 1, baseUrl: 'http://127.0.0.1:8080' }, false],
    [{ smtpUrl: '', tryOut: 1, baseUrl: 'https://id.example' }, false],
    [{ smtpUrl: '', tryOut: 1, baseUrl: 'https://localhost.id.example' }, false],
    [{ smtpUrl: '', tryOut: 1, baseUrl: 'http://127.0.0.1.id.example' }, false],
  ] as const;
  for (const [config, expected] of rows) t.equal(keepsMail(config), expected, JSON.stringify(config));

  const { app: usual, container: of } = await buildTestApp(t, {});
  t.equal(of.mailer, undefined);
  t.equal((await usual.inject({ url: '/dev/mail' })).statusCode, 404);
});

t.test('the latest 50 are kept, the newest first', async (t) => {
  const { mailer } = container;
  for (let i = 0; i < 60; i++) await mailer?.send({ to: 'a@b.example', subject: `${i}`, text: '', html: '' });
  const mails = (await mailer?.unsent?.all()) ?? [];
  t.equal(mails.length, 50);
  t.match(mails.slice(0, 2), [{ subject: '59' }, { subject: '58' }]);
  const worker = openMail(container).mailer;
  t.match(await worker?.unsent?.find(mails[0]?.id ?? ''), { subject: '59' }, 'of every process');
});
