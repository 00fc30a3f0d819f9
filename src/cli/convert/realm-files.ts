import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#src/platform/start-error.js';

/**
 * Returns a file, or the files of a folder that `kc.sh export --dir` wrote. They may be compressed afterwards.
 * @param name of the realm. Absent if the folder has one alone
 * @throws StartError when the folder has several realms, or none
 */
export function filesOfRealm(path: string, name?: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).sort();
  const plain = (file: string) => file.replace(/\.(?:gz|zst)$/, '');
  const ending = name === undefined ? '-realm.json' : `${name}-realm.json`;
  const realms = names.filter((file) =>
    name === undefined ? plain(file).endsWith(ending) : plain(file) === ending,
  );
  const [realm = ''] = realms;
  if (realms.length !== 1) {
    throw new StartError(
      `${path} has ${realms.length} realms (${name ?? '*'}-realm.json). Name one with --realm-name`,
    );
  }
  const users = `${plain(realm).slice(0, -'realm.json'.length)}users-`;
  return [realm, ...names.filter((file) => file.startsWith(users))].map((file) => join(path, file));
}
