import { toBase32, totpAddress } from '#src/accounts/index.js';
import { field } from '#src/http/pages/form.js';
import { html } from '#src/http/pages/html.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm, formButtons } from '../http/account-form.js';
import { accountAddress, type Member } from '../http/member.js';
import { ownCodeField, ownPasswordField, type ProofErrors } from '../http/own-proof.js';
import { qrCode } from './qr-code.js';
import { sealEnrolment } from './totp-enrolment.js';

/** The page that shows a new secret, and asks for its first code. The form carries the secret, sealed. */
export function totpSetUpPage(
  deps: Pick<LoginNeeds, 'clock' | 'config' | 'formSealer'>,
  member: Member,
  { secret, errors = {} }: { secret: Buffer; errors?: ProofErrors },
): PageContent {
  const { visit, account, organization } = member;
  const { texts: t } = visit;
  const address = totpAddress(secret, { issuer: organization.name, account: account.user.userName });
  const key = toBase32(secret).match(/.{4}/g)?.join(' ');
  const content = html`${qrCode(address, t.totpPicture)}
<p class="center"><a href="${address}">${t.totpOpen}</a></p>
<p class="hint center">${t.totpType}</p>
<p class="center key" data-copy><code>${key}</code></p>
<p>${member.hasPassword ? t.totpConfirm : t.enrolConfirm}</p>
${accountForm(deps, member, {
  path: '/account/totp',
  purpose: 'totp',
  hidden: { sealed: sealEnrolment(deps, { userId: account.user.id, secret }) },
  content: html`${ownPasswordField(member, errors.password)}
${field({
  name: 'code',
  label: t.code,
  autocomplete: 'one-time-code',
  isCode: true,
  error: errors.code,
  isFocused: errors.code !== undefined,
})}
${formButtons(member, { label: t.setUp, back: accountAddress(deps, '/account', member) })}`,
})}`;
  return { title: t.totpTitle, subtitle: t.totpScan, content };
}

/** The page that removes the second factor. */
export function totpRemovalPage(
  deps: Pick<LoginNeeds, 'config'>,
  member: Member,
  errors: ProofErrors = {},
): PageContent {
  const { texts: t } = member.visit;
  const content = html`${accountForm(deps, member, {
    path: '/account/totp/remove',
    purpose: 'totp-remove',
    content: html`${ownPasswordField(member, errors.password)}
${ownCodeField(member, errors.code)}
${formButtons(member, { label: t.remove, back: accountAddress(deps, '/account', member) })}`,
  })}
<p class="hint center">${t.lostDevice}</p>`;
  return { title: t.totpRemoveTitle, ...(member.hasPassword && { subtitle: t.totpRemoveText }), content };
}
