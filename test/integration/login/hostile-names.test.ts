import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { hostileNames } from '../../support/app/hostile-names.js';
import { makeOrganization, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { formsOf, type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

const { url: smtpUrl } = await startMailServer(t);
const { container, app, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0, smtpUrl });

let lastAddress = 0;
const newVisitor = (name: string) => {
  lastAddress++;
  const address = `198.51.${Math.floor(lastAddress / 250)}.${1 + (lastAddress % 250)}`;
  return visit(app, container, { address, userAgent: `${headerOf(name)}/1.0 (X11; Linux)` });
};
/** A header has no other characters. */
const headerOf = (name: string) => name.replace(/[^\x20-\x7e]/g, '?');

/** The tags of a page with the names of their attributes. Everything else must be text without `<` and `>`. */
function shapeOf({ text }: Seen): string[] {
  const bare = text.replace(/<(script|style)>.*?<\/\1>/gs, '<$1></$1>');
  const tag = /<(\/?[a-z][a-z0-9]*|!doctype)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/g;
  const shape = [...bare.matchAll(tag)].map(([, name = '', attributes = '']) =>
    [name, ...[...attributes.matchAll(/([a-z-]+)(?:="[^"]*")?/g)].map(([, attribute]) => attribute)].join(
      ' ',
    ),
  );
  return [...shape, ...(/[<>]/.exec(bare.replace(tag, '')) ?? [])];
}

/** Every page that shows a name, with this name wherever somebody may choose one. */
async function pagesWith(name: string): Promise<Record<string, Seen>> {
  const pages: Record<string, Seen> = {};
  const home = await changeOrganization(container, {
    orgId: (await makeOrganization(container, { name })).id,
    change: { login: { selfRegistration: true } },
    editor: testEditor,
  });
  const application = await makeApplication(container, home.id, { name, orgOnly: false });
  const elsewhere = await makeOrganization(container, { name });
  const names = { displayName: name, name: { givenName: name, familyName: name }, nickName: name };
  const person = await makePerson(container, home, { ...names, userName: uniqueName('person') });
  const member = await makePerson(container, elsewhere, { ...names, userName: uniqueName('member') });
  const secret = await giveTotp(container, member);
  await requirePasswordChange(container, { orgId: elsewhere.id, id: member.id, editor: testEditor });

  const query = (more: Record<string, string>) =>
    `/oauth/v2/authorize?${new URLSearchParams({
      client_id: application.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      state: name,
      ...more,
    })}`;
  const open = async (visitor: Visitor, more: Record<string, string> = {}) =>
    visitor.follow(await visitor.get(query(more)));

  const visitor = newVisitor(name);
  pages['login'] = await open(visitor, { login_hint: name });
  pages['wrong login'] = await visitor.fill(pages['login'], { loginName: name, password: name });
  pages['register'] = await open(visitor, { prompt: 'create' });
  const typed = { givenName: name, familyName: name, email: name, userName: name, password: 'x' };
  pages['wrong registration'] = await visitor.fill(pages['register'], typed);
  const login = await open(visitor);
  await visitor.fill(login, { loginName: person.userName, password: goodPassword });
  pages['account'] = await visitor.get('/account');
  pages['wrong profile'] = await visitor.fill(
    pages['account'],
    { givenName: '', familyName: name, displayName: `${name}${'x'.repeat(201)}` },
    '/account/profile',
  );
  pages['one-time codes'] = await visitor.get('/account/totp');
  pages['address'] = await visitor.get('/account/email');
  pages['wrong address'] = await visitor.fill(pages['address'], { email: name, password: 'x' });
  pages['chooser'] = await visitor.get('/login/select');
  pages['forgot'] = await visitor.get('/login/forgot');
  pages['sign out'] = await visitor.get(`/oidc/v1/end_session?${new URLSearchParams({ state: name })}`);
  pages['form post'] = await visitor.get(query({ response_mode: 'form_post' }));

  const foreigner = newVisitor(name);
  const begun = await open(foreigner);
  const asked = await foreigner.fill(begun, { loginName: member.userName, password: goodPassword });
  pages['code'] = await foreigner.follow(asked);
  clock.advance(30);
  const code = totpCode(secret, totpStep(clock.now()));
  pages['new password'] = await foreigner.follow(await foreigner.fill(pages['code'], { code }));
  const chosen = { password: 'Another-Horse-8', repeated: 'Another-Horse-8' };
  pages['consent'] = await foreigner.follow(await foreigner.fill(pages['new password'], chosen));
  await foreigner.fill(pages['consent'], { decision: 'allow' });
  pages['consents'] = await foreigner.get('/account');
  pages['removal of the factor'] = await foreigner.get('/account/totp/remove');
  pages['new recovery codes'] = await foreigner.get('/account/recovery-codes/new');

  const stranger = newVisitor(name);
  pages['wrong redirect URI'] = await stranger.get(query({ redirect_uri: `https://x.example/${name}` }));
  pages['unknown client'] = await stranger.get(query({ client_id: name }));
  pages['wrong sign-out'] = await stranger.get(
    `/oidc/v1/end_session?${new URLSearchParams({ client_id: application.id, post_logout_redirect_uri: name })}`,
  );
  pages['ended sign-in'] = await stranger.get(`/login?${new URLSearchParams({ request: name })}`);
  pages['expired form'] = await stranger.post('/login', { csrf: name, loginName: name });
  pages['invalid link'] = await stranger.get(`/login/password?${new URLSearchParams({ token: name })}`);
  return pages;
}

const plain = await pagesWith('Anna');

for (const [kind, name] of Object.entries(hostileNames)) {
  t.test(`a name with ${kind} is text on every page`, async (t) => {
    const pages = await pagesWith(name);
    t.same(Object.keys(pages), Object.keys(plain));
    for (const [page, seen] of Object.entries(pages)) {
      t.equal(seen.status, plain[page]?.status, `${page}: status`);
      t.same(shapeOf(seen), shapeOf(plain[page] as Seen), `${page}: the markup is ours alone`);
      // The policy of pages that lead to an application has no rule for forms.
      const targets = formsOf(seen.text).map(({ action }) => action);
      const ours = page === 'form post' ? redirectUri : `${container.config.baseUrl}/`;
      t.ok(
        targets.every((target) => target.startsWith(ours)),
        `${page}: forms lead to ${targets}`,
      );
    }
  });
}
