import t from 'tap';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { languages } from '#src/http/base/language.js';
import { nameInMail } from '#src/login/mail/compose-mail.js';
import { confirmMail, mailLanguage, resetMail } from '#src/login/mail/mails.js';
import { noticeMail } from '#src/login/mail/notices/notice-mail.js';
import { type Notice, type NoticeKind, noticeTopics } from '#src/notices/notice.js';
import { hostileNames } from '../../support/app/hostile-names.js';

const link = 'https://id.example/login/password?token=a-b_c';
const organization = (name: string, login = {}) => ({ name, login }) as Organization;
const look = { language: 'en', host: 'id.example' } as const;

t.test('mail is text and HTML, with the name and the colour of the organization', (t) => {
  const mail = resetMail({ ...look, organization: organization('Acme', { brandColor: '#0a6b4f' }) }, link);
  t.equal(mail.subject, 'Reset your password');
  t.match(mail.text, `your account at Acme.\n\n${link}\n\n`);
  t.match(mail.html, '<html lang="en">');
  t.match(mail.html, `<a href="${link}"`);
  t.match(mail.html, 'background:#0a6b4f;color:#ffffff');
  t.match(mail.html, 'your account at Acme.');
  t.notMatch(mail.html, /<img|<script|url\(|src=/, 'it loads nothing');
  t.end();
});

const kinds = Object.keys(noticeTopics) as NoticeKind[];
const at = new Date('2026-03-01T12:00:00Z');
const notices = kinds.map((kind) => ({ orgId: 'o', userId: 'u', kind, at }));
const person = (preferredLanguage: string, given: Partial<User> = {}) =>
  ({ preferredLanguage, preferredLanguageGiven: true, ...given }) as User;

t.test('a notice has a line for each kind, and nothing that anybody wrote', (t) => {
  const many = Array.from({ length: 999 }, () => notices).flat();
  const hostile = { browser: 'win.evil.example', system: 'evil', address: 'evil.example', language: 'evil' };
  const mail = noticeMail(
    { config: { baseUrl: 'https://id.example' } },
    person('en', { timezone: 'Asia/Tokyo' }),
    [
      ...many,
      ...Object.values(hostileNames).map((name) => ({
        ...notices[0],
        browser: name,
        system: name,
        address: name,
      })),
      { ...notices[0], ...hostile },
      { ...notices[0], browser: 'Firefox', system: 'Linux', address: '2001:db8::7' },
    ] as Notice[],
  );
  t.equal(mail.text.match(/^- /gm)?.length, kinds.length - 1 + 6, 'however often they happened');
  t.match(mail.text, /You changed your password\. \(999 times, the last time: Mar 1, 2026, 9:00.PM GMT\+9\)/);
  t.match(mail.text, 'an unknown browser, an unknown system. (');
  t.match(mail.text, 'Firefox, Linux. Network address: 2001:db8::7 (');
  t.notMatch(mail.text + mail.html, /evil/);
  t.same([...new Set(mail.text.match(/https?:[^\s]*/g))], ['https://id.example/account'], 'no other link');
  t.ok(mail.html.length < 10_000);
  t.end();
});

t.test('every mail in every language', (t) => {
  const texts = new Set<string>();
  for (const language of languages) {
    const at = { language, host: 'id.example' };
    const of = { ...at, organization: organization('Acme') };
    const mails = [
      resetMail(of, link),
      ...[true, false].map((isToSignIn) => confirmMail(at, { code: '7KQ2-M9XA', isToSignIn })),
      noticeMail({ config: { baseUrl: 'https://id.example' } }, person(language), notices),
    ];
    for (const { subject, text, html } of mails) {
      texts.add(subject).add(text);
      t.match(html, `<html lang="${language}">`);
      t.match(text, 'id.example');
    }
    t.match(mails[1]?.text, '\n\n7KQ2-M9XA\n\n');
  }
  // Both codes have the same subject.
  t.equal(texts.size, 7 * languages.length, 'each has texts of its own');
  t.end();
});

t.test('names are escaped, short, and no links', (t) => {
  const plain = resetMail({ ...look, organization: organization('Anna') }, link);
  const tags = (text: string) => [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
  for (const [kind, name] of Object.entries(hostileNames)) {
    const mail = resetMail({ ...look, organization: organization(name) }, link);
    t.same(tags(mail.html), tags(plain.html), `${kind}: the same markup`);
    t.ok(nameInMail({ name }).length < 600, kind);
  }
  t.equal(nameInMail({ name: 'Acme Inc. & Co. KG' }), 'Acme Inc. & Co. KG');
  const text = 'win at https://evil.example/x or mail me@evil.example';
  const shown = nameInMail({ name: text });
  t.notMatch(shown, /https:\/\/|evil\.example|me@evil/);
  t.equal(shown.replaceAll('\u200b', ''), text);
  t.equal(Array.from(nameInMail({ name: 'W'.repeat(180) })).length, 60);
  t.end();
});

t.test('the language is that of the person, or else of the visit', (t) => {
  const person = (preferredLanguage: string, preferredLanguageGiven?: true) =>
    ({ preferredLanguage, preferredLanguageGiven }) as User;
  t.equal(mailLanguage(person('fr-CA'), 'de'), 'fr');
  t.equal(mailLanguage(person('en'), 'de'), 'de', 'nobody chose English');
  t.equal(mailLanguage(person('en', true), 'de'), 'en');
  t.equal(mailLanguage(person('sv'), 'de'), 'de', 'no page is written in Swedish');
  t.end();
});
