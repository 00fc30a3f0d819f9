import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { buttons, checkbox, form, isReturned, select } from '../http/form.js';
import { badge, card, exact, facts, moment, table } from '../http/parts.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { serviceTexts } from './texts/texts.js';

export interface ListedSigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly state: 'next' | 'active' | 'retired';
  readonly created: string;
  readonly published?: string;
  readonly activated?: string;
  readonly expires?: string;
}

/** What `GET /admin/v1/signing-keys` says. */
export interface SigningKeyList {
  readonly items: readonly ListedSigningKey[];
  readonly signing: { readonly alg: string; readonly configured: string; readonly until?: string };
}

/** The signing keys, and the form that lets the next ones sign. */
export function signingKeysCard(visit: ConsoleVisit, { items: keys, signing }: SigningKeyList): Html {
  const { at, language, t } = visit;
  const texts = serviceTexts[language];
  const rows = keys.map((key): HtmlValue[] => [
    exact(key.kid),
    key.alg,
    key.published === undefined
      ? badge(texts.withheld)
      : badge(texts.keyStates[key.state], key.state === 'active' ? 'good' : 'soft'),
    moment(key.activated ?? key.created, language),
    moment(key.expires, language),
    key.state === 'retired' &&
      html`<a class="button quiet danger" href="${at(`${keyPath(key.kid)}/remove`)}">${t.remove}</a>`,
  ]);
  const algorithms = [...new Set(keys.map(({ alg }) => alg))];
  const action = '/console/service/keys/rotate';
  const rotate = form(visit, {
    action,
    content: html`${select({ name: 'alg', label: texts.rotateWhich, choices: [{ value: '', label: texts.everyAlgorithm }, ...algorithms.map((alg) => ({ value: alg, label: alg }))] })}
${checkbox({ name: 'force', label: texts.force, hint: texts.forceHint })}${buttons(texts.rotate)}`,
  });
  const isWaiting = signing.alg !== signing.configured;
  const usual = facts([
    [texts.signsByDefault, signing.alg],
    [texts.configured, isWaiting && signing.configured],
    [texts.signsFrom, isWaiting && moment(signing.until, language)],
  ]);
  const columns = [texts.key, texts.algorithm, texts.state, texts.since, texts.until, t.remove];
  return card(
    texts.signingKeys,
    html`${usual}${table({ caption: texts.signingKeys, columns, rows })}
<details${isReturned(visit, action) && html` open`}><summary>${texts.rotate}</summary>${rotate}</details>`,
    { hint: texts.signingKeysHint },
  );
}

/** The path of its pages. */
export function keyPath(kid: string): string {
  return `/console/service/keys/${segmentOf(kid)}`;
}
