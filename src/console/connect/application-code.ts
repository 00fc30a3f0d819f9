import { type GuideProgram, readGuideProgram } from '#src/http/documents/guide-program.js';
import { filled, type Html, html } from '#src/http/pages/html.js';
import { buttons, form } from '../http/form.js';
import { card, exact, guideLink } from '../http/parts.js';
import { linkTo, pathTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { type ShownApplication, takesSecret } from '../resources/application.js';
import { pathOf } from '../resources/organization-of.js';
import { addressesFor, missingAddresses, type ProgramAddresses } from './addresses.js';
import { stepsWith } from './fill-in.js';
import type { Framework } from './frameworks.js';
import { programCards } from './program-steps.js';
import { connectTexts } from './texts/texts.js';

/** A program of a framework for one application, and what the application lacks for it. */
export interface ApplicationProgram {
  readonly program: GuideProgram;
  readonly addresses?: ProgramAddresses | undefined;
}

/** Reads the program of the framework, and chooses its addresses. */
export async function programFor(
  framework: Framework,
  { redirectUris }: ShownApplication,
): Promise<ApplicationProgram> {
  const program = await readGuideProgram(framework.guide);
  return { program, addresses: addressesFor(framework, program, redirectUris) };
}

/**
 * The whole program of a framework with the identifiers and addresses of an application.
 * @param clientSecret right after it was made. Otherwise a mark stands in its place
 */
export async function applicationCode(
  visit: ConsoleVisit,
  framework: Framework,
  application: ShownApplication & { readonly clientSecret?: string },
): Promise<Html> {
  const { projectId, clientId, clientSecret } = application;
  if (framework.kind === 'api' && projectId === undefined) return withoutProject(visit, application);
  const [{ program, addresses }, registration] = await Promise.all([
    programFor(framework, application),
    readGuideProgram(framework.registeredBy ?? framework.guide),
  ]);
  const hasSecret = takesSecret(application);
  const values = {
    issuer: visit.at(''),
    clientId,
    clientSecret: hasSecret ? clientSecret : null,
    redirectUri: addresses?.redirectUri,
    audience: projectId,
  };
  const steps = stepsWith(program, values, registration.environment);
  return html`${proofNote(visit, framework, application)}${addresses && addressesCard(visit, application, { framework, addresses })}
${programCards(visit, { framework, steps, addresses, lacksSecret: hasSecret && clientSecret === undefined })}`;
}

/** What the developer must change if the program proves itself in another way than the application. */
function proofNote(
  { language }: ConsoleVisit,
  framework: Framework,
  application: ShownApplication,
): Html | undefined {
  const { authMethod, strictAuthMethod } = application;
  const { proof, needsNoSecret = false } = framework;
  const works =
    authMethod === 'none'
      ? needsNoSecret
      : takesSecret(application) && (!strictAuthMethod || authMethod === proof);
  if (works || proof === undefined) return undefined;
  const text = connectTexts[language].otherProof;
  return html`<div class="notice pending"><p>${filled(text, { code: html`<code>${proof}</code>`, application: html`<code>${authMethod}</code>` })}</p></div>`;
}

function addressesCard(
  visit: ConsoleVisit,
  application: ShownApplication,
  { framework, addresses }: { framework: Framework; addresses: ProgramAddresses },
): Html {
  const texts = connectTexts[visit.language];
  const missing = Object.values(missingAddresses(application, addresses));
  if (missing.length === 0)
    return card(texts.addresses, html`<p>${exact(addresses.redirectUri)}</p>`, { hint: texts.allowed });
  const list = html`<ul class="plain">${missing.map((address) => html`<li>${exact(address)}</li>`)}</ul>`;
  const add = form(visit, {
    action: `${pathTo(pathOf(visit, '/applications'), application.id)}/connect`,
    hidden: { with: framework.name },
    shown: { version: String(application.version) },
    content: buttons(texts.allow),
  });
  return card(texts.addresses, html`${list}${add}`, { hint: texts.notAllowed });
}

function withoutProject(visit: ConsoleVisit, { id, name }: ShownApplication): Html {
  const texts = connectTexts[visit.language];
  return card(
    name,
    html`<p>${texts.noProject}</p><p>${linkTo(visit, [pathOf(visit, '/applications'), id], texts.toApi)}</p>`,
  );
}

/** The guides for programs of this kind that the console has no whole program for. */
export function otherGuides(visit: ConsoleVisit, { kind }: Pick<Framework, 'kind'>): Html {
  const texts = connectTexts[visit.language];
  const links =
    kind === 'native'
      ? guideLink(visit, 'mobile-app', texts.mobile)
      : html`<a href="${visit.at('/docs/guides')}" hreflang="en" target="_blank" rel="noopener">${texts.allGuides}</a>`;
  return html`<p class="hint">${texts.another} ${links}</p>`;
}
