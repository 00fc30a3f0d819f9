import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { AppError } from '#src/platform/errors.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { ApiProblem } from './api.js';
import type { ConsoleVisit } from './visit.js';

/** An identifier as one segment of a path. @throws ApiProblem 400 for `.` and `..`, with which the path would mean another object */
export function segmentOf(id: string): string {
  try {
    return pathSegment(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, definition } = error;
    throw new ApiProblem({ status: 400, id: definition.id, detail: message });
  }
}

/** A path of the given parts. Those after the first are identifiers. @throws ApiProblem as {@link segmentOf} */
export function pathTo(base: string, ...ids: readonly string[]): string {
  return [base, ...ids.map(segmentOf)].join('/');
}

/**
 * A link to the page of an object. Earlier versions stored identifiers that no address can have, and a value such as the manager of a
 * user may be any text. Such an object has its name alone.
 */
export function linkTo(
  { at }: Pick<ConsoleVisit, 'at'>,
  segments: readonly [base: string, ...ids: string[]],
  label: HtmlValue,
): Html {
  return ifAddressable(segments, (path) => html`<a href="${at(path)}">${label}</a>`) ?? html`${label}`;
}

/** Shows a link or a button for an object. Undefined if no address can have its identifier. */
export function ifAddressable(
  segments: readonly [base: string, ...ids: string[]],
  show: (path: string) => Html,
): Html | undefined {
  let path: string;
  try {
    path = pathTo(...segments);
  } catch (error) {
    if (error instanceof ApiProblem) return undefined;
    throw error;
  }
  return show(path);
}
