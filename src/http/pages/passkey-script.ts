import { hash } from 'node:crypto';
import { type Html, html } from './html.js';

/** What every attribute begins with that {@link passkeyScript} knows. */
const passkeyMarker = ' data-passkey';

/** Whether the page has a form for a passkey, or depends on whether the browser has passkeys, so that it needs {@link passkeyScript}. */
export function hasPasskeys(page: Html): boolean {
  return page.toString().includes(passkeyMarker);
}

/**
 * The field of a form that takes the answer of an authenticator, in JSON. Before, it has the options of the question. The button of
 * the form with `data-passkey-ask` asks the authenticator, and then sends the form.
 * @param asked `act`: `create` makes a passkey, `get` uses one. `isOffered`: whether the browser also offers passkeys in the field for the
 * login name of the page, by itself (WebAuthn Level 3 section 5.1.4, conditional mediation)
 */
export function passkeyField(asked: {
  readonly act: 'create' | 'get';
  readonly options: object;
  readonly isOffered?: boolean;
}): Html {
  const { act, options, isOffered } = asked;
  return html`<input type="hidden" name="response" value="${JSON.stringify(options)}" data-passkey="${act}"${isOffered === true && html` data-offered`}>`;
}

/**
 * Makes the forms with a {@link passkeyField} work. Elements with `data-passkey-on` are shown where the browser has passkeys, and those with
 * `data-passkey-off` are hidden there. In a form, `data-passkey-failed` is shown after an attempt without an answer. Without JavaScript no
 * form is shown, and the other ways of the page remain. A field with `data-passkey-able` gets the value 1 where the device itself can make a
 * passkey that verifies the person.
 */
export const passkeyScript = `{
const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const described = (list) => (list || []).map((one) => ({ ...one, id: toBytes(one.id) }));
function optionsOf(field) {
  const { challenge, user, allowCredentials, excludeCredentials, ...others } = JSON.parse(field.dataset.options);
  return {
    ...others,
    challenge: toBytes(challenge),
    ...(user && { user: { ...user, id: toBytes(user.id) } }),
    ...(allowCredentials && { allowCredentials: described(allowCredentials) }),
    ...(excludeCredentials && { excludeCredentials: described(excludeCredentials) }),
  };
}
function answerOf({ rawId, type, response }) {
  const parts = {};
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name]) parts[name] = toText(response[name]);
  if (response.getTransports) parts.transports = response.getTransports();
  return JSON.stringify({ id: toText(rawId), rawId: toText(rawId), type, response: parts });
}
const browserHas = window.PublicKeyCredential && navigator.credentials;
for (const one of document.querySelectorAll('[data-passkey-on]')) one.hidden = !browserHas;
for (const one of document.querySelectorAll('[data-passkey-off]')) one.hidden = !!browserHas;
const buttonOf = (field) => field.form.querySelector('[data-passkey-ask]');
let waiting;
async function ask(field, how) {
  if (waiting) waiting.abort();
  const asking = new AbortController();
  waiting = asking;
  const credential = await navigator.credentials[field.dataset.passkey]({
    publicKey: optionsOf(field), signal: asking.signal, ...how });
  if (waiting !== asking || !credential) return;
  field.value = answerOf(credential);
  field.form.requestSubmit(buttonOf(field));
}
async function offer(field) {
  const has = PublicKeyCredential.isConditionalMediationAvailable;
  if (has && (await has.call(PublicKeyCredential)))
    await ask(field, { mediation: 'conditional' }).catch(() => undefined);
}
const verifies = browserHas && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable;
for (const field of document.querySelectorAll('[data-passkey-able]'))
  if (verifies)
    verifies.call(PublicKeyCredential).then((can) => { if (can) field.value = '1'; }, () => undefined);
if (browserHas)
  for (const field of document.querySelectorAll('[data-passkey]')) {
    field.dataset.options = field.value;
    const failed = field.form.querySelector('[data-passkey-failed]');
    buttonOf(field).addEventListener('click', (event) => {
      event.preventDefault();
      if (failed) failed.hidden = true;
      ask(field, {}).catch((error) => {
        if (error.name === 'AbortError') return;
        if (failed) failed.hidden = false;
        if ('offered' in field.dataset) offer(field);
      });
    });
    if ('offered' in field.dataset) offer(field);
  }
}
`;

/** The path changes with the content, so that browsers may cache it for ever. */
export const passkeyPath = `/login/assets/${hash('sha256', passkeyScript, 'hex').slice(0, 16)}.js`;
