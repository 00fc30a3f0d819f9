import { isIP } from 'node:net';
import type { Config } from '#src/config.js';
import { type Organization, shownSwitches, type User } from '#src/directory/index.js';
import { chooseLanguage } from '#src/http/base/language.js';
import { assumedTimeZone, readTimeZone, timeText } from '#src/http/base/local-time.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { type Notice, type NoticeKind, type NoticeTopic, noticeTopics } from '#src/notices/notice.js';
import { composeMail } from '../compose-mail.js';
import type { Mail } from '../mail.js';
import { mailLanguage } from '../mails.js';
import type { MailTexts } from '../texts/shape.js';
import { mailTexts } from '../texts/texts.js';

/** The most new browsers that a mail names. */
const mostBrowsers = 5;

/** The browsers and systems that a mail names. A browser can send any other word, so none of those comes into a mail. */
const browsers = ['Chrome', 'Firefox', 'Safari', 'Microsoft Edge', 'Opera', 'Samsung Internet for Android'];
const systems = ['Windows', 'macOS', 'iOS', 'Android', 'Linux', 'Chrome OS'];

const settingOf = {
  newBrowser: 'notifyNewBrowser',
  changes: 'notifyChanges',
  administration: 'notifyAdministration',
} as const satisfies Record<NoticeTopic, string>;

/** Returns the notices that the organization lets its people have. */
export function permittedNotices({ login }: Organization, notices: readonly Notice[]): Notice[] {
  const switches = shownSwitches(login);
  return notices.filter(({ kind }) => switches[settingOf[noticeTopics[kind]]]);
}

/**
 * The mail with everything that happened. Each kind has one line, however often it happened, so that nobody can hide one change among
 * many. Nothing in the mail was written by anybody else, not even the name of the organization.
 */
export function noticeMail(
  deps: { readonly config: Pick<Config, 'baseUrl'> },
  user: User,
  notices: readonly Notice[],
): Omit<Mail, 'to'> {
  const { baseUrl } = deps.config;
  const { host } = new URL(baseUrl);
  const visited = notices.find((notice) => notice.language !== undefined)?.language;
  const language = mailLanguage(user, chooseLanguage(visited === undefined ? [] : [visited]));
  const timeZone = readTimeZone(user.timezone ?? '') ?? assumedTimeZone;
  const t = mailTexts[language].notice;
  const at = ({ at: date }: Notice) => timeText(date, { language, timeZone });
  const items = [...changesIn(t, notices, at), ...signInsIn(t, notices, at)];
  const link = { label: t.button, address: pageAddress(deps, '/account') };
  return composeMail(
    { language, host },
    { subject: t.subject, text: t.text(host), items, link, notes: [t.warning] },
  );
}

type Texts = MailTexts['notice'];
type TimeOf = (notice: Notice) => string;

/** One line for each kind of change, in the order in which they last happened. */
function changesIn({ kinds, times }: Texts, notices: readonly Notice[], at: TimeOf): string[] {
  const found = new Map<Exclude<NoticeKind, 'newBrowser'>, { count: number; last: Notice }>();
  for (const notice of notices) {
    const { kind } = notice;
    if (kind === 'newBrowser') continue;
    const count = (found.get(kind)?.count ?? 0) + 1;
    found.delete(kind);
    found.set(kind, { count, last: notice });
  }
  return [...found].map(
    ([kind, { count, last }]) => `${kinds[kind]} (${count > 1 ? `${times(count)} ` : ''}${at(last)})`,
  );
}

/** One line for each of the latest sign-ins at new browsers. */
function signInsIn(t: Texts, notices: readonly Notice[], at: TimeOf): string[] {
  const signIns = notices.filter(({ kind }) => kind === 'newBrowser');
  const shown = signIns.slice(-mostBrowsers).map((notice) => {
    const browser = browsers.find((name) => name === notice.browser) ?? t.unknownBrowser;
    const system = systems.find((name) => name === notice.system) ?? t.unknownSystem;
    const { address = '' } = notice;
    const where = isIP(address) === 0 ? '' : ` ${t.address(address)}`;
    return `${t.newBrowser(browser, system)}${where} (${at(notice)})`;
  });
  const left = signIns.length - shown.length;
  return left > 0 ? [...shown, t.more(left)] : shown;
}
