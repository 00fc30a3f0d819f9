import { pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { defaultLoginSettings, type Organization } from './organization.js';

/** Organizations of the instance. */
export interface OrganizationsStore {
  find(orgId: string): Promise<Organization | undefined>;
  /** The one that has this domain name, in lower case. */
  findByDomain(domain: string): Promise<Organization | undefined>;
  /** Which organizations have these domain names, in lower case, by domain name. */
  ownersOfDomains(domains: readonly string[]): Promise<Map<string, string>>;
  /** In the order of their identifiers, after the given one. */
  page(query: { after?: string; limit: number }): Promise<Organization[]>;
  /** @throws the engine's duplicate-key error when the identifier or a domain is taken */
  insert(organization: Organization, transaction: Transaction): Promise<void>;
  /** Writes the organization where its version is still `expectedVersion`; whether it was. */
  replace(organization: Organization, expectedVersion: number, transaction: Transaction): Promise<boolean>;
}

type OrganizationDocument = Omit<Organization, 'id' | 'domains' | 'unverifiedDomains'> &
  Partial<Pick<Organization, 'domains' | 'unverifiedDomains'>> & { _id: string; schemaVersion: 1 };

export const organizationIndexes: CollectionIndexes = {
  collection: 'organizations',
  indexes: [{ key: { domains: 1 }, unique: true, partialFilterExpression: { domains: { $exists: true } } }],
};

export function createOrganizationsStore(mongo: Mongo): OrganizationsStore {
  const organizations = mongo.collection<OrganizationDocument>('organizations');
  return {
    async find(orgId) {
      const document = await organizations.findOne({ _id: orgId });
      return document === null ? undefined : toOrganization(document);
    },
    async findByDomain(domain) {
      const document = await organizations.findOne({ domains: domain });
      return document === null ? undefined : toOrganization(document);
    },
    async ownersOfDomains(domains) {
      if (domains.length === 0) return new Map();
      const filter = { domains: { $in: [...domains] } };
      const found = await organizations.find(filter, { projection: { domains: 1 } }).toArray();
      return new Map(found.flatMap(({ _id, domains: owned = [] }) => owned.map((domain) => [domain, _id])));
    },
    async page({ after, limit }) {
      const documents = await pageById(organizations, {}, { after, limit });
      return documents.map(toOrganization);
    },
    async insert(organization, transaction) {
      await organizations.insertOne(toDocument(organization), { session: transaction });
    },
    async replace(organization, expectedVersion, transaction) {
      const { _id, ...document } = toDocument(organization);
      const filter = { _id, version: expectedVersion };
      return (await organizations.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
  };
}

/** No domain is kept as no field, which the unique index then leaves out. */
function toDocument({ id, domains, unverifiedDomains, ...fields }: Organization): OrganizationDocument {
  return {
    _id: id,
    ...fields,
    ...(domains.length > 0 && { domains }),
    ...(unverifiedDomains.length > 0 && { unverifiedDomains }),
    schemaVersion: 1,
  };
}

/** Organizations that were written before there were login settings have the default ones. */
function toOrganization({
  _id,
  schemaVersion: _,
  domains = [],
  unverifiedDomains = [],
  ...fields
}: OrganizationDocument): Organization {
  return { id: _id, domains, unverifiedDomains, ...fields, login: fields.login ?? defaultLoginSettings };
}
