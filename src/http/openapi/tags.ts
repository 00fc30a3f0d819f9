const texts: Readonly<Record<string, string>> = {
  scim: 'Provisioning of users and groups by SCIM 2.0 (RFC 7643, RFC 7644)',
  oauth: 'OAuth 2.0 and OpenID Connect',
  organizations: 'Organizations, their domains and their settings',
  'extension schemas': 'Attributes by which an organization extends its users',
  projects: 'Projects, their roles, and who has them',
  applications: 'Applications, the clients of the OpenID provider',
  'service users': 'Service users, the programs that call SCIM and the administration',
  credentials: 'Secrets, keys and tokens of service users',
  users: 'The access of people: links, locks, sessions and consents',
  'user metadata': 'Values that programs keep with users',
  memberships: 'Roles in the instance, in organizations and of groups',
  features: 'Features of the instance',
  'signing keys': 'Keys that sign tokens',
  events: 'What happened',
  migration: 'Import and export',
  jobs: 'Work that goes on after the response',
  service: 'The service itself',
};

/** The tags of the document in the order of the texts. A tag without a text comes last, and its name describes it. */
export function describedTags(used: readonly string[]): { name: string; description: string }[] {
  const order = [...Object.keys(texts), ...used];
  const names = [...new Set(order)].filter((name) => used.includes(name));
  return names.map((name) => ({ name, description: texts[name] ?? name }));
}
