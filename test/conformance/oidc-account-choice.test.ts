import t from 'tap';
import { makePerson } from '../support/app/oauth-client.js';
import { startProvider } from '../support/oidc/relying-party.js';
import {
  isLoginPage,
  type Page,
  requireArrival,
  requirePage,
  type Seen,
} from '../support/oidc/user-agent.js';

// Several people at one browser: the values of prompt that OpenID Connect Core section 3.1.2.1 leaves to the provider.

const provider = await startProvider(t);
const { container, organization, person: anna, newAgent } = provider;
const rp = await provider.newClient();
const bert = await makePerson(container, organization, { name: { givenName: 'Bert', familyName: 'Berg' } });

/** A browser where both are signed in. */
async function bothSignedIn() {
  const agent = newAgent();
  await rp.authorize(agent);
  requireArrival(await rp.signIn(agent, await rp.open(agent, { prompt: 'login' }), bert));
  return agent;
}

const isChoice = (seen: Seen): seen is Page => seen.kind === 'page' && seen.url.pathname === '/login/select';

async function subjectOf(seen: Seen): Promise<string | undefined> {
  const { body } = await rp.redeem(requireArrival(seen).parameters);
  return (await rp.readIdToken(body.id_token)).sub;
}

/** Which of the two the first entry of the list is for. */
const firstOf = ({ text }: Page) => (text.indexOf(anna.userName) < text.indexOf(bert.userName) ? anna : bert);

t.test('without prompt the person picks where several are signed in', async (t) => {
  const agent = await bothSignedIn();
  const seen = await rp.open(agent);
  t.ok(isChoice(seen));
  t.equal(await subjectOf(await agent.submit(seen)), firstOf(requirePage(seen)).id);
});

t.test('prompt=select_account asks although one alone is signed in', async (t) => {
  const agent = newAgent();
  await rp.authorize(agent);
  const seen = await rp.open(agent, { prompt: 'select_account' });
  t.ok(isChoice(seen));
  t.equal(await subjectOf(await agent.submit(seen)), anna.id);
  t.ok(isLoginPage(await rp.open(newAgent(), { prompt: 'select_account' })), 'and signs in where nobody is');
});

t.test(
  'prompt=none answers interaction_required where there is a choice, unless a hint makes it',
  async (t) => {
    const agent = await bothSignedIn();
    const { parameters } = requireArrival(await rp.open(agent, { prompt: 'none' }));
    t.equal(parameters.get('error'), 'interaction_required');
    for (const person of [anna, bert]) {
      const hinted = await rp.open(agent, { prompt: 'none', login_hint: person.userName });
      t.equal(await subjectOf(hinted), person.id);
    }
  },
);

t.test('the person who signs in must be the one in the id_token_hint', async (t) => {
  const agent = newAgent();
  const { body } = await rp.getTokens(agent);
  const seen = await rp.open(agent, { prompt: 'login', id_token_hint: body.id_token });
  t.notMatch(requirePage(seen).text, bert.userName);
  // The page takes the password of this person alone, whatever name comes with it.
  t.equal(await subjectOf(await rp.signIn(agent, seen, bert)), anna.id);
});

t.test('max_age=0 is as prompt=login', async (t) => {
  const agent = newAgent();
  await rp.authorize(agent);
  provider.clock.advance(1);
  const seen = await rp.open(agent, { max_age: '0' });
  t.equal(await subjectOf(await rp.signIn(agent, seen)), anna.id, 'and does not ask forever');
});

t.test('of two tabs the second goes on after the first has signed in', async (t) => {
  const agent = newAgent();
  const [first, second] = [await rp.open(agent), await rp.open(agent)];
  t.equal(await subjectOf(await rp.signIn(agent, first)), anna.id);
  const sessions = await container.sessions.ofUser(anna.id);
  provider.clock.advance(1);
  t.equal(await subjectOf(await rp.signIn(agent, second)), anna.id, 'with the session that exists now');
  const since = (await container.sessions.ofUser(anna.id)).filter(({ authTime }) =>
    sessions.every((session) => session.authTime < authTime),
  );
  t.same(since, [], 'nobody signed in again');
});

t.test('a form is of no use in another browser', async (t) => {
  const before = (await container.sessions.ofUser(anna.id)).length;
  const seen = await rp.open(newAgent());
  const elsewhere = requirePage(await rp.signIn(newAgent(), seen));
  t.equal((await container.sessions.ofUser(anna.id)).length, before);
  t.equal(elsewhere.status, 403);
});
