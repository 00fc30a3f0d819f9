import t from 'tap';
import { addressesFor } from '#src/console/connect/addresses.js';
import { stepsWith } from '#src/console/connect/fill-in.js';
import { type Framework, frameworks } from '#src/console/connect/frameworks.js';
import { readGuideProgram } from '#src/http/documents/guide-program.js';

/** Programs of guides with the values of a registration. */

const values = { issuer: 'https://id.example', clientId: 'client-1', audience: 'project-1' };

for (const framework of frameworks) {
  const { guide, registeredBy = guide } = framework;
  t.test(`${framework.kind}, ${framework.label}: nothing is left to fill in but the secret`, async (t) => {
    const program = await readGuideProgram(guide);
    const { environment } = await readGuideProgram(registeredBy);
    const addresses = addressesFor(framework, program, []);
    const steps = stepsWith(program, { ...values, redirectUri: addresses?.redirectUri }, environment);
    const [settings, ...others] = steps;
    if (settings?.kind !== 'file') throw new Error('The settings come first');
    t.notMatch(settings.text, /\$|node -p/);
    t.match(settings.text, values.issuer);
    t.match(settings.text, values.clientId);
    t.ok(others.some(({ kind }) => kind === 'file'));
    t.equal(others.at(-1)?.kind, 'run', 'the last step starts it');
    if (framework.proof !== undefined) t.match(settings.text, /=PASTE-THE-CLIENT-SECRET-HERE\n/);
    const names = [...settings.text.matchAll(/^(?:export )?(?:const )?(\w+) ?=/gm)].map(([, name]) => name);
    const code = others.map(({ text }) => text).join('\n');
    // A framework reads some variables by itself, each under its own rule.
    const byFramework = [
      'AUTH_URL',
      'SERVER_PORT',
      'Muster__Issuer',
      'Muster__ClientId',
      'Muster__ClientSecret',
    ];
    t.same(
      names.filter((name = '') => !byFramework.includes(name) && !code.includes(name)),
      [],
    );
  });
}

const find = (guide: string): Framework => {
  const found = frameworks.find((one) => one.guide === guide);
  if (found === undefined) throw new Error(guide);
  return found;
};

t.test('the redirect URI is one of the application that the program can serve', async (t) => {
  const usual = 'http://localhost:3000/callback';
  const chosen = async (guide: string, ...uris: string[]) =>
    addressesFor(find(guide), await readGuideProgram(guide), uris)?.redirectUri;
  t.equal(
    await chosen('express', 'https://shop.example/cb', 'http://127.0.0.1:4444/x'),
    'http://127.0.0.1:4444/x',
  );
  t.equal(await chosen('express', 'https://shop.example/cb'), 'https://shop.example/cb');
  for (const hostile of [
    'https://shop.example/$(id)',
    'https://shop.example/`id`',
    "https://shop.example/'",
    'https://shop.example/a b',
    'https://shop.example/cb?x=1',
    'https://shop.example/login',
    'https://shop.example/',
    'http://localhost/callback',
    'com.example.app:/callback',
    'https://shop.example:99999/cb',
  ])
    t.equal(await chosen('express', hostile), usual, hostile);
  t.equal(await chosen('single-page-application', 'https://app.example/'), 'https://app.example/');
  t.equal(
    await chosen('spring-boot', 'https://shop.example/cb'),
    'http://localhost:8082/login/oauth2/code/muster',
    'Spring makes the path itself',
  );
  t.equal(await chosen('desktop-program', 'https://app.example/cb'), 'http://127.0.0.1/callback');
});

t.test('another port is in the settings and the commands, and not in the address of Muster', async (t) => {
  const program = await readGuideProgram('nextjs');
  const issuer = 'http://localhost:3000';
  const redirectUri = 'http://localhost:4321/api/auth/callback/muster';
  const steps = stepsWith(program, { issuer, clientId: 'c', clientSecret: 's', redirectUri });
  const text = steps.map((step) => step.text).join('\n');
  t.match(text, 'ISSUER=http://localhost:3000\n');
  t.match(text, 'AUTH_URL=http://localhost:4321\n');
  t.match(text, 'npx next dev -p 4321');
  t.match(text, 'CLIENT_SECRET=s\n');
});

t.test('a client without a secret has no line for one', async (t) => {
  const [settings] = stepsWith(await readGuideProgram('express'), { ...values, clientSecret: null });
  t.notMatch(settings?.text, 'SECRET=PASTE');
  t.notMatch(settings?.text, 'CLIENT_SECRET');
});
