import type { Collection } from 'mongodb';
import { defaultLoginSettings, foldCase, type Organization, raisedPolicy } from '#src/directory/index.js';
import { pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';
import { documentUpgrade, type Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import type { UserTotalsStore } from './user-totals.store.js';

/** A removal that has begun. */
interface Removal {
  readonly jobId: string;
  readonly since: Date;
}

/** The place of an organization in the order of names. */
export interface NamePlace {
  readonly nameKey: string;
  readonly id: string;
}

/** Organizations are in the order of their folded names, and those of one name in the order of their identifiers. */
export function namePlaceOf({ name, id }: Pick<Organization, 'name' | 'id'>): NamePlace {
  return { nameKey: foldCase(name), id };
}

/** Stores the organizations of the instance. One that is being removed is found by {@link OrganizationsStore.findRemoval} alone. */
export interface OrganizationsStore {
  find(orgId: string, transaction?: Transaction): Promise<Organization | undefined>;
  /** Returns those organizations that exist, by identifier. */
  findMany(orgIds: readonly string[]): Promise<ReadonlyMap<string, Organization>>;
  /** Finds the organization with this domain name, in lower case. */
  findByDomain(domain: string): Promise<Organization | undefined>;
  /** Returns at most 10 organizations with this name. Letter case does not matter. The name proves nothing. */
  findByName(name: string): Promise<Organization[]>;
  /** Returns the organizations that have these domain names, by domain name in lower case. */
  ownersOfDomains(domains: readonly string[]): Promise<Map<string, string>>;
  /** Returns those of these identifiers that organizations have. */
  takenIds(ids: readonly string[]): Promise<Set<string>>;
  /** Returns organizations in the order of their identifiers, after the given one. */
  page(query: { after?: string; limit: number }): Promise<Organization[]>;
  /**
   * Returns organizations whose names begin with this text, in any letter case, in the order of {@link namePlaceOf}.
   * @param query with `ids`, only of these
   */
  pageByName(query: {
    prefix: string;
    after?: NamePlace;
    ids?: readonly string[];
    limit: number;
  }): Promise<Organization[]>;
  /** The number of organizations that {@link pageByName} finds. */
  countByName(query: { prefix: string; ids?: readonly string[] }): Promise<number>;
  /** @throws the duplicate-key error of MongoDB if the identifier or a domain is taken */
  insert(organization: Organization, transaction: Transaction): Promise<void>;
  /** Writes the organization if its version is `expectedVersion`. Returns whether it wrote the organization. */
  replace(organization: Organization, expectedVersion: number, transaction: Transaction): Promise<boolean>;
  /** Replaces a sealed secret with a new seal of it, if it is the one that was read. The version stays. */
  reseal(orgId: string, change: { secret: SealedSecret; from: string; to: string }): Promise<void>;
  /** Finds an organization that is being removed. */
  findRemoval(orgId: string): Promise<(Pick<Organization, 'name'> & Removal) | undefined>;
  /**
   * Marks an organization as being removed, if its version is `expectedVersion`. An organization that is marked gets the new job.
   * Returns whether it was marked.
   */
  beginRemoval(
    orgId: string,
    mark: { removal: Removal; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Gives a removal that has stopped a new job. Returns whether it was the removal of this job. */
  resumeRemoval(
    orgId: string,
    jobs: { from: string; to: string },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes an organization that is being removed by this job. Returns whether it was removed. */
  remove(orgId: string, jobId: string, transaction: Transaction): Promise<boolean>;
}

/** Where an organization has a sealed secret. */
type SealedSecret = 'migrationHook.sealedSecret' | 'passwordPepper.sealed';

type OrganizationDocument = Omit<Organization, 'id' | 'domains' | 'unverifiedDomains'> &
  Partial<Pick<Organization, 'domains' | 'unverifiedDomains'>> & {
    _id: string;
    /** The folded name. Documents of the first version lack it until `muster upgrade`. */
    nameKey?: string;
    /** Present while the organization is being removed. */
    removal?: Removal;
    schemaVersion: 1 | 2;
  };

export const organizationIndexes: CollectionIndexes = {
  collection: 'organizations',
  indexes: [
    { key: { domains: 1 }, unique: true, partialFilterExpression: { domains: { $exists: true } } },
    { key: { nameKey: 1, _id: 1 } },
  ],
};

/** Gives organizations of the first version the key for {@link OrganizationsStore.findByName}. */
export function organizationNamesUpgrade(mongo: Mongo): Upgrade {
  return documentUpgrade<OrganizationDocument>(mongo, {
    name: 'organizations-name-key',
    collection: 'organizations',
    from: 1,
    change: ({ name }) => ({ nameKey: foldCase(name) }),
  });
}

/** @param totals begins the total of the users of a new organization */
export function createOrganizationsStore(
  mongo: Mongo,
  totals: Pick<UserTotalsStore, 'begin'>,
): OrganizationsStore {
  const organizations = mongo.collection<OrganizationDocument>('organizations');
  return {
    async find(orgId, session) {
      const filter = { _id: orgId, ...standing };
      const document = await organizations.findOne(filter, session === undefined ? {} : { session });
      return document === null ? undefined : toOrganization(document);
    },
    async findMany(orgIds) {
      const found = await organizations.find({ _id: { $in: [...orgIds] }, ...standing }).toArray();
      return new Map(found.map((document) => [document._id, toOrganization(document)]));
    },
    async findByDomain(domain) {
      const document = await organizations.findOne({ domains: domain, ...standing });
      return document === null ? undefined : toOrganization(document);
    },
    async findByName(name) {
      const found = await organizations
        .find({ nameKey: foldCase(name), ...standing })
        .limit(10)
        .toArray();
      return found.map(toOrganization);
    },
    async ownersOfDomains(domains) {
      if (domains.length === 0) return new Map();
      const filter = { domains: { $in: [...domains] } };
      const found = await organizations.find(filter, { projection: { domains: 1 } }).toArray();
      return new Map(found.flatMap(({ _id, domains: owned = [] }) => owned.map((domain) => [domain, _id])));
    },
    async takenIds(ids) {
      if (ids.length === 0) return new Set();
      const found = await organizations
        .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    async page({ after, limit }) {
      const documents = await pageById(organizations, standing, { after, limit });
      return documents.map(toOrganization);
    },
    ...namedOrganizations(organizations),
    async insert(organization, transaction) {
      await organizations.insertOne(toDocument(organization), { session: transaction });
      await totals.begin(organization.id, transaction);
    },
    async replace(organization, expectedVersion, transaction) {
      const { _id, ...document } = toDocument(organization);
      const filter = { _id, version: expectedVersion, ...standing };
      return (await organizations.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async reseal(orgId, { secret, from, to }) {
      await organizations.updateOne({ _id: orgId, [secret]: from }, { $set: { [secret]: to } });
    },
    async findRemoval(orgId) {
      const document = await organizations.findOne(
        { _id: orgId, removal: { $exists: true } },
        { projection: { name: 1, removal: 1 } },
      );
      return document?.removal && { name: document.name, ...document.removal };
    },
    async beginRemoval(orgId, { removal, expectedVersion }, transaction) {
      const filter = { _id: orgId, version: expectedVersion, ...standing };
      const update = { $set: { removal }, $inc: { version: 1 } };
      return (await organizations.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async resumeRemoval(orgId, { from, to }, transaction) {
      const filter = { _id: orgId, 'removal.jobId': from };
      const update = { $set: { 'removal.jobId': to } };
      return (await organizations.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },
    async remove(orgId, jobId, transaction) {
      const filter = { _id: orgId, 'removal.jobId': jobId };
      return (await organizations.deleteOne(filter, { session: transaction })).deletedCount === 1;
    },
  };
}

/** Finds organizations by the beginnings of their names. */
function namedOrganizations(
  organizations: Collection<OrganizationDocument>,
): Pick<OrganizationsStore, 'pageByName' | 'countByName'> {
  const named = ({ prefix, ids }: { prefix: string; ids?: readonly string[] }) => ({
    nameKey: prefixRange(foldCase(prefix)),
    ...standing,
    ...(ids && { _id: { $in: [...ids] } }),
  });
  return {
    async pageByName({ after, limit, ...query }) {
      const beyond = after && {
        $or: [{ nameKey: { $gt: after.nameKey } }, { nameKey: after.nameKey, _id: { $gt: after.id } }],
      };
      const found = await organizations
        .find({ ...named(query), ...beyond })
        .sort({ nameKey: 1, _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toOrganization);
    },
    countByName: (query) => organizations.countDocuments(named(query)),
  };
}

/** Not being removed. */
const standing = { removal: { $exists: false } };

/** Without domains, the field is absent. The unique index then skips the document. */
function toDocument({ id, domains, unverifiedDomains, ...fields }: Organization): OrganizationDocument {
  return {
    _id: id,
    ...fields,
    ...(domains.length > 0 && { domains }),
    ...(unverifiedDomains.length > 0 && { unverifiedDomains }),
    nameKey: foldCase(fields.name),
    schemaVersion: 2,
  };
}

/** Documents of earlier versions may have no login settings, or a policy with fewer than 8 characters. */
function toOrganization({
  _id,
  schemaVersion: _,
  nameKey: _key,
  removal: _removal,
  domains = [],
  unverifiedDomains = [],
  ...fields
}: OrganizationDocument): Organization {
  return {
    id: _id,
    domains,
    unverifiedDomains,
    ...fields,
    passwordPolicy: raisedPolicy(fields.passwordPolicy),
    login: fields.login ?? defaultLoginSettings,
  };
}
