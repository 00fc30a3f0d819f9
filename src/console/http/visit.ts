import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import type { Draft } from '../drafts/drafts.store.js';
import type { ConsoleTexts } from '../texts/texts.js';
import type { ConsoleApi, Query } from './api.js';
import type { ConsoleSession } from './console-session.js';

/** The person who is signed in, as `GET /admin/v1/me` says. */
export interface Me {
  readonly userId: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly displayName: string;
  readonly userName: string;
  readonly preferredLanguage?: string;
  readonly timezone?: string;
  readonly signedInAt?: string;
  /** Roles without `orgId` apply to the instance. */
  readonly roles: readonly { readonly role: Role; readonly orgId?: string }[];
  /** The organizations that the roles name. */
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
}

/** A visit of a signed-in person to a page of the console. */
export interface ConsoleVisit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: ConsoleSession;
  readonly api: ConsoleApi;
  readonly me: Me;
  readonly language: Language;
  /** The time zone of the person's profile. Undefined if it has none: the browser's is used then. */
  readonly timeZone: string | undefined;
  /** Whether the person signed in so lately that every step of a form may need it. See {@link requireFreshSignIn}. */
  readonly isFresh: boolean;
  /** The texts that all pages share. */
  readonly t: ConsoleTexts;
  /** The form of this page that the person sent before the sign-in. */
  readonly draft: Draft | undefined;
  /** The address of a path of this service. Every address in a page is made by it, because the base URL may have a path. */
  at(path: string, query?: Query): string;
}

/** Whether the person owns the instance. */
export function ownsInstance({ me }: Pick<ConsoleVisit, 'me'>): boolean {
  return me.roles.some(({ role }) => role === 'IAM_OWNER');
}

/** Whether the person owns the organization, or the instance. */
export function ownsOrganization(visit: Pick<ConsoleVisit, 'me'>, orgId: string): boolean {
  return (
    ownsInstance(visit) || visit.me.roles.some((held) => held.role === 'ORG_OWNER' && held.orgId === orgId)
  );
}

/** Whether the person may change the users of the organization. */
export function managesUsers(visit: Pick<ConsoleVisit, 'me'>, orgId: string): boolean {
  return (
    ownsOrganization(visit, orgId) ||
    visit.me.roles.some((held) => held.role === 'ORG_USER_MANAGER' && held.orgId === orgId)
  );
}

/** A parameter of the path. */
export function param({ request }: Pick<ConsoleVisit, 'request'>, name: string): string {
  return (request.params as Record<string, string | undefined>)[name] ?? '';
}

/** One value of the query: '' if it is absent or repeated. */
export function queryText({ request }: Pick<ConsoleVisit, 'request'>, name: string): string {
  return textOf(request.query, name);
}

/** One field of the form, without spaces at its ends: '' if it is absent or repeated. */
export function fieldText({ request }: Pick<ConsoleVisit, 'request'>, name: string): string {
  return textOf(request.body, name).trim();
}

/** Every value of a field that may be chosen several times. */
export function fieldValues({ request }: Pick<ConsoleVisit, 'request'>, name: string): string[] {
  const fields = (request.body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return [value ?? []].flat().filter((item): item is string => typeof item === 'string' && item !== '');
}

/** The lines of a field, without empty ones. */
export function fieldLines(visit: Pick<ConsoleVisit, 'request'>, name: string): string[] {
  return fieldText(visit, name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function textOf(source: unknown, name: string): string {
  const fields = (source ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : '';
}
