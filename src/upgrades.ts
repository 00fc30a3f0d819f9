import { membershipHomesUpgrade } from '#src/access/memberships/index.js';
import { applicationNamesUpgrade } from '#src/clients/applications/index.js';
import { organizationNamesUpgrade } from '#src/organizations/index.js';
import { groupNamesUpgrade } from '#src/people/groups/index.js';
import { searchKeysUpgrade } from '#src/people/users/index.js';
import type { Mongo } from './platform/mongo/mongo.js';
import type { Upgrade } from './platform/mongo/upgrade-documents.js';

/**
 * The changes that `muster upgrade` makes to the documents of earlier versions, in this order. Make one that
 * changes all documents of a collection with `documentUpgrade`. Keep an entry as long as an instance can have the version before it.
 */
export function upgrades({ mongo }: { readonly mongo: Mongo }): readonly Upgrade[] {
  return [
    organizationNamesUpgrade(mongo),
    searchKeysUpgrade(mongo),
    groupNamesUpgrade(mongo),
    applicationNamesUpgrade(mongo),
    membershipHomesUpgrade(mongo),
  ];
}
