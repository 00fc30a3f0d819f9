import type { GuideStep } from '#src/http/documents/guide-program.js';
import { filled, type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { card, codeBlock, guideLink } from '../http/parts.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ProgramAddresses } from './addresses.js';
import type { Framework } from './frameworks.js';
import { connectTexts } from './texts/texts.js';

interface ShownProgram {
  readonly framework: Framework;
  readonly steps: readonly GuideStep[];
  readonly addresses?: ProgramAddresses | undefined;
  /** Whether a mark stands in place of the secret. */
  readonly lacksSecret: boolean;
}

/** The files and commands of a program, in their order, and what to do then. */
export function programCards(
  visit: ConsoleVisit,
  { framework, steps, addresses, lacksSecret }: ShownProgram,
): Html {
  const texts = connectTexts[visit.language];
  const cards = steps.map((step, at) => {
    if (step.kind === 'run') return card(texts.run, codeBlock(step.text, { run: true }));
    const hint = at === 0 && lacksSecret ? { hint: texts.secretHint } : {};
    const sentence = step.isAddition ? texts.addTo : texts.saveAs;
    const title = filled(sentence, { file: html`<code>${step.name}</code>` });
    return card(title, codeBlock(step.text, { file: step.name }), hint);
  });
  return html`${cards}${card(
    texts.afterwards,
    html`<p>${nextStep(visit, framework, addresses)}</p>
<p>${guideLink(visit, framework.guide, texts.guide)}</p>`,
  )}`;
}

function nextStep(
  { language }: ConsoleVisit,
  { kind }: Framework,
  addresses: ProgramAddresses | undefined,
): HtmlValue {
  const texts = connectTexts[language];
  if (kind === 'native') return texts.openPrinted;
  if (kind === 'api') return texts.callIt;
  if (kind === 'program' || addresses === undefined) return texts.programPrints;
  const start = `${new URL(addresses.redirectUri).origin}/`;
  return filled(texts.open, {
    address: html`<a href="${start}" target="_blank" rel="noopener">${start}</a>`,
  });
}
