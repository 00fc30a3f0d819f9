import type { Connection } from '#src/connections/registry/index.js';
import type { SetupStep } from '#src/connections/setup/index.js';
import type { SignInTest } from '#src/connections/sign-in/index.js';
import { form } from '#src/http/pages/form.js';
import type { Html, HtmlValue } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { type SetupVisit, setupPurpose } from './setup-session.js';
import type { ShownCredential } from './shown-credential.js';

/** What a page shows beside the steps. */
export interface ShownSetup {
  /** The key of the chosen provider of OpenID Connect. */
  readonly template?: string;
  /** The key of the chosen provider of SAML. */
  readonly saml?: string;
  /** Why a form was refused, for this person: without a name of anybody. */
  readonly refused?: {
    readonly step: SetupStep;
    readonly status: number;
    readonly reason: HtmlValue;
    readonly typed: (name: string) => string;
  };
  readonly credential?: ShownCredential;
  readonly test?: SignInTest | undefined;
  readonly testAddress?: string;
  /** What the look for the record of a domain came to, if the domain is not proved. */
  readonly looked?: string;
}

/** What the steps of the page are made of. */
export interface SetupView {
  readonly deps: Pick<LoginNeeds, 'config'>;
  readonly visit: SetupVisit;
  readonly shown: ShownSetup;
  /** The connection that the link made. */
  readonly connection: Connection | undefined;
  /** The domains that the link named, with the record of each that it has not proved. */
  readonly domains: readonly SetupDomain[];
}

export interface SetupDomain {
  readonly domainName: string;
  /** Absent for a domain that the link has proved. */
  readonly record?: { readonly name: string; readonly value: string };
}

/** A form of a step. Its token works for this step alone. */
export function stepForm(
  { deps, visit }: Pick<SetupView, 'deps' | 'visit'>,
  step: SetupStep,
  path: string,
  content: HtmlValue,
): Html {
  const action = pageAddress(deps, `/setup/${path}`);
  return form({ action, agent: visit.agent, purpose: setupPurpose(step), content });
}
