import type { FastifyReply, FastifyRequest } from 'fastify';
import { isStillPermitted } from '#src/access/authority/index.js';
import { type SetupLink, type SetupStep, servingSetupLink } from '#src/connections/setup/index.js';
import type { Organization } from '#src/directory/index.js';
import { isCsrfToken } from '#src/http/auth/csrf.js';
import { hostCookie } from '#src/http/base/cookies.js';
import { type Language, pageLanguage } from '#src/http/base/language.js';
import { formText } from '#src/http/pages/form-text.js';
import { organizationStands } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../../http/errors.js';
import type { LoginNeeds } from '../../needs/needs.js';

type Deps = Pick<
  LoginNeeds,
  | 'caches'
  | 'clock'
  | 'config'
  | 'connections'
  | 'memberships'
  | 'personalAccessTokens'
  | 'revocations'
  | 'serviceUsers'
  | 'setupLinks'
  | 'users'
>;

/** A visit of the browser that opened a set-up link. */
export interface SetupVisit {
  readonly link: SetupLink;
  readonly organization: Organization;
  readonly language: Language;
  /** Makes the tokens of the forms. Its secret is that of the browser. */
  readonly agent: { readonly secret: string; readonly hash: string };
}

const secretShape = /^[\w-]{43}$/;

/** What decides whether a set-up link still counts, asked of the rooms. */
export function servingDeps(deps: Deps) {
  return {
    setupLinks: deps.setupLinks,
    connections: deps.connections,
    clock: deps.clock,
    mayChange: (userId: string, orgId: string) =>
      isStillPermitted(deps, { userId }, { permission: 'org.write', orgId }),
    stands: (orgId: string) => organizationStands(deps, orgId),
  };
}

/** Lets the browser keep its secret until the link ends. */
export function rememberSetup(
  { config }: Pick<Deps, 'config'>,
  reply: FastifyReply,
  secret: string,
  seconds: number,
): void {
  hostCookie(config, 'muster-setup').write(reply, secret, seconds);
}

/** The visit of the browser that opened a link. @throws AppError `login.setupEnded` for every other browser, and after the end */
export async function readSetupVisit(deps: Deps, request: FastifyRequest): Promise<SetupVisit> {
  const secret = hostCookie(deps.config, 'muster-setup').read(request) ?? '';
  const link = secretShape.test(secret) ? await servingSetupLink(servingDeps(deps), secret) : undefined;
  const organization = link && (await deps.caches.organizations.get(link.orgId));
  if (link === undefined || organization === undefined) throw new AppError(loginErrors.setupEnded);
  return { link, organization, language: pageLanguage(request), agent: { secret, hash: '' } };
}

/**
 * The visit of a form of a step. @throws AppError `login.setupEnded`, also for a step that the link does not have, `login.formExpired`
 */
export async function readSetupForm(
  deps: Deps,
  request: FastifyRequest,
  step: SetupStep,
): Promise<SetupVisit> {
  const visit = await readSetupVisit(deps, request);
  if (!isCsrfToken(formText(request.body, 'csrf'), visit.agent, setupPurpose(step)))
    throw new AppError(loginErrors.formExpired);
  if (!visit.link.steps.includes(step)) throw new AppError(loginErrors.setupEnded);
  return visit;
}

/** The purpose of the form of a step. */
export function setupPurpose(step: SetupStep): string {
  return `setup ${step}`;
}

/** Whether the connection may be switched on, once: it exists, and a test of it as it is has worked, if the owner asks for one. */
export function maySwitchOn({ connectionId, steps, done }: SetupLink): boolean {
  const isTried = !steps.includes('test') || done.test !== undefined;
  return connectionId !== undefined && isTried && done.switchOn === undefined;
}
