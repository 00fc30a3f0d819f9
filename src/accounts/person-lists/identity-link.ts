import { createHash } from 'node:crypto';
import { invalidItem, type PersonListKind } from './person-list.js';

/**
 * A link of a person to an account at an identity provider outside. An identity is an organization, a connection of it and a subject. A link
 * without a connection waits: it names the provider as the source did, and signs nobody in.
 */
export interface IdentityLink {
  /** The alias or issuer of the provider in the system that the person came from. */
  readonly provider?: string;
  /** The connection of the organization. */
  readonly connectionId?: string;
  /** The identifier of the account there: `sub` of its ID tokens (OpenID Connect Core section 2), or the NameID. */
  readonly subject: string;
  /** What the account is called there. */
  readonly name?: string;
}

/**
 * Returns whether one of these links is of a connection that is switched on. A link that waits for a connection, and one whose connection is
 * gone, sign nobody in.
 * @param connections of the organization
 */
export function hasServingLink(
  links: Readonly<Record<string, Pick<IdentityLink, 'connectionId'>>> | undefined,
  connections: readonly { readonly id: string; readonly enabled: boolean }[],
): boolean {
  const linked = Object.values(links ?? {}).map(({ connectionId }) => connectionId);
  return connections.some(({ id, enabled }) => enabled && linked.includes(id));
}

/** The longest provider, subject and name, in characters. */
export const longestLinkText = 500;

/** The most links of a person. */
export const mostIdentityLinks = 20;

export const identityLinks: PersonListKind<IdentityLink> = {
  event: 'user.identities.set',
  aggregate: 'identity_links',
  most: mostIdentityLinks,
  // Two systems may have one alias for two providers, so waiting links say nothing about each other.
  uniqueKey: ({ connectionId, subject }) =>
    connectionId === undefined ? undefined : digest('connection', connectionId, subject),
};

/** Returns the links by their keys, after checking them. A link that is there twice is one. @throws AppError `directory.valueInvalid` */
export function linksByKey(links: readonly IdentityLink[]): Record<string, IdentityLink> {
  return Object.fromEntries(
    links.map(({ provider, connectionId, subject, name }) => {
      if (provider === undefined && connectionId === undefined) {
        throw invalidItem('a link has neither provider nor connectionId');
      }
      const texts = { provider, connectionId, subject, name };
      for (const [field, text] of Object.entries(texts)) requireLinkText(field, text);
      const key =
        connectionId === undefined
          ? digest('provider', provider ?? '', subject)
          : digest('connection', connectionId, subject);
      const link: IdentityLink = {
        ...(provider !== undefined && { provider }),
        ...(connectionId !== undefined && { connectionId }),
        subject,
        ...(name !== undefined && { name }),
      };
      return [key, link] as const;
    }),
  );
}

function requireLinkText(field: string, text: string | undefined): void {
  if (text === undefined) return;
  if (text === '' || text.length > longestLinkText || /[\p{Cc}\p{Cs}]/u.test(text)) {
    throw invalidItem(
      `${field} of a link must be 1 to ${longestLinkText} characters without control characters`,
    );
  }
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
