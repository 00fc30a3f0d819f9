/** Why an administrator should look at something. */
export type AttentionKind = 'locked' | 'failedJob' | 'expiring' | 'expired' | 'oldKey';

/** What a new organization does first. */
export type FirstStep = 'people' | 'application' | 'owner' | 'secondFactor';

/** The texts of the first page. */
export interface StartTexts {
  readonly welcome: (name: string) => string;
  readonly aboutInstance: string;
  readonly aboutOrganization: string;
  readonly attention: string;
  readonly nothing: string;
  readonly running: string;
  readonly nothingRuns: string;
  readonly happened: string;
  readonly noRole: string;
  readonly yourUsers: string;
  readonly firstSteps: Readonly<Record<'title' | 'about' | 'done', string>> &
    Readonly<Record<FirstStep, { readonly label: string; readonly hint: string }>>;
  readonly kinds: Readonly<Record<AttentionKind, string>>;
}
