import { type Html, html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import type { ControlNames } from '../http/refused-form.js';
import { ifAddressable, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { apiOf, pathOf } from '../resources/organization-of.js';

/** An application or a service user, whose credentials a page shows. */
export type ClientKind = 'applications' | 'service-users';

/** What a change of credentials leads to. Without any of these, the page is shown anew. */
export interface CredentialOutcome {
  /** What is shown this once. */
  readonly shown?: Html;
  readonly problem?: ApiProblem;
}

/** The fields for credentials whose names differ from those of the API. A page has several forms, and the last day of each has its own name. */
export const credentialNames: ControlNames = {
  jwk: 'jwkJson',
  label: ['label', 'federatedLabel'],
  expires: ['expires', 'keyExpires', 'tokenExpires'],
};

/** The path of the client of the page in the admin API, and below it. */
export function clientApi(visit: ConsoleVisit, kind: ClientKind, below = ''): string {
  return apiOf(visit, `/${kind}/${segmentOf(param(visit, 'id'))}${below}`);
}

/** The path of the client of the page in the console, and below it. */
export function clientPath(visit: ConsoleVisit, kind: ClientKind, below = ''): string {
  return pathOf(visit, `/${kind}/${segmentOf(param(visit, 'id'))}${below}`);
}

/** The link to the page that asks before a credential is removed. Undefined if no address can have its identifier. */
export function removeLink(
  visit: ConsoleVisit,
  kind: ClientKind,
  [list, id]: readonly [list: string, id: string],
): Html | undefined {
  return ifAddressable(
    [clientPath(visit, kind, list), id],
    (of) => html`<a class="button quiet" href="${visit.at(`${of}/remove`)}">${visit.t.remove}</a>`,
  );
}
