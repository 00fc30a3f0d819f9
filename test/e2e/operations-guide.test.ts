import t, { type Test } from 'tap';
import { blocks, host } from '../support/kubernetes/guide.js';
import { type Walk, walkToProduction } from '../support/kubernetes/walk.js';
import { launchChromium } from '../support/network/chromium.js';
import { keepCalling } from '../support/processes/load.js';
import { bulkOf, newUser } from '../support/scim/bulk.js';

/** Somebody new follows docs/operations.md from nothing to production, and to the next version. */
t.test('from nothing to production, and on to the next version', { timeout: 295_000 }, async (t) => {
  const walk = await walkToProduction(t);
  if (walk === undefined) return;
  const { cluster, run, first } = walk;
  t.equal(cluster.podsOf('muster', 'Deployment', 'muster-api').length, 3);
  t.equal(cluster.podsOf('muster', 'Deployment', 'muster-worker').length, 2);
  for (const secret of [first.adminToken, first.adminPassword]) t.notOk(cluster.logs().includes(secret));

  const seen = await run(walk.look);
  t.match(seen, `"issuer":"https://${host}"`);
  t.match(seen, '"totalResults":1');

  const token = await replaceToken(t, walk);
  await signInAndSetPassword(t, walk);

  t.test('the next version', async (t) => {
    const [upgrade = ''] = blocks('## Upgrade', '## Back-up and restore', 1);
    const next = (text: string) =>
      text.replaceAll(':0.1.0', ':0.1.1').replace('newTag: 0.1.0', 'newTag: 0.1.1');
    await run(next(walk.makeImage));
    await walk.edit(next);
    const names = () => cluster.podsOf('muster', 'Deployment', 'muster-api').map(({ name }) => name);
    const before = names();
    const users = `/scim/v2/${first.orgId}/Users`;
    const calls = (number: number): [line: string, json?: unknown][] => [
      [`GET ${users}?count=1`],
      [`POST ${users}`, newUser(`guide-${number}`)],
      [`POST /scim/v2/${first.orgId}/Bulk`, bulkOf(`guide-${number}`, 2)],
    ];
    const load = keepCalling(
      async (number) => {
        const [line, json] = calls(number)[number % 3] ?? [''];
        const { status, body } = await walk.call(line, { json, token });
        const isDone = !line.endsWith('/Bulk') || body.match(/"status":"201"/g)?.length === 2;
        return { status: isDone ? status : 500, body };
      },
      { parallel: 3, expected: [200, 201] },
    );
    await run(upgrade);
    await load.answers(20);
    t.same(await load.stop(), [], 'no request failed meanwhile');
    t.same(
      names().filter((name) => before.includes(name)),
      [],
      'all pods are others',
    );
    t.equal(names().length, 3);
    t.equal(cluster.restarts, 0);
  });
});

/**
 * The last block of step 5, line by line: a reader puts in what the line before has shown.
 * @returns the token in the place of the first one
 */
async function replaceToken(t: Test, { run, token: script }: Walk): Promise<string> {
  const [address = '', accounts = '', tokens = '', create = '', remove = '', ...more] = script
    .replaceAll('\\\n', ' ')
    .trim()
    .split('\n');
  t.same(more, []);
  await run(address);
  const account = JSON.parse(await run(accounts)).items.find(
    ({ userName }: { userName: string }) => userName === 'admin-service',
  );
  const ofAccount = (line: string) => line.replace('/ID/', `/${account.id}/`);
  const [first] = JSON.parse(await run(ofAccount(tokens))).items;
  const made = JSON.parse(await run(ofAccount(create)));
  t.match(made.token, /\S{20}/);
  await run(ofAccount(remove).replace('TOKEN_ID', first.id));
  t.match(JSON.parse(await run(ofAccount(tokens))), { status: 401 }, 'the first one is of no use any more');
  return made.token;
}

/** The administrator of the first start signs in with a browser, and sets another password. */
async function signInAndSetPassword(t: Test, { first, httpsPort }: Walk): Promise<void> {
  const browser = await launchChromium(t, [`--host-resolver-rules=MAP ${host} 127.0.0.1:${httpsPort}`]);
  if (browser === undefined) return;
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const signIn = async (password: string) => {
    await page.goto(`https://${host}/login`);
    await page.locator('#loginName').fill(first.adminUserName);
    await page.locator('#password').fill(password);
    await page.locator('form[action$="/login"] button').click();
    await page.waitForURL(/\/account/);
  };
  await signIn(first.adminPassword);
  const another = 'Another-Horse-8';
  const form = page.locator('form[action$="/account/password"]');
  await form.locator('#current').fill(first.adminPassword);
  await form.locator('#password').fill(another);
  await form.locator('#repeated').fill(another);
  await form.locator('button').click();
  await page.waitForURL(/\/account\?/);
  await context.clearCookies();
  await signIn(another);
  t.match(page.url(), `https://${host}/account`);
}
