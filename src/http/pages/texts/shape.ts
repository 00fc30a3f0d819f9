/** What went wrong, in the categories that matter to the person who sees the page. */
export type PageErrorKind =
  | 'signIn'
  | 'signOut'
  | 'request'
  | 'notFound'
  | 'tooMany'
  | 'unavailable'
  | 'fault';

export interface ErrorTexts {
  readonly kinds: Readonly<Record<PageErrorKind, { readonly title: string; readonly text: string }>>;
  /** Above what only the developer of the application understands. */
  readonly developer: string;
  /** A link to the guide, which is in English. */
  readonly guide: string;
  readonly problem: string;
  readonly account: string;
  readonly again: string;
}
