import { formText } from '#src/http/pages/form-text.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The value of `to` in an address or a form of the login page that leads to the account page. */
export const accountPlace = 'account';

/** The address of the login page for a person who asked for the account page. */
export function loginToAccount(deps: Pick<LoginNeeds, 'config'>): string {
  return pageAddress(deps, '/login', { to: accountPlace });
}

/** Whether the query or the form of the login page says that the person asked for the account page. */
export function isToAccount(source: unknown): boolean {
  return formText(source, 'to') === accountPlace;
}

/** The query of the login page that says the same as its form. */
export function toAccountQuery(body: unknown): { readonly to?: string } {
  return toAccountPlace(isToAccount(body));
}

/** The query of the login page for a person who asked for the account page, or did not. */
export function toAccountPlace(toAccount: boolean): { readonly to?: string } {
  return toAccount ? { to: accountPlace } : {};
}
