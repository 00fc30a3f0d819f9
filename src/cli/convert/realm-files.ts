import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#src/platform/start-error.js';

/**
 * Returns a file, or the files of a folder that `kc.sh export --dir` wrote.
 * @throws StartError when the folder has several realms, or none
 */
export function filesOfRealm(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).sort();
  const realms = names.filter((name) => name.endsWith('-realm.json'));
  const [realm = ''] = realms;
  if (realms.length !== 1) {
    throw new StartError(
      `${path} has ${realms.length} realms (*-realm.json). Name the files of one, each with --realm`,
    );
  }
  const users = `${realm.slice(0, -'realm.json'.length)}users-`;
  return [realm, ...names.filter((name) => name.startsWith(users))].map((name) => join(path, name));
}
