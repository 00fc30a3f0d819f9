import type { Organization } from '#src/directory/index.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { policyHint } from '../http/new-password.js';
import { passwordField } from '../http/password-field.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { Registration, RegistrationErrors } from './register-user.js';
import type { RegistrationWay } from './ways-to-register.js';

type Deps = Pick<LoginNeeds, 'config'>;

/** The page on which people register themselves. */
export const registerPath = '/login/register';
/** What a refusal says if the organization has no room for the person. The page is then that of a closed registration. */
export const isFull = 'full';

/** A registration of nobody. */
export const blankRegistration = {
  givenName: '',
  familyName: '',
  email: '',
  userName: '',
} satisfies Registration;

const textFields = Object.keys(blankRegistration) as (keyof typeof blankRegistration)[];

/** What the form of a registration shows. */
interface RegisterForm {
  readonly entered: Registration;
  readonly errors?: RegistrationErrors;
}

/** The purpose of the form of {@link registerPage}. */
export function registerPurpose(flow: string): string {
  return `register ${flow}`;
}

/** The page on which a person registers. */
export function registerPage(
  deps: Deps,
  visit: Visit & { readonly organization: Organization; readonly way: RegistrationWay },
  shown: RegisterForm,
): PageContent {
  const { texts: t, flow, agent, application } = visit;
  const content = html`${form({
    action: pageAddress(deps, registerPath),
    agent,
    purpose: registerPurpose(flow),
    hidden: { request: flow },
    content: fields(visit, shown),
  })}
${toSignIn(deps, visit)}`;
  const subtitle = application && t.continueTo(application.name);
  return { title: t.registerTitle, subtitle, content };
}

/** The page instead of the form, if nobody can register at this moment. */
export function closedPage(deps: Deps, visit: Visit): PageContent {
  const { texts: t } = visit;
  return { title: t.registerTitle, subtitle: t.registrationClosed, content: toSignIn(deps, visit) };
}

function toSignIn(deps: Deps, { texts: t, flow }: Visit): Html {
  return html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${t.haveAccount}</a></p>`;
}

function fields(
  {
    texts: t,
    language,
    organization,
    way,
  }: Visit & { readonly organization: Organization; readonly way: RegistrationWay },
  { entered, errors = {} }: RegisterForm,
): Html {
  const names: (keyof Registration)[] = [...textFields, 'password'];
  const focused = names.find((name) => errors[name] !== undefined) ?? 'givenName';
  const input = (name: keyof Registration, label: string) => ({
    name,
    label,
    error: errors[name],
    isFocused: name === focused,
  });
  const text = (name: (typeof textFields)[number], label: string, autocomplete: string) => ({
    ...input(name, label),
    autocomplete,
    value: entered[name],
  });
  return html`<div class="pair">${field(text('givenName', t.givenName, 'given-name'))}
${field(text('familyName', t.familyName, 'family-name'))}</div>
${field({ ...text('email', t.email, 'email'), type: 'email' })}
${field({ ...text('userName', t.newLoginName, 'username'), hint: t.newLoginNameHint })}
${
  way === 'password'
    ? html`${passwordField(t, {
        ...input('password', t.password),
        autocomplete: 'new-password',
        hint: errors.password === undefined ? policyHint(organization.passwordPolicy, language) : undefined,
      })}
${submit(t.createAccount)}`
    : html`<p class="hint">${t.enrolFirst}</p>
<div hidden data-passkey-on>${submit(t.createAccount)}</div>
<p data-passkey-off>${t.passkeys.unsupported}</p>`
}`;
}
