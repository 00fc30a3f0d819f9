import type { SignInPage } from '#src/authentication/proofs/index.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { LoginNeeds } from '../needs/needs.js';
import { verifyEmailPath } from './prove-address.js';
import { mailCodePath } from './send-mail-code.js';

const paths: Readonly<Record<SignInPage, string>> = {
  login: '/login',
  code: '/login/code',
  passkey: '/login/second-passkey',
  mailCode: mailCodePath,
  recovery: '/login/code',
  enrol: '/login/enrol',
  enrolPasskey: '/login/enrol-passkey',
  verifyEmail: verifyEmailPath,
  newPassword: '/login/new-password',
};

/** The page on which a person proves an account for an identity that no rule links. */
export const provePath = '/login/link';

/** The page on which a person who has proved an account links an identity to it. */
export const confirmLinkPath = `${provePath}/confirm`;

/** The address of the page of a step. @param flow of the waiting request, or '' */
export function stepAddress(deps: Pick<LoginNeeds, 'config'>, page: SignInPage, flow: string): string {
  const recovery = page === 'recovery' ? '1' : undefined;
  return pageAddress(deps, paths[page], { request: flow, recovery });
}
