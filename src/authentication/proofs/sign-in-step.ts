/** A page on which a person proves something. `login` asks who the person is, and for the first proof. */
export type FactorPage = 'login' | 'code' | 'passkey' | 'mailCode';

/** A page on which a person sets up a factor: one-time codes of an app, or a passkey. */
export type EnrolPage = 'enrol' | 'enrolPasskey';

/** A page that may be offered beside another one. `recovery` asks for a recovery code, after which a factor can be set up anew. */
export type WayPage = FactorPage | 'recovery' | EnrolPage;

/** A page of a sign-in. */
export type SignInPage = WayPage | 'verifyEmail' | 'newPassword';

/** Who asks for a step: the person's own second factor, the organization, or the application. */
export type AskedBy = 'person' | 'organization' | 'application';

/** A page that asks for a factor. */
export interface FactorStep<Page extends WayPage = FactorPage> {
  readonly kind: 'page';
  readonly page: Page;
  /** The pages that would do as well. */
  readonly others: readonly WayPage[];
  readonly askedBy: AskedBy;
}

/** The page on which a person sets up a factor that the organization demands. */
export interface EnrolStep {
  readonly kind: 'page';
  readonly page: EnrolPage;
  /** The pages that would do as well. */
  readonly others: readonly WayPage[];
  /** The day from which it is demanded, if that is still to come. The person may then do it later. */
  readonly from?: Date;
  /** Whether the person will begin sign-ins with it, because no password does. */
  readonly isFirst?: true;
}

/** Why a sign-in cannot be completed: the person has no factor that the organization or the application demands. */
export interface RefusedStep {
  readonly kind: 'refused';
  readonly by: 'organization' | 'application';
}

/** What a sign-in needs next. */
export type SignInStep =
  | FactorStep<FactorPage | 'recovery'>
  | EnrolStep
  | { readonly kind: 'page'; readonly page: 'verifyEmail' | 'newPassword' }
  | RefusedStep
  | { readonly kind: 'done' };

/** Whether a step is to set up a factor without which the sign-in does not go on. */
export function isDemandedEnrolment(step: SignInStep): boolean {
  if (step.kind !== 'page' || (step.page !== 'enrol' && step.page !== 'enrolPasskey')) return false;
  return !('from' in step) || step.from === undefined;
}
