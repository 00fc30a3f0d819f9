import type { EnrolStep } from '#src/authentication/proofs/index.js';
import { formText } from '#src/http/pages/form-text.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { SignInAtStep } from '../http/begun-sign-in.js';
import type { Visit } from '../http/visit.js';

type Step = SignInAtStep['step'];

/** The day from which the factor is demanded. Undefined if it is demanded already, or an administrator's link led here. */
function dayOf(step: Step): EnrolStep['from'] {
  return 'from' in step ? step.from : undefined;
}

/** Whether an authenticator must verify the person, because the person will begin sign-ins with the factor. */
export function isFirstFactor(step: Step): boolean {
  return 'isFirst' in step && step.isFirst === true;
}

/** Why the page asks the person to set up a factor. */
export function whyEnrolled({ visit, step }: Pick<SignInAtStep, 'visit' | 'step'>): string {
  const { texts: t, language } = visit;
  const day = dayOf(step)?.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' });
  if (isFirstFactor(step)) return day === undefined ? t.enrolFirst : t.enrolFirstLater(day);
  return day === undefined ? t.enrolNow : t.enrolLater(day);
}

/** The button with which the person puts it off, until the day. */
export function laterButton({ texts: t }: Visit, step: Step): Html | false {
  if (dayOf(step) === undefined) return false;
  return html`<p class="buttons"><button type="submit" class="quiet full" name="later" value="1" formnovalidate>${t.enrolNotNow}</button></p>`;
}

/** Whether the form asks to put it off, and the step allows that. */
export function isPutOff(body: unknown, step: Step): boolean {
  return dayOf(step) !== undefined && formText(body, 'later') !== '';
}
