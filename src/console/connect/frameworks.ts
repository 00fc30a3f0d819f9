import type { ApplicationType } from '#src/clients/applications/index.js';

/** What is connected: an application of a type, or a service user. */
export type ConnectKind = ApplicationType | 'program';

/** How a program of a guide proves itself at the token endpoint or at introspection. */
type Proof = 'client_secret_basic' | 'client_secret_post';

/** A framework for which the console shows a whole program. */
export interface Framework {
  /** Its name in addresses. */
  readonly name: string;
  readonly label: string;
  readonly kind: ConnectKind;
  /** The guide in `docs/guides` that has the program, and the one that registers it if that is another. */
  readonly guide: string;
  readonly registeredBy?: string;
  /** Whether its program takes any path as the redirect URI. Otherwise the framework makes the path. */
  readonly takesAnyPath?: boolean;
  /** How it sends the secret. Absent if it has none. */
  readonly proof?: Proof;
  /** Whether it also works with PKCE alone, without a secret. */
  readonly needsNoSecret?: boolean;
}

const basic = 'client_secret_basic';
const post = 'client_secret_post';
const ofApi = { kind: 'api', registeredBy: 'api-tokens', proof: basic } as const;

/** The frameworks of each kind, the most common first. Another one needs a guide with a whole program, and a line here. */
export const frameworks: readonly Framework[] = [
  {
    name: 'javascript',
    label: 'JavaScript',
    kind: 'spa',
    guide: 'single-page-application',
    takesAnyPath: true,
    needsNoSecret: true,
  },
  {
    name: 'express',
    label: 'Express',
    kind: 'web',
    guide: 'express',
    takesAnyPath: true,
    proof: post,
    needsNoSecret: true,
  },
  { name: 'nextjs', label: 'Next.js', kind: 'web', guide: 'nextjs', proof: basic },
  {
    name: 'fastify',
    label: 'Fastify',
    kind: 'web',
    guide: 'fastify',
    takesAnyPath: true,
    proof: post,
    needsNoSecret: true,
  },
  { name: 'spring-boot', label: 'Spring Boot', kind: 'web', guide: 'spring-boot', proof: basic },
  { name: 'aspnet', label: 'ASP.NET Core', kind: 'web', guide: 'aspnet', proof: post },
  { name: 'django', label: 'Django', kind: 'web', guide: 'django', proof: post },
  {
    name: 'go',
    label: 'Go',
    kind: 'web',
    guide: 'go',
    takesAnyPath: true,
    proof: basic,
    needsNoSecret: true,
  },
  {
    name: 'nodejs',
    label: 'Node.js',
    kind: 'native',
    guide: 'desktop-program',
    takesAnyPath: true,
    needsNoSecret: true,
  },
  { name: 'nodejs', label: 'Node.js', guide: 'api-node', ...ofApi },
  { name: 'spring-boot', label: 'Spring Boot', guide: 'api-spring-boot', ...ofApi },
  { name: 'aspnet', label: 'ASP.NET Core', guide: 'api-aspnet', ...ofApi },
  { name: 'go', label: 'Go', guide: 'api-go', ...ofApi },
  { name: 'python', label: 'Python', guide: 'api-python', ...ofApi },
  { name: 'nodejs', label: 'Node.js', kind: 'program', guide: 'service-program', proof: post },
];

/** The frameworks of a kind. There is at least one. */
export function frameworksOf(kind: ConnectKind): readonly Framework[] {
  return frameworks.filter((framework) => framework.kind === kind);
}

/** The framework of a kind with this name. Undefined if there is none. */
export function frameworkNamed(kind: ConnectKind, name: string): Framework | undefined {
  return frameworks.find((framework) => framework.kind === kind && framework.name === name);
}
