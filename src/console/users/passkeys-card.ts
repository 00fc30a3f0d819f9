import { type Html, html } from '#src/http/pages/html.js';
import { badge, card, moment, table } from '../http/parts.js';
import { pathTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { usersTexts } from './texts/texts.js';

/** A passkey as the admin API shows it. */
export interface Passkey {
  readonly id: string;
  readonly name?: string;
  readonly authenticator?: string;
  readonly synced: boolean;
  readonly usable: boolean;
  readonly created?: string;
  readonly lastUsed?: string;
}

/** What the user knows the passkey by. */
export function passkeyTitle({ name, authenticator, id }: Passkey): string {
  return name ?? authenticator ?? id.slice(0, 12);
}

/** The passkeys of the user. Nothing if there are none. @param path undefined for a person who may only look */
export function passkeysCard(
  { language, at, t }: ConsoleVisit,
  { passkeys, path }: { passkeys: readonly Passkey[]; path: string | undefined },
): Html | false {
  const { removePasskey, signIn } = usersTexts[language];
  const { passkeys: texts } = signIn;
  if (passkeys.length === 0) return false;
  const rows = passkeys.map((passkey) => [
    html`${passkeyTitle(passkey)}${passkey.usable === false && html` ${badge(texts.former, 'bad')}`}`,
    passkey.authenticator ?? '',
    passkey.synced ? texts.synced : texts.bound,
    moment(passkey.created, language) ?? '',
    moment(passkey.lastUsed, language) ?? t.never,
    ...(path === undefined
      ? []
      : [
          html`<a class="button quiet danger" href="${at(`${pathTo(`${path}/passkeys`, passkey.id)}/remove`)}">${removePasskey}</a>`,
        ]),
  ]);
  const columns = [
    ...[texts.name, texts.authenticator, texts.place, texts.added, texts.used],
    ...(path === undefined ? [] : ['']),
  ];
  return card(texts.title, table({ caption: texts.title, columns, rows }));
}
