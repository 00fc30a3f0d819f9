/** What can be done with several users. */
export type UserActionName = 'deactivate' | 'reactivate' | 'addToGroup' | 'sendLinks';

/** What can be done with several groups or applications. */
export type SeveralAction = 'deleteGroups' | 'deactivateApplications' | 'activateApplications';

/** The texts of what is done with several groups or applications. */
interface SeveralTexts extends Readonly<Record<SeveralAction, SeveralActionTexts>> {
  readonly withChosen: string;
  readonly nothing: string;
  readonly left: string;
  readonly confirmNumber: (count: string) => string;
  readonly otherNumber: string;
}

interface SeveralActionTexts {
  readonly title: string;
  readonly button: string;
  readonly ask: (count: string) => string;
  readonly done: string;
}

type OfAction<T> = Readonly<Record<UserActionName, T>>;

/** The texts of what is done with several users. */
export interface UserActionTexts {
  readonly choose: string;
  readonly all: string;
  readonly allFound: string;
  readonly withChosen: string;
  readonly nobody: string;
  readonly more: (count: string) => string;
  readonly title: OfAction<string>;
  readonly button: OfAction<string>;
  readonly ask: OfAction<(count: string) => string>;
  readonly group: string;
  /** The first choice of the list of groups, and what a form without a choice gets to read. */
  readonly chooseGroup: string;
  readonly groupHint: string;
  readonly noGroup: string;
  readonly back: string;
  readonly done: string;
  readonly unchanged: string;
  readonly failed: string;
  readonly error: string;
  readonly failures: string;
  /** Why it failed with a user, by the identifier of the error. */
  readonly errors: Readonly<Record<string, string>>;
  readonly otherError: (id: string) => string;
  readonly lost: string;
  readonly several: SeveralTexts;
}
