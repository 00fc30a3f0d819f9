import { ProviderFailure, type ProviderFault, type ProviderProblem } from '../provider/provider-failure.js';
import type { NameIdFormat, PersonAtProvider, SamlEndpoint } from '../registry/saml-provider.js';
import type { ExpectedLogout, LogoutOrder } from './expected-logout.js';
import type { ExpectedResponse, SamlAssertion } from './expected-response.js';
import type { SamlDescription } from './read-metadata.js';

/** What a thread does: each task with its question and its answer. Both are values alone. */
export interface SamlTasks {
  verifyResponse: { question: ExpectedResponse; answer: SamlAssertion };
  makeRequest: { question: WantedRequest; answer: Departure };
  describeOurs: { question: OurDescription; answer: string };
  verifyLogoutRequest: { question: ExpectedLogout; answer: LogoutOrder };
  makeLogoutRequest: { question: WantedLogout; answer: Departure };
  makeLogoutAnswer: { question: WantedLogoutAnswer; answer: Departure };
  readMetadata: { question: { readonly xml: string; readonly now: number }; answer: SamlDescription };
}

/** Who this service is at a provider. */
export interface OurSide {
  readonly entityId: string;
  readonly acsUrl: string;
  /** The key and certificate of the connection in the PEM format, if messages are signed. */
  readonly signingKey?: { readonly privateKey: string; readonly certificate: string };
}

/** An authentication request (SAML Core section 3.4.1). */
export interface WantedRequest extends OurSide {
  readonly signIn: SamlEndpoint;
  readonly requestId: string;
  /** A short reference, which the provider returns. */
  readonly relayState: string;
  readonly nameIdFormat: NameIdFormat;
  /** Whether the person must prove itself again. */
  readonly forceAuthn: boolean;
  /** The login name that the person typed, for providers that take it beside the request. */
  readonly loginHint?: string;
}

/** A logout request (SAML Core section 3.7.1). */
export interface WantedLogout extends OurSide {
  /** Where people sign out, by HTTP-Redirect. */
  readonly signOut: string;
  readonly requestId: string;
  readonly relayState: string;
  readonly person: PersonAtProvider;
}

/** The answer to a logout request of the provider. */
export interface WantedLogoutAnswer extends OurSide {
  readonly signOut: string;
  readonly inResponseTo: string;
  /** What the provider sent with its request. '' for nothing. */
  readonly relayState: string;
}

/** How the browser leaves: by a redirect to the address, or by a form with fields. */
export interface Departure {
  readonly address: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** What the metadata of this service says. */
export interface OurDescription extends OurSide {
  readonly nameIdFormat: NameIdFormat;
  /** Where logout messages go. Absent if the connection ends no sessions at the provider. */
  readonly sloUrl?: string;
  /** The key and certificate with which assertions are encrypted for this service. */
  readonly decryptionKey: { readonly privateKey: string; readonly certificate: string };
}

/** A question to a thread. */
export type SamlQuestion = {
  [Task in keyof SamlTasks]: { readonly task: Task; readonly question: SamlTasks[Task]['question'] };
}[keyof SamlTasks];

/** The answer of a thread, or why there is none. */
export type SamlAnswer =
  | { readonly answer: SamlTasks[keyof SamlTasks]['answer'] }
  | {
      readonly problem: ProviderProblem;
      readonly detail: string;
      readonly fault?: ProviderFault | undefined;
    };

type Answering = () => SamlTasks[keyof SamlTasks]['answer'] | Promise<SamlTasks[keyof SamlTasks]['answer']>;

/** Does a task. A refusal is an answer too, because errors lose their class on the way between threads. */
export async function answerTask(work: Answering): Promise<SamlAnswer> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { problem: error.problem, detail: error.message, fault: error.fault };
  }
}
