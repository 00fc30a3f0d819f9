/** The output of `npm audit --json`: vulnerable packages by name, or the reason why npm could not ask. */
export interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, VulnerablePackage>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string; readonly code?: string };
}

interface VulnerablePackage {
  /** Advisories of the package itself, and the names of the dependencies that make it vulnerable. */
  readonly via: readonly (string | Advisory)[];
}

interface Advisory {
  readonly name: string;
  readonly title: string;
  readonly severity: string;
  readonly url: string;
}

/**
 * The advisories of a report that are not accepted. One line per advisory.
 * @returns undefined if the registry did not answer
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

/** The reason why a report has no result, in short. */
export function whyNotAsked({ message, error }: AuditReport): string {
  return (error?.summary || message || error?.code || 'no answer').split('\n', 1)[0] ?? '';
}
