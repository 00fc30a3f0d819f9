import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, form } from '../http/form.js';
import { codeBlock, exact, facts } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import type { Upload } from '../http/uploads.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { organizationOf } from '../resources/organization-of.js';
import { metadataControls, metadataFields, withMetadata } from './metadata-fields.js';
import { providerReason } from './provider-reason.js';
import { connectionApi, connectionOf, connectionPath } from './shown-connection.js';
import { crumbsOfConnection } from './switch-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** What a SAML connection knows of its provider, and the form for newer metadata. A connection of OpenID Connect leads to its own page. */
export async function metadataPage(
  visit: ConsoleVisit,
  refused?: { readonly fields: Upload['fields']; readonly problem: ApiRefusal },
): Promise<ConsolePage | GoTo> {
  const { at, t, language } = visit;
  const texts = connectionsTexts[language];
  const [organization, connection] = await Promise.all([organizationOf(visit), connectionOf(visit)]);
  if (connection.protocol !== 'saml') return { goTo: connectionPath(visit) };
  const { name, provider } = connection;
  const address = refused?.fields['metadataUrl'] ?? provider.metadataUrl ?? '';
  const content = form(visit, {
    action: connectionPath(visit, '/metadata'),
    content: html`${metadataFields(visit, { address })}${buttons(t.save, { cancel: { href: at(connectionPath(visit)), label: t.cancel } })}`,
    isMultipart: true,
  });
  const { problem } = refused ?? {};
  return {
    title: texts.metadata,
    subtitle: name,
    organization,
    crumbs: crumbsOfConnection(visit, name),
    content: html`${problem instanceof ApiProblem && providerReason(visit, problem)}<div class="card">${facts(
      [
        [texts.issuer, exact(provider.issuer)],
        [texts.signInAt, exact(provider.signIn.address)],
      ],
    )}${content}</div>
<div class="card"><h2>${texts.certificates}</h2>${provider.unusableCertificates > 0 && html`<p class="hint">${texts.unusableCertificates.replace('{count}', String(provider.unusableCertificates))}</p>`}${provider.certificates.map((certificate) => codeBlock(certificate))}</div>`,
    ...(problem && { refused: { problem, names: metadataControls } }),
  };
}

/** Takes the addresses and certificates of the metadata. */
export function saveMetadata(visit: ConsoleVisit, upload: Upload): Promise<ConsolePage | GoTo> {
  const { fields } = upload;
  return withMetadata(visit, upload, async (given) => {
    if ('errors' in given) return metadataPage(visit, { fields, problem: given });
    // Without an address, nothing reads the metadata every day any more.
    const provider = { ...given, metadataUrl: given.metadataUrl ?? null };
    const change = { protocol: 'saml', provider };
    const problem = await refusalOf(() => visit.api.send('PATCH', connectionApi(visit), change));
    if (problem === undefined) return { goTo: `${connectionPath(visit)}?done=saved` };
    return metadataPage(visit, { fields, problem });
  });
}
