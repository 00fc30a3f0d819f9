import type { Collection, Filter } from 'mongodb';
import { clientExternalIdPrefix } from '#src/directory/index.js';
import { externalIdKey, type FindTaken, userNameKey, valuesOfKeys } from './unique-values.js';
import type { UserDocument } from './user-document.js';

/** The look-up of the values that only one user of an organization may have. Each kind of value has an index of its own. */
export function createTakenKeys(users: Collection<UserDocument>): FindTaken['takenKeys'] {
  return async (orgId, keys, exceptId) => {
    const others = exceptId === undefined ? {} : { _id: { $ne: exceptId } };
    const find = async <Field extends keyof UserDocument | `search.${'attributes' | 'unique' | 'userName'}`>(
      field: Field,
      values: readonly string[],
    ): Promise<UserDocument[]> => {
      if (values.length === 0) return [];
      const filter = { orgId, [field]: { $in: [...values] }, ...others } as Filter<UserDocument>;
      return users.find(filter, { projection: { [field]: 1 } }).toArray() as Promise<UserDocument[]>;
    };
    const externalIds = valuesOfKeys('externalId', keys);
    const names = valuesOfKeys('userName', keys);
    const isName = new Set(names.map(userNameKey));
    const ofClients = keys.filter((key) => key.startsWith(clientExternalIdPrefix));
    const [named, unique, external, client] = await Promise.all([
      find('search.userName', names),
      find(
        'search.unique',
        keys.filter((key) => !isName.has(key)),
      ),
      // Users that were written before the organization wanted unique ones have no key.
      find('externalId', externalIds),
      find('search.attributes', ofClients),
    ]);
    const taken = [
      ...named.map(({ search }) => userNameKey(search.userName)),
      ...unique.flatMap(({ search }) => search.unique ?? []),
      ...external.flatMap(({ externalId }) => (externalId === undefined ? [] : externalIdKey(externalId))),
      ...client.flatMap(({ search }) => search.attributes),
    ];
    return new Set(taken.filter((key) => keys.includes(key)));
  };
}
