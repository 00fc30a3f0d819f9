import t from 'tap';
import { buildListeningApp } from '../support/app/listening-app.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { makeHome } from '../support/app/people.js';
import { makeOwner, walkConsole } from '../support/app/walk-console.js';
import { launchChromium } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** The pages of applications, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const { id } = await makeApplication(container, home.id, { name: 'Tickets' });

const list = `/console/orgs/${home.id}/applications`;
const pages = {
  applications: list,
  'application-types': `${list}/new`,
  'application-new': `${list}/new?type=web`,
  application: `${list}/${id}`,
  'application-test': `${list}/${id}/test`,
};

for (const [width, language] of takenLooks([
  [390, 'es'],
  [1280, 'en'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages });
  });
}
