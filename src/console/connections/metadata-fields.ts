import { type Html, html } from '#src/http/pages/html.js';
import { field } from '../http/form.js';
import { withSmallFile } from '../http/small-file.js';
import type { Upload } from '../http/uploads.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { type ApiRefusal, refusalOfPage } from '../refusals/refusal.js';
import { connectionsTexts } from './texts/texts.js';

/** The most characters of metadata, as the API takes it. */
const mostCharacters = 262_144;

/** What metadata is refused for stands at its address. A document comes back as little as a file does. */
export const metadataControls = {
  ...{ metadata: 'metadata', 'provider.metadata': 'metadata', 'provider.metadataUrl': 'metadataUrl' },
  ...{ 'provider.issuer': 'metadataUrl', 'provider.signIn.address': 'metadataUrl' },
  ...{ 'provider.certificates': 'metadataUrl', 'connections.providerUnusable': 'metadataUrl' },
  'connections.issuerFixed': 'metadataUrl',
};

/** The three ways to give the metadata of a provider: its address, its text, or a file. The file is the last field of its form. */
export function metadataFields(
  { language }: ConsoleVisit,
  { address, hint }: { address: string; hint?: string },
): Html {
  const texts = connectionsTexts[language];
  return html`<fieldset><legend>${texts.metadata}</legend><p class="hint">${texts.metadataHint}</p>
${field({ name: 'metadataUrl', label: texts.metadataUrl, value: address, maxLength: 500, isExact: true, placeholder: 'https://', hint })}
${field({ name: 'metadata', label: texts.metadataText, rows: 4, isExact: true })}
${field({ name: 'file', label: texts.metadataFile, type: 'file', accept: '.xml,application/samlmetadata+xml,application/xml,text/xml' })}</fieldset>`;
}

/**
 * Reads the metadata of a form, and hands to `use` what the API takes. A file counts before a text. Without any of them, and for a file that is too
 * large, it hands over a refusal.
 * @throws AppError `console.uploadMalformed`, `console.tooManyPages`
 */
export function withMetadata<T>(
  visit: ConsoleVisit,
  { fields, file }: Upload,
  use: (given: { metadata?: string; metadataUrl?: string } | ApiRefusal) => Promise<T>,
): Promise<T> {
  const texts = connectionsTexts[visit.language];
  return withSmallFile({ orgId: param(visit, 'orgId'), file, mostBytes: mostCharacters }, async (bytes) => {
    if (bytes === undefined) return use(refusalOfPage('file', texts.metadataTooLarge));
    const [typed, metadataUrl] = [fields['metadata']?.trim() ?? '', fields['metadataUrl']?.trim() ?? ''];
    const metadata = bytes.length > 0 ? bytes.toString() : typed;
    if (metadata === '' && metadataUrl === '')
      return use(refusalOfPage('metadataUrl', texts.metadataMissing));
    return use({ ...(metadata !== '' && { metadata }), ...(metadataUrl !== '' && { metadataUrl }) });
  });
}
