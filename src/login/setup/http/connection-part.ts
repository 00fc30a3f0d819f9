import { samlAddresses } from '#src/connections/registry/index.js';
import { redirectUriOf } from '#src/connections/sign-in/index.js';
import { exact } from '#src/http/pages/copy.js';
import { field, submit } from '#src/http/pages/form.js';
import { filled, type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { samlSteps } from '#src/http/providers/saml/saml-steps.js';
import { type SamlTemplate, samlTemplateOf, samlTemplates } from '#src/http/providers/saml/saml-templates.js';
import { type ProviderTemplate, templateOf, templates } from '#src/http/providers/templates.js';
import { providerSteps } from '#src/http/providers/texts/texts.js';
import { setupTexts } from '../texts/texts.js';
import { type SetupView, stepForm } from './setup-view.js';

/** The step that connects the sign-in: the choice of the provider, or what the chosen one must know and is asked for. */
export function connectionStep(view: SetupView): HtmlValue {
  const { shown } = view;
  const template = templateOf(shown.template ?? '');
  const saml = samlTemplateOf(shown.saml ?? '');
  if (template !== undefined) return oidcPart(view, template);
  return saml === undefined ? choice(view) : samlPart(view, saml);
}

/** The providers of both protocols. A connection keeps its protocol. */
function choice({ deps, visit, connection }: SetupView): Html {
  const t = setupTexts[visit.language];
  const list = (parameter: string, all: readonly { key: string; name?: string }[], other: string) =>
    html`<ul>${all.map(({ key, name }) => html`<li><a href="${pageAddress(deps, '/setup', { [parameter]: key })}">${name ?? other}</a></li>`)}</ul>`;
  const { protocol } = connection ?? {};
  return html`${connection && html`<p><strong>${connection.name}</strong> <code>${connection.provider.issuer}</code></p>`}
${protocol !== 'saml' && html`<p>${t.choose}</p>${list('template', templates, t.otherProvider)}`}
${protocol !== 'oidc' && html`<p>${t.chooseSaml}</p>${list('saml', samlTemplates, t.otherSaml)}`}`;
}

function oidcPart(view: SetupView, template: ProviderTemplate): Html {
  const { deps, visit } = view;
  const { language } = visit;
  const t = setupTexts[language];
  const steps = providerSteps[language][template.key].split('\n');
  return html`<p>${t.callback}</p><p>${exact(redirectUriOf(deps.config, connectionOf(view)))}</p>${stepList(steps)}
${refusalOf(view)}
${stepForm(view, 'connection', 'connection', html`<input type="hidden" name="template" value="${template.key}">${oidcFields(view, template)}${submit(t.save)}`)}`;
}

function samlPart(view: SetupView, template: SamlTemplate): Html {
  const { deps, visit, shown } = view;
  const { language } = visit;
  const t = setupTexts[language];
  const { entityId, acsUrl } = samlAddresses(deps.config, connectionOf(view));
  const typed = shown.refused?.typed;
  const { key, provider, metadata } = template;
  const fields = html`<input type="hidden" name="saml" value="${key}">
${field({ name: 'metadataUrl', label: t.metadataUrl, value: typed?.('metadataUrl'), autocomplete: 'off', hint: metadata.name, isOptional: true })}
<div class="field"><label for="metadata">${t.metadataText}</label><textarea id="metadata" name="metadata" rows="4" autocomplete="off" spellcheck="false"></textarea></div>
${field({ name: 'subjectAttribute', label: t.subjectAttribute, value: typed?.('subjectAttribute') ?? provider.subjectAttribute, autocomplete: 'off', hint: t.subjectAttributeHint, isOptional: true })}`;
  return html`<p>${template.entityId}</p><p>${exact(entityId)}</p><p>${template.acsUrl}</p><p>${exact(acsUrl)}</p>${stepList(samlSteps(language, template))}
${refusalOf(view)}
${stepForm(view, 'connection', 'saml', html`${fields}${submit(t.save)}`)}`;
}

/** The connection of the link. Its addresses are known before it exists. */
function connectionOf({ visit: { link } }: SetupView): { orgId: string; id: string } {
  return { orgId: link.orgId, id: link.connectionId ?? link.newConnectionId };
}

function stepList(steps: readonly string[]): Html {
  return html`<ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>`;
}

function refusalOf({ visit, shown }: SetupView): HtmlValue {
  const { refused } = shown;
  if (refused?.step !== 'connection') return undefined;
  const text = filled(setupTexts[visit.language].refused, { reason: refused.reason });
  return html`<p class="error" role="alert">${text}</p>`;
}

function oidcFields({ visit, shown, connection }: SetupView, template: ProviderTemplate): Html {
  const t = setupTexts[visit.language];
  const typed = shown.refused?.typed;
  const asked = [
    ...template.asks.map(({ placeholder: hint, ...value }) => ({ ...value, hint })),
    { name: 'clientId', label: template.clientId, usual: '', hint: undefined },
  ];
  return html`${asked.map(({ name, label, usual = '', hint }) => field({ name, label, value: typed?.(name) ?? usual, autocomplete: 'off', hint }))}
${field({
  name: 'clientSecret',
  label: template.clientSecret,
  type: 'password',
  autocomplete: 'new-password',
  hint: connection === undefined ? t.secretHint : t.secretKept,
  isOptional: connection !== undefined || template.key === 'other',
})}`;
}
