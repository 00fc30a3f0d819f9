import { type Html, html } from '#src/http/pages/html.js';
import { badge, card, table } from '../http/parts.js';
import { pathTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { usersTexts } from './texts/texts.js';

/** An identity as the admin API shows it. */
export interface UserIdentity {
  readonly connectionId: string;
  /** Absent if the connection is gone. */
  readonly connection?: string;
  readonly subject: string;
}

/** The identities by which the user signs in elsewhere. Nothing if there are none. @param path undefined for a person who may only look */
export function identitiesCard(
  { language, at }: ConsoleVisit,
  { identities, path }: { identities: readonly UserIdentity[]; path: string | undefined },
): Html | false {
  const { removeIdentity, signIn } = usersTexts[language];
  const { identities: texts } = signIn;
  if (identities.length === 0) return false;
  const rows = identities.map(({ connectionId, connection, subject }) => [
    connection ?? badge(texts.gone, 'bad'),
    html`<code>${subject}</code>`,
    ...(path === undefined
      ? []
      : [
          html`<a class="button quiet danger" href="${at(`${pathTo(`${path}/identities`, connectionId)}/remove`)}">${removeIdentity}</a>`,
        ]),
  ]);
  const columns = [texts.connection, texts.subject, ...(path === undefined ? [] : [''])];
  return card(texts.title, table({ caption: texts.title, columns, rows }));
}
