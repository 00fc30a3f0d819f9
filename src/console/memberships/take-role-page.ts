import { html } from '#src/http/pages/html.js';
import { confirmForm } from '../confirmation/confirm-form.js';
import type { ApiProblem } from '../http/api.js';
import { nameInSentence } from '../http/confirm-act.js';
import { alertText } from '../http/problem-page.js';
import type { ConsolePage } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { nameOfUser } from '../resources/name-of-user.js';
import { roleName } from './roles.js';

/** A role as the admin API has it. */
export interface RoleOfUser {
  readonly id: string;
  readonly userId: string;
  readonly role: string;
  /** The organization of the user, if the page belongs to none. */
  readonly userOrgId?: string;
}

/** The page that asks before a role is taken away. */
interface RoleQuestion extends Pick<ConsolePage, 'organization' | 'crumbs'> {
  readonly held: RoleOfUser;
  /** Where the form is posted. */
  readonly action: string;
  /** Where "Cancel" leads. */
  readonly back: string;
  readonly hidden?: Readonly<Record<string, string>>;
}

/** What the person types to confirm: the login name of the user, or the identifier of a user of another organization. */
export async function nameToConfirm(
  visit: ConsoleVisit,
  { userId, userOrgId }: Pick<RoleOfUser, 'userId' | 'userOrgId'>,
): Promise<{ readonly shown: string; readonly typed: string }> {
  const named = await nameOfUser(visit, userId, userOrgId);
  return { shown: named?.name ?? userId, typed: named?.userName ?? userId };
}

/** Asks before a role is taken away. @param why the form was refused: another name was typed, or the API keeps the role */
export async function takeRolePage(
  visit: ConsoleVisit,
  { held, action, back, hidden, ...place }: RoleQuestion,
  why?: 'wrongName' | ApiProblem,
): Promise<ConsolePage> {
  const { t, me } = visit;
  const { shown, typed } = await nameToConfirm(visit, held);
  const isWrong = why === 'wrongName';
  const problem = why === undefined || why === 'wrongName' ? undefined : why;
  return {
    ...place,
    title: t.takeRole.title,
    act: t.confirms.takeRole(nameInSentence(shown), nameInSentence(roleName(visit, held.role))),
    content: confirmForm(visit, {
      action,
      back,
      name: typed,
      label: t.takeRole.title,
      isWrong,
      text: html`<p>${t.takeRole.text(shown, roleName(visit, held.role))}</p>${held.userId === me.userId && html`<p><strong>${t.takeRole.own}</strong></p>`}`,
      ...(hidden && { hidden }),
    }),
    ...(isWrong && { status: 400 }),
    ...(problem && { alert: alertText(visit, problem), status: problem.status }),
  };
}
