import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isInstanceRole, type Permission, permissionsOf, roles } from '#src/directory/index.js';

/** Runs before a route. Throws if the caller lacks a permission. */
export interface Hook {
  (request: FastifyRequest): Promise<void>;
  /** What the caller needs, as a sentence for the API description. */
  readonly needs?: string;
}

/** The hook, with the sentence by which the API description says what a caller needs. */
export function needing(needs: string, hook: (request: FastifyRequest) => Promise<void>): Hook {
  return Object.assign(hook, { needs });
}

/** The roles that give a permission: those of the instance, and those of an organization, as a part of a sentence. */
export function rolesWith(permission: Permission, place?: 'organization'): string {
  const having = roles.filter((role) => permissionsOf[role].includes(permission));
  const ofInstance = having.filter(isInstanceRole).join(' or ');
  const ofOrganization = having.filter((role) => !isInstanceRole(role)).join(' or ');
  const isWide = place === undefined || ofOrganization === '';
  return `The caller needs the role ${ofInstance}${isWide ? '' : `, or in the organization ${ofOrganization}`}`;
}

/**
 * Says in the description of every route of this scope what its hooks ask of a caller, so that the document and the rule are one. Call it
 * before the routes are added.
 */
export function describeCallers(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const { onRequest = [], schema = {} } = route;
    const needs = ([onRequest].flat() as Hook[]).flatMap((hook) => hook.needs ?? []);
    /** A role in the instance alone is what remains of it and others. */
    const strictest = needs.filter((one) => !needs.some((other) => one.startsWith(`${other},`)));
    const sentences = [schema.description, ...strictest].filter((sentence) => sentence !== undefined);
    if (sentences.length === 0) return;
    const description = sentences.map((sentence) => sentence.replace(/\.?$/, '.')).join(' ');
    route.schema = { ...schema, description };
  });
}
