import { readFile } from 'node:fs/promises';
import t from 'tap';
import {
  describeEvent,
  eventDetails,
  eventSentences,
  kindInWords,
  type LoggedEvent,
  namedIn,
} from '#src/console/log/describe-event.js';
import { detailTexts } from '#src/console/log/texts/details.js';
import { logTexts } from '#src/console/log/texts/page.js';
import { allTypes, kindsOf, topics } from '#src/console/log/topics.js';
import { languages } from '#src/http/base/language.js';
import { html } from '#src/http/pages/html.js';

const nobody = () => undefined;

function event(type: string, parts: Partial<LoggedEvent> = {}): LoggedEvent {
  return {
    type,
    editor: { userId: 'u1', service: 'admin' },
    aggregate: { id: 'a1', type: 'user', resourceOwner: 'o1' },
    sequence: 1,
    creationDate: '2026-01-01T00:00:00.000Z',
    payload: {},
    ...parts,
  };
}

const placesOf = (sentence: string) => [...new Set(sentence.match(/\{\w+\}/g) ?? [])].sort();
const both = (sentence: string | object) =>
  typeof sentence === 'string' ? [sentence] : Object.values(sentence);

t.test('every type of event has words in every language, with the same names in them', async (t) => {
  const source = await readFile('src/audit/event.ts', 'utf8');
  const list = source.slice(source.indexOf('EventType ='), source.indexOf('export type AggregateType'));
  const types = [...list.matchAll(/'([\w.]+)'/g)].map(([, type]) => String(type));
  t.ok(types.length > 70, `${types.length} types`);
  for (const language of languages) {
    t.strictSame(Object.keys(eventSentences[language]).sort(), [...types].sort(), language);
    for (const [type, sentence] of Object.entries(eventSentences[language])) {
      const english = Object.entries(eventSentences.en).find(([name]) => name === type)?.[1] ?? '';
      t.strictSame(both(sentence).map(placesOf), both(english).map(placesOf), `${language} ${type}`);
      const words = String(describeEvent(event(type), language, nobody));
      t.notMatch(words, /[{}]|undefined/, `${language} ${type}: ${words}`);
      t.ok(words.trim().length > 5, words);
    }
  }
});

t.test('every type of event is in a topic by which the log is filtered', async (t) => {
  const filtered = new Set(Object.values(topics).flat());
  t.strictSame(
    allTypes.filter((type) => !filtered.has(type)),
    [],
  );
});

t.test('a sentence has names beside the identifiers that have one', async (t) => {
  const names = new Map([
    ['u1', html`<a href="/x">Maria</a>`],
    ['a1', html`Shop`],
  ]);
  const nameOf = (id: string) => names.get(id);
  const changed = event('application.changed', { payload: { attributes: ['name', 'redirectUris'] } });
  t.equal(
    String(describeEvent(changed, 'en', nameOf)),
    '<a href="/x">Maria</a> changed the application Shop: Name; Redirect URIs',
  );
  t.equal(
    String(describeEvent(event('user.removed', { payload: { userName: 'anna' } }), 'en', nobody)),
    '<code>u1</code> deleted anna',
    'a removed object has the name of its event',
  );
  t.equal(
    String(describeEvent(event('user.removed'), 'de', nobody)),
    '<code>u1</code> hat <code>a1</code> gelöscht',
  );
});

t.test('people who change themselves have a sentence of their own', async (t) => {
  const own = event('user.human.password.changed', { editor: { userId: 'a1', service: 'account' } });
  t.equal(String(describeEvent(own, 'en', () => 'Anna')), 'Anna set a new password');
  t.equal(
    String(describeEvent({ ...own, editor: { userId: 'u1', service: 'scim' } }, 'en', (id) => id)),
    'u1 set a password for a1',
  );
});

t.test('a long list of people shows five and the number of the others', async (t) => {
  const userIds = Array.from({ length: 1_000 }, (_, index) => `p${index}`);
  const joined = event('group.members.added', { payload: { userIds } });
  t.equal(
    String(describeEvent(joined, 'en', (id) => id)),
    'u1 added p0, p1, p2, p3, p4 + 995 to the group a1',
  );
  t.equal(namedIn(joined).length, 8, 'no more names are looked up than are shown');
});

t.test('a refused sign-in shows reason, address, browser and application', async (t) => {
  const payload = { reason: 'passwordWrong', address: '192.0.2.1', userAgent: 'Firefox', clientId: 'c1' };
  const refused = event('user.human.password.check.failed', { payload });
  t.strictSame(
    eventDetails(refused, 'en', () => 'Shop'),
    [
      ['Reason', 'the password is wrong'],
      ['Address', '192.0.2.1'],
      ['Browser', 'Firefox'],
      ['Application', 'Shop'],
    ],
  );
  t.strictSame(eventDetails(event('user.removed', { payload }), 'en', nobody), []);
  const reasons = Object.keys(detailTexts.en.reasons).sort();
  for (const language of languages)
    t.strictSame(Object.keys(detailTexts[language].reasons).sort(), reasons, language);
});

t.test('hostile values are escaped and cut, and unknown types are shown by name', async (t) => {
  const hostile = '<img src=x onerror=alert(1)>';
  const added = event('group.removed', {
    payload: { displayName: hostile },
    editor: { userId: hostile, service: 'x' },
  });
  const words = String(describeEvent(added, 'fr', nobody));
  t.notMatch(words, '<img');
  t.match(words, '&lt;img');
  t.equal(String(describeEvent(event('constructor'), 'en', nobody)), '<code>constructor</code>');
  t.equal(String(describeEvent(event('<b>'), 'en', nobody)), '<code>&lt;b&gt;</code>');
  const long = event('user.metadata.set', { payload: { key: 'k'.repeat(5_000), userId: 'u' } });
  t.ok(String(describeEvent(long, 'en', nobody)).length < 500);
});

t.test('a verification is no import', async (t) => {
  const words = (payload: object) =>
    String(
      describeEvent(event('import.completed', { payload: { state: 'completed', ...payload } }), 'en', nobody),
    );
  t.match(words({}), /^The import .* ended: completed$/);
  t.match(words({ verify: true }), /^The verification .* ended: completed$/);
  t.match(words({ dryRun: true, verify: true }), /^The verification .* ended: completed$/);
});

t.test('a dry run is no import, in every language', async (t) => {
  const payload = { state: 'completed', dryRun: true, created: 20_000 };
  const words = {
    en: /^The dry run .* ended: completed. Nothing was changed$/,
    de: /^Der Probelauf .*Nichts wurde geändert$/,
    fr: /^L’essai .*Rien n’a été modifié$/,
    es: /^El ensayo .*No se cambió nada$/,
    it: /^La prova .*Nulla è stato modificato$/,
  };
  for (const language of languages) {
    t.match(String(describeEvent(event('import.completed', { payload }), language, nobody)), words[language]);
  }
});

t.test('changes are in the words of the forms, with what they were and became', (t) => {
  const changed = (type: string, payload: Record<string, unknown>, language: 'en' | 'de' = 'en') =>
    String(describeEvent(event(type, { payload }), language, () => 'X'));
  const flags = { attributes: ['orgOnly', 'name'], changes: { orgOnly: { from: true, to: false } } };
  t.equal(
    changed('application.changed', flags),
    'X changed the application X: People of other organizations may sign in: no → yes; Name',
    'a box that asks for the opposite of the setting',
  );
  t.equal(
    changed('org.changed', {
      attributes: ['login', 'passwordPolicy', 'quotas', 'passwordPepper'],
      changes: {
        'login.brandColor': { to: '#112233' },
        'login.notifyChanges': { to: false },
        'passwordPolicy.minLength': { from: 8, to: 15 },
        'passwordPolicy.upper': { from: true, to: false },
        'quotas.users': { from: 100 },
      },
    }),
    'X changed the organization X: Colour of buttons and links: none → #112233; Mail to people, Own changes: yes → no; Fewest characters: 8 → 15; ' +
      'A password must have, a capital letter: yes → no; Quotas, Users: 100 → none; Pepper of imported hashes',
  );
  t.equal(
    changed('user.human.changed', {
      attributes: ['emails', 'title', 'x'],
      changes: { email: { from: 'a', to: 'b' } },
    }),
    'X changed X: E-mail: a → b; Job title; x',
    'an attribute without a label has its name',
  );
  t.equal(
    changed('group.roles.changed', {
      roles: ['ORG_OWNER'],
      changes: { roles: { from: [], to: ['ORG_OWNER'] } },
    }),
    'X set the roles of the group X: none → Owner of the organization',
  );
  const grant = { userId: 'u', groupId: 'g', projectId: 'p', roles: ['writer'] };
  const changes = { roles: { from: ['reader', 'ORG_OWNER'], to: ['writer'] } };
  t.equal(
    changed('user.grant.changed', { ...grant, changes }),
    'X changed the roles of X in the project X: reader, ORG_OWNER → writer',
    'the owner of the project named them',
  );
  t.equal(
    changed('group.grant.changed', grant),
    'X changed the roles of the group X in the project X: writer',
    'earlier versions did not keep the former roles',
  );
  t.equal(changed('project.member.removed', grant), 'X removed X from the members of the project X: writer');
  t.equal(
    changed('features.changed', { tokenExchange: true }),
    'X changed the features of the service: Token exchange: yes',
  );
  t.equal(
    changed('project.role.changed', { key: 'k' }),
    'X changed the role k of the project X',
    'an event of before',
  );
  t.match(changed('import.completed', { state: 'failed' }, 'de'), /fehlgeschlagen$/);
  for (const changes of [null, 'x', [1], { name: null }, { name: 7 }, { name: { from: {}, to: [{}] } }])
    t.match(
      changed('application.changed', { attributes: ['name'], changes }),
      /^X changed the application X: Name/,
    );
  t.end();
});

t.test('the filter has every kind of event once, in words, in every language', (t) => {
  const kinds = (Object.keys(topics) as (keyof typeof topics)[]).flatMap((topic) => kindsOf(topic));
  t.strictSame([...kinds].sort(), [...allTypes].sort());
  for (const language of languages) {
    const words = allTypes.map((type) => kindInWords(type, language, logTexts[language].somebody));
    for (const text of words) t.notMatch(text, /[{}]|undefined|: …?$|\(\)/, `${language}: ${text}`);
  }
  t.equal(
    kindInWords('application.changed', 'en', logTexts.en.somebody),
    'Somebody changed the application …',
  );
  t.end();
});
