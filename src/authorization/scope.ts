import { adminScope } from '#src/directory/index.js';
import { createLru } from '#src/platform/lru.js';

/** Scopes without a parameter (OpenID Connect Core sections 5.4 and 11). */
export const plainScopes = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'groups',
  'offline_access',
  'urn:service:iam:user:resourceowner',
  'urn:service:iam:user:enterprise',
  'urn:service:iam:user:extensions',
  adminScope,
  'urn:service:iam:org:projects:roles',
] as const;

/** The scope that asks for the roles in every project of the audience. */
export const projectRolesScope = 'urn:service:iam:org:projects:roles' satisfies (typeof plainScopes)[number];

const plain: ReadonlySet<string> = new Set(plainScopes);
const organizationScope = /^urn:service:iam:org:id:([\w.~:-]{1,200})$/;
const projectAudienceScope = /^urn:service:iam:org:project:id:([\w.~:-]{1,200}):aud$/;

/** The content of a scope parameter (RFC 6749 section 3.3). */
interface ParsedScope {
  /** The scopes that this service knows, each once, in the order of the request. */
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  /** Organizations to which the person must belong. */
  readonly organizations: readonly string[];
  /** Projects that are added to the audience. */
  readonly projects: readonly string[];
}

/** Applications use the same few scopes again and again. */
const parsed = createLru<ParsedScope>({ max: 1_000 });
const maxRemembered = 500;

/** Reads a space-delimited scope. The caller decides what to accept. */
export function parseScope(text: string): ParsedScope {
  if (text.length > maxRemembered) return parse(text);
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const scope = parse(text);
  parsed.set(text, scope);
  return scope;
}

function parse(text: string): ParsedScope {
  const known: string[] = [];
  const unknown: string[] = [];
  const organizations: string[] = [];
  const projects: string[] = [];
  for (const scope of splitScope(text)) {
    const organization = organizationScope.exec(scope)?.[1];
    const project = projectAudienceScope.exec(scope)?.[1];
    if (organization !== undefined) organizations.push(organization);
    if (project !== undefined) projects.push(project);
    const isKnown = plain.has(scope) || organization !== undefined || project !== undefined;
    (isKnown ? known : unknown).push(scope);
  }
  return { known, unknown, organizations, projects };
}

/** The scopes in a space-delimited list, each once. */
export function splitScope(text: string): Set<string> {
  return new Set(text.split(' ').filter((scope) => scope !== ''));
}
