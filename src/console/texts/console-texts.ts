import type { Role } from '#src/directory/index.js';

/** The texts that all pages of the console share. */
export interface ConsoleTexts {
  readonly skip: string;
  readonly menu: string;
  readonly whereAmI: string;
  readonly myAccount: string;
  /** The documents at `/docs/guides`. */
  readonly guides: string;
  readonly signOut: string;
  readonly switchAccount: string;
  readonly cancel: string;
  readonly save: string;
  readonly add: string;
  readonly remove: string;
  readonly search: string;
  readonly edit: string;
  readonly yes: string;
  /** An empty list or text. */
  readonly none: string;
  readonly no: string;
  readonly active: string;
  readonly inactive: string;
  readonly created: string;
  readonly changed: string;
  readonly name: string;
  readonly total: (count: string) => string;
  readonly found: (count: string) => string;
  readonly foundMore: (count: string) => string;
  readonly sortedBy: string;
  readonly newestFirst: string;
  readonly oldestFirst: string;
  readonly changedFirst: string;
  readonly firstPage: string;
  readonly nextPage: string;
  readonly saved: string;
  readonly removed: string;
  readonly confirmName: (name: string) => string;
  readonly nobody: string;
  readonly never: string;
  readonly identifier: string;
  readonly unknown: string;
  readonly nav: {
    readonly start: string;
    readonly organizations: string;
    readonly migration: string;
    readonly log: string;
    readonly service: string;
    readonly users: string;
    readonly groups: string;
    readonly applications: string;
    readonly projects: string;
    readonly serviceUsers: string;
    readonly provisioning: string;
    readonly connections: string;
    readonly settings: string;
  };
  /** The names of the roles, on every page. */
  readonly roles: Readonly<Record<Role, string>>;
  /** For a person who signed in while the console waited for another one. */
  readonly otherPerson: { readonly title: string; readonly text: string };
  /** At a form whose object somebody else changed while the form was open. */
  readonly changedMeanwhile: {
    readonly text: string;
    readonly sendAgain: string;
    readonly storedNow: string;
  };
  readonly takeRole: {
    readonly title: string;
    text(name: string, role: string): string;
    readonly own: string;
  };
  readonly problems: {
    readonly invalid: string;
    readonly noRole: string;
    readonly forbidden: string;
    readonly notFound: string;
    readonly conflict: string;
    readonly tooMany: string;
    readonly unavailable: string;
  };
  /** What the person is about to do, while the sign-in asks who it is. The names are cut. */
  readonly confirms: {
    giveRole(name: string, role: string): string;
    takeRole(name: string, role: string): string;
    joinGroup(name: string, group: string): string;
    leaveGroup(name: string, group: string): string;
    /** Any other act, by the label of its button. @param object what it is about, '' if nothing names it */
    other(act: string, object: string): string;
  };
  /** At the page of a form that was sent when its person had to sign in again. */
  readonly returned: {
    readonly nothing: string;
    /** Before the label of a button. */
    readonly notDone: string;
    readonly kept: string;
    readonly again: string;
    readonly toForm: string;
  };
}
