import type { Content, HeaderName } from './description.js';
import { problemContent } from './problem-schema.js';

/** How a room answers errors, for the document. A room states it in the facts of its routes. */
export interface ErrorForm {
  /** The names of its responses in the document begin with it. */
  readonly name: string;
  readonly content: () => Content | Promise<Content>;
  /**
   * The requests whose media type or coding is refused with 415: those with a body, every one that may change something, or none.
   * Other rooms refuse with 400.
   */
  readonly unsupportedMedia: 'bodies' | 'changes' | 'never';
  /** Headers that its errors of a status may have, beside the usual ones. */
  readonly headers?: Readonly<Record<number, readonly HeaderName[]>>;
  /** Whether requests for an unknown method of an address get this form. Otherwise they get a problem. */
  readonly forUnknownMethods: boolean;
}

/** Problem details (RFC 9457). */
export const problemForm: ErrorForm = {
  name: 'Problem',
  content: problemContent,
  unsupportedMedia: 'changes',
  forUnknownMethods: true,
};

/** A page that people see. */
export const pageForm: ErrorForm = {
  name: 'Page',
  content: () => ({
    'text/html': { schema: { type: 'string', description: 'A page that says what is wrong' } },
  }),
  unsupportedMedia: 'never',
  forUnknownMethods: false,
};
