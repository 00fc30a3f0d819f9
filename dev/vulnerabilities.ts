/** What `npm audit --json` answers: vulnerable packages by name, or why it could not ask. */
export interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, VulnerablePackage>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string; readonly code?: string };
}

interface VulnerablePackage {
  /** Advisories of the package itself, and names of packages that it is vulnerable by. */
  readonly via: readonly (string | Advisory)[];
}

interface Advisory {
  readonly name: string;
  readonly title: string;
  readonly severity: string;
  readonly url: string;
}

/**
 * The advisories of a report that are not to be lived with, a line each.
 * @returns undefined when the registry did not answer
 */
export function seriousAdvisories({ vulnerabilities }: AuditReport): string[] | undefined {
  if (vulnerabilities === undefined) return undefined;
  const advisories = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((cause) => typeof cause !== 'string')
    .filter(({ severity }) => severity === 'high' || severity === 'critical');
  const lines = advisories.map(({ name, title, severity, url }) => `${name}: ${title} (${severity}, ${url})`);
  return [...new Set(lines)];
}

/** Why a report has nothing, shortly. */
export function whyNotAsked({ message, error }: AuditReport): string {
  return (error?.summary || message || error?.code || 'no answer').split('\n', 1)[0] ?? '';
}
