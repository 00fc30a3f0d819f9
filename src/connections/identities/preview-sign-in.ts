import type { Organization, UserProfileInput } from '#src/directory/index.js';
import { newUser, requireFreeValues } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { leavesOutGroups, mappedMemberships } from '../mapping/claim-values.js';
import { isMultiFactor, type ProvedIdentity } from '../provider/index.js';
import type { Connection } from '../registry/connection.js';
import type { EndNote } from '../registry/credential-ends.js';
import { mappedAttributes, mappedLists } from '../registry/mapping.js';
import { profileOf, trustedAddress } from './claims-to-profile.js';
import { type FindPersonDeps, linkablePerson, requireAdmitted } from './find-person.js';
import { knownPerson, type LinkRule } from './link-identity.js';
import { type PersonRefusal, PersonRefused } from './sign-in-refusal.js';

/** Something about an answer that an administrator should know, although the sign-in may work. */
type AnswerNote =
  /** A service user provisions the people, and the claim that must equal the `externalId` is no text. */
  | 'identifierMissing'
  /** Addresses link, and the provider does not say that this one is verified, or it is in no domain of the connection. */
  | 'addressUntrusted'
  /** The provider does not say when the person signed in there. */
  | 'timeMissing'
  /** Several factors count if the provider says so, and it does not. */
  | 'factorsUnclaimed'
  /** The groups are too many for the token (Entra's overage), or for what is read. */
  | 'groupsElsewhere'
  | EndNote;

/** A claim of an answer, and what this service would do with it. */
interface SeenClaim {
  readonly name: string;
  /** As text, cut. */
  readonly value: string;
  /**
   * `subject`, `identifier`, `strength`, `time`, `tenant`, `verified`, `session`, `checked` (and nothing else), `groups`, or an attribute of a new
   * person. Empty: nothing.
   */
  readonly goesTo: readonly string[];
}

/** What a sign-in would come to. Nothing was written. */
export interface PreviewedSignIn {
  readonly outcome: 'known' | 'linked' | 'created' | 'refused';
  /** Why the sign-in would be refused, or was refused on its way. */
  readonly reason?: string;
  /** More about the reason, without any text of the provider. */
  readonly detail?: string;
  /** The rule that links. */
  readonly rule?: LinkRule;
  /** The person, if there is one. */
  readonly userId?: string;
  /** The values that a new person gets. */
  readonly profile?: Readonly<Record<string, string>>;
  readonly subject?: string;
  readonly isMultiFactor?: boolean;
  readonly claims: readonly SeenClaim[];
  readonly notes: readonly AnswerNote[];
  /** When the client secret, or the last certificate of the provider, ends. */
  readonly credentialEnds?: string;
}

/** The most claims that are shown. */
const mostShown = 100;
/** The longest shown name and value of a claim, in characters. */
const longestShown = 300;

/** What a preview reads. */
export type PreviewDeps = FindPersonDeps;

interface Arrival {
  readonly connection: Connection;
  readonly organization: Organization;
  readonly proved: ProvedIdentity;
}

/** Returns what a sign-in would come to, by the same rules. It links nobody, adds nobody and signs nobody in. */
export async function previewSignIn(deps: PreviewDeps, arrival: Arrival): Promise<PreviewedSignIn> {
  const { connection, proved } = arrival;
  const { subject, claims } = proved;
  const common = {
    subject,
    isMultiFactor: isMultiFactor(
      { strength: connection.strength, acrs: connection.provider.multiFactorAcrs },
      claims,
    ),
    claims: seenClaims(connection, claims),
    notes: notesOf(arrival),
  };
  try {
    return { ...(await personOf(deps, arrival)), ...common };
  } catch (error) {
    if (!(error instanceof PersonRefused)) throw error;
    const { reason, userId } = error;
    return { outcome: 'refused', reason, ...(userId !== undefined && { userId }), ...common };
  }
}

/** @throws PersonRefused */
async function personOf(
  deps: PreviewDeps,
  arrival: Arrival,
): Promise<Pick<PreviewedSignIn, 'outcome' | 'rule' | 'userId' | 'profile'>> {
  const { connection, organization, proved } = arrival;
  const identity = { orgId: connection.orgId, connectionId: connection.id, subject: proved.subject };
  const known = await knownPerson(deps, identity);
  if (known !== undefined) {
    await requireAdmitted(deps, known);
    return { outcome: 'known', userId: known.user.id };
  }
  const linkable = await linkablePerson(deps, arrival);
  if (linkable !== undefined) {
    const { account, rule } = linkable;
    await requireAdmitted(deps, account);
    return { outcome: 'linked', rule, userId: account.user.id };
  }
  if (connection.creation === 'refuse') throw new PersonRefused('unknownPerson');
  const profile = profileOf(connection, organization, proved.claims);
  await requireRoom(deps, organization, profile);
  return { outcome: 'created', profile: shownProfile(profile) };
}

/** @throws PersonRefused `valueTaken` */
async function requireRoom(
  deps: PreviewDeps,
  organization: Organization,
  profile: UserProfileInput,
): Promise<void> {
  try {
    const { user } = await newUser(deps, organization, { profile });
    await requireFreeValues(deps.users, organization, user);
  } catch (error) {
    if (error instanceof AppError) throw new PersonRefused('valueTaken' satisfies PersonRefusal);
    throw error;
  }
}

function shownProfile({ userName, name, displayName, emails, phoneNumbers, ...more }: UserProfileInput) {
  const values: Record<string, string | undefined> = {
    userName,
    givenName: name?.givenName,
    familyName: name?.familyName,
    displayName,
    email: emails?.[0]?.value,
    phoneNumber: phoneNumbers?.[0]?.value,
    preferredLanguage: more.preferredLanguage,
    locale: more.locale,
    timezone: more.timezone,
    title: more.title,
    department: more.department,
    ...Object.fromEntries(
      mappedLists.map((name) => [name, more[name] && cut(more[name].map(({ value }) => value).join(', '))]),
    ),
  };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Claims that this service reads itself. */
const ownUses: Readonly<Record<string, string>> = {
  sub: 'subject',
  acr: 'strength',
  amr: 'strength',
  auth_time: 'time',
  tid: 'tenant',
  hd: 'tenant',
  email_verified: 'verified',
  sid: 'session',
  session_expiry: 'session',
  ...Object.fromEntries(
    ['iss', 'aud', 'azp', 'exp', 'iat', 'nbf', 'nonce', 'at_hash'].map((name) => [name, 'checked']),
  ),
};

function seenClaims(connection: Connection, claims: ProvedIdentity['claims']): SeenClaim[] {
  return Object.entries(claims)
    .filter(([, value]) => value !== undefined)
    .slice(0, mostShown)
    .map(([name, value]) => ({
      name: cut(name),
      value: cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')),
      goesTo: usesOf(connection, name),
    }));
}

function usesOf(connection: Connection, name: string): string[] {
  const { claims: names, linking, mapping } = connection;
  const isSubject = connection.protocol === 'saml' && connection.provider.subjectAttribute === name;
  return [
    ...(isSubject ? ['subject'] : []),
    ...(Object.hasOwn(ownUses, name) ? [ownUses[name] ?? ''] : []),
    ...(linking.provisionedBy !== undefined && linking.identifierClaim === name ? ['identifier'] : []),
    ...mappedAttributes.filter((attribute) => {
      const row = mapping.values.find(({ to }) => to === attribute);
      return row === undefined ? names[attribute] === name : row.from.includes(name);
    }),
    ...(mapping.groups.some(({ claim }) => claim === name) ? ['groups'] : []),
  ];
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

function notesOf({ connection, organization, proved: { claims } }: Arrival): AnswerNote[] {
  const { linking, strength, provider, mapping } = connection;
  const { identifierClaim, provisionedBy, byDomain } = linking;
  const identifier = Object.hasOwn(claims, identifierClaim) ? claims[identifierClaim] : undefined;
  const hasIdentifier = typeof identifier === 'string' && identifier !== '';
  const isMulti = isMultiFactor({ strength, acrs: provider.multiFactorAcrs }, claims);
  const { leftOut } = mappedMemberships(mapping, claims);
  const met: Readonly<Record<Exclude<AnswerNote, EndNote>, boolean>> = {
    identifierMissing: provisionedBy !== undefined && !hasIdentifier,
    addressUntrusted: byDomain && trustedAddress(connection, organization, claims) === undefined,
    timeMissing: typeof claims['auth_time'] !== 'number',
    factorsUnclaimed: strength === 'claimed' && !isMulti,
    groupsElsewhere: leftOut.length > 0 || leavesOutGroups(claims),
  };
  return Object.entries(met).flatMap(([note, isMet]) => (isMet ? [note as AnswerNote] : []));
}
