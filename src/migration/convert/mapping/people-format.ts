import type { JsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { WebauthnCredentialsRecord } from '../../format/webauthn-credentials.record.js';
import type { RowSource } from '../csv/each-row.js';
import type { TableForm } from '../csv/table-form.js';
import type { IdentityLayout } from '../identities/identity-layouts.js';
import type { SourceRecord } from '../reading/source-record.js';
import type { SourceDates } from '../values/dates.js';
import type { Mapping } from './read-mapping.js';
import type { StatedAttribute } from './stated.js';

/** What the caller of a conversion decides about every person. */
export interface PeopleOptions {
  /** Treats every e-mail address as verified, whatever the export says. */
  readonly emailVerified: boolean;
  /** The parameters of Firebase's password hashes, as its console shows them. */
  readonly hashParameters?: string | undefined;
  /** Leaves out hashes that cannot be read. */
  readonly dropHashes?: boolean | undefined;
  /** The RP ID of passkeys, if the export does not say it. */
  readonly rpId?: string | undefined;
}

export type Passkeys = WebauthnCredentialsRecord['credentials'];

/** A person of another system, and notes on values that could not be taken as they are. */
export interface ConvertedPerson {
  readonly record: HumanUserRecord;
  readonly notes: readonly string[];
  /** The full name that the source has, of which a rule may make the first and the last name. */
  readonly fullName?: string | undefined;
  /** Whether the system asks the person for a second factor after the password, of any kind. Absent means no. */
  readonly hasFactor?: boolean;
  /** The WebAuthn credentials of the person. Absent if the system has none. */
  readonly passkeys?: Passkeys;
}

/** A group of another system. Its members are told apart from it, because they may be many. */
export interface SourceGroup {
  /** Its number within the input. */
  readonly number: number;
  /** Absent if the system has none that can be kept. */
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
  readonly name: string;
  /** A longer name, for groups of one name. */
  readonly longName: string;
  /** The name by which memberships know the group. */
  readonly key: string;
  /** When it was created and last changed. A date that an import would refuse is left out with a note. */
  readonly dates?: SourceDates | undefined;
}

/** A member of a group. */
export interface SourceMember {
  /** The number of the group. */
  readonly group: number;
  /** One of the keys of a person. It has no tab and no line feed. */
  readonly key: string;
  /** The member as the input names it. */
  readonly shown: string;
  /** The path of the value in the input. */
  readonly path: string;
}

/** Takes what a source has, in any order. A line is counted from 1. */
export interface SourceVisitor {
  /**
   * @param fields throws a ConversionError for what is no record
   * @param keys the names by which groups know the person
   */
  person(fields: () => JsonObject, line: number, keys?: readonly string[]): void;
  group(group: () => SourceGroup, line: number): void;
  member(member: SourceMember): void;
  /** A person says that it is in the groups with these keys. If the input lacks one, the value of the path is lost. */
  claim(keys: readonly string[], path: string, line: number): void;
  lost(paths: Iterable<string>, line: number): void;
}

/** What a visit of an input has beside its place. */
export interface VisitOptions {
  /** The path of the list of people in a JSON document, if the caller says it. */
  readonly at: string | undefined;
  /** Gets the name of every other member of a JSON document that has a value, and its line. */
  readonly passed: (member: string, line: number) => void;
}

/** A system whose export has one record for each person. */
export interface PeopleFormat {
  /** The name of the system, as a person writes it. */
  readonly system: string;
  /** The members of a JSON export that hold the people. */
  readonly members: readonly string[];
  /** What an input of this system has, for the text of the error about an input without people. */
  readonly shape?: string;
  /** The form of the export as a table, if there is one. */
  readonly table?: TableForm & {
    /** Whether a line is the first of such a table. */
    isFirstLine(line: string): boolean;
    /** Returns a row in the form of the JSON export. */
    read(row: JsonObject): JsonObject;
  };
  /** Visits everything of an input that is neither a table nor JSON with the members above. */
  readonly visit?: (
    source: Omit<RowSource, 'columns'>,
    visitor: SourceVisitor,
    options: VisitOptions,
  ) => Promise<void>;
  /** Whether an input may have neither people nor groups, because another one has them. */
  mayBeEmpty?(path: string): boolean;
  /** Whether people without an identifier get one that is made of the user name. */
  readonly makesIdentifiers?: boolean;
  /** Whether the names of attributes are in lower case, because their letter case means nothing. */
  readonly foldsNames?: boolean;
  /** What an export says of every person. A person without it has none, so an update empties it. */
  readonly states?: readonly StatedAttribute[];
  /** Where a record has links to outside identity providers. They become metadata. */
  readonly identities?: IdentityLayout;
  /** Where a record says that the system asks for a second factor. A value there that is not empty says so. */
  readonly factors?: readonly (readonly string[])[];
  /** Whether a conversion without a mapping guesses one by the names and the first values. */
  readonly isGuessed?: boolean;
  /** Returns the mapping of a conversion without one. */
  readonly mapping?: () => Mapping;
  /**
   * Returns the function that reads a record. It throws a ConversionError for what is no person.
   * @throws StartError when an option is missing or cannot be read
   */
  reader(options: PeopleOptions): (record: SourceRecord) => ConvertedPerson;
}
