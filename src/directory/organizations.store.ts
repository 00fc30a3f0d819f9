import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo.js';
import { defaultLoginSettings, type Organization } from './organization.js';

/** Organizations of the instance. */
export interface OrganizationsStore {
  find(orgId: string): Promise<Organization | undefined>;
  /** The one that has this domain name, in lower case. */
  findByDomain(domain: string): Promise<Organization | undefined>;
  /** In the order of their identifiers, after the given one. */
  page(query: { after?: string; limit: number }): Promise<Organization[]>;
  /** @throws the engine's duplicate-key error when the identifier or a domain is taken */
  insert(organization: Organization, transaction: Transaction): Promise<void>;
  /** Writes the organization where its version is still `expectedVersion`; whether it was. */
  replace(organization: Organization, expectedVersion: number, transaction: Transaction): Promise<boolean>;
}

type OrganizationDocument = Omit<Organization, 'id'> & { _id: string; schemaVersion: 1 };

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
    async page({ after, limit }) {
      const documents = await organizations
        .find(after === undefined ? {} : { _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
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
function toDocument({ id, domains, ...fields }: Organization): OrganizationDocument {
  const document = { _id: id, ...fields, schemaVersion: 1 as const };
  return (domains.length === 0 ? document : { ...document, domains }) as OrganizationDocument;
}

/** Organizations that were written before there were login settings have the default ones. */
function toOrganization({ _id, schemaVersion: _, domains, ...fields }: OrganizationDocument): Organization {
  return { id: _id, domains: domains ?? [], ...fields, login: fields.login ?? defaultLoginSettings };
}
