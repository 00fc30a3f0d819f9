import type { WebauthnCredential } from '#src/accounts/person-lists/index.js';
import { authenticatorName, type RelyingParty } from '#src/authentication/passkeys/index.js';
import { filled, type Html, html } from '#src/http/pages/html.js';
import { moment } from '#src/http/pages/moment.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountAddress, type Member } from './member.js';
import { section } from './section.js';

type Deps = Pick<LoginNeeds, 'config'>;

/** The part of the account page with the passkeys of the person. */
export function passkeySection(
  deps: Deps,
  member: Member,
  { passkeys, party }: { passkeys: readonly WebauthnCredential[]; party: RelyingParty },
): Html {
  const { texts, language } = member.visit;
  const { passkeys: t } = texts;
  const rows = passkeys.map((passkey) => {
    const { id, lastUsed, created, rpId = party.id } = passkey;
    const edit = pageAddress(deps, '/account/passkeys/edit', { session: member.session.id, passkey: id });
    const used = lastUsed === undefined ? t.unused : filled(t.used, { time: moment(lastUsed, language) });
    return html`<li class="row"><p><strong>${passkeyName(member, passkey)}</strong><br>
<span class="soft">${rpId === party.id ? kindOf(member, passkey) : t.former}<br>
${created !== undefined && html`${filled(t.created, { time: moment(created, language) })}<br>`}
${used}</span></p><a class="button quiet small" href="${edit}">${t.change}</a></li>`;
  });
  const add = html`<a class="button quiet small" href="${accountAddress(deps, '/account/passkeys/new', member)}">${t.add}</a>`;
  const content =
    rows.length === 0
      ? html`<div class="row"><p>${t.none}</p>${add}</div>`
      : html`<ul class="rows">${rows}</ul><p class="buttons">${add}</p>`;
  return section({ id: 'passkeys', title: t.title, text: t.text, content });
}

/** What the person knows the passkey by. */
export function passkeyName({ visit: { texts: t } }: Member, { label }: WebauthnCredential): string {
  return label ?? t.passkeys.usualName;
}

/** Where the passkey is, and what keeps it, as far as it says. */
function kindOf({ visit: { texts } }: Member, { aaguid, backupEligible, label }: WebauthnCredential): string {
  const place = backupEligible ? texts.passkeys.synced : texts.passkeys.bound;
  const name = authenticatorName(aaguid);
  return name === undefined || name === label ? place : `${name} · ${place}`;
}
