import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#src/platform/start-error.js';

/**
 * Returns a file, or the files of a folder that `kc.sh export --dir` wrote.
 * @param name of the realm. Absent if the folder has one alone
 * @throws StartError when the folder has several realms, or none
 */
export function filesOfRealm(path: string, name?: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).sort();
  const ending = name === undefined ? '-realm.json' : `${name}-realm.json`;
  const realms = names.filter((file) => (name === undefined ? file.endsWith(ending) : file === ending));
  const [realm = ''] = realms;
  if (realms.length !== 1) {
    throw new StartError(
      `${path} has ${realms.length} realms (${name ?? '*'}-realm.json). Name one with --realm-name`,
    );
  }
  const users = `${realm.slice(0, -'realm.json'.length)}users-`;
  return [realm, ...names.filter((file) => file.startsWith(users))].map((file) => join(path, file));
}
