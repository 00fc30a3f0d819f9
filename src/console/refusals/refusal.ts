import type { RefusedValue } from '#src/http/refusals/refusal-in-words.js';

/** The refusal of one value by a page itself, which has a text for it. */
export function refusalOfPage(name: string, text: string, status = 400): ApiRefusal {
  return { status, id: '', errors: [{ path: [name], id: '', params: {}, text }] };
}

/** What the API refuses: an error, and each value that is wrong. */
export interface ApiRefusal {
  readonly status: number;
  /** Of the error. */
  readonly id: string;
  readonly errors: readonly RefusedValue[];
}

/** The errors of an answer of the admin API (RFC 9457) or of SCIM. What is no such list is none. */
export function readErrors(errors: unknown): RefusedValue[] {
  if (!Array.isArray(errors)) return [];
  return errors.map(({ pointer, path, id, params }) => ({
    path: typeof pointer === 'string' ? segmentsOfPointer(pointer) : segmentsOfName(String(path ?? '')),
    id: String(id ?? ''),
    params: typeof params === 'object' && params !== null ? params : {},
  }));
}

/** RFC 6901 section 6. */
function segmentsOfPointer(pointer: string): string[] {
  const [, ...segments] = pointer.split('/');
  return segments.map((one) => decodeURIComponent(one).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The name of an attribute of SCIM. A URN has dots of its own. */
function segmentsOfName(path: string): string[] {
  if (path === '') return [];
  return path.startsWith('urn:') ? [path] : path.replace(/\[(\d+)\]/g, '.$1').split('.');
}
