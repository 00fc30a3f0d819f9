import { setImmediate as turn } from 'node:timers/promises';
import { toldByImport } from '../reading/check-item.js';
import type { Problems } from '../reading/problems.js';
import { createSpool, partitionOf } from '../spool.js';
import type { Auth0Hash, Auth0User } from './auth0-records.js';

/** The result of the join for one user. */
type Joined = { readonly hash: string } | 'dropped';

interface JoinOptions {
  readonly folder: string;
  /** The number of partitions of the inputs. One partition is in memory at a time. */
  readonly partitions: number;
  readonly problems: Problems;
  readonly files: { readonly users: string; readonly passwords: string };
  readonly signal?: AbortSignal | undefined;
}

/** Finds the hash of each user, and users that occur twice. A user is known by its position among the users. */
interface Join {
  addHash(hash: Auth0Hash, line: number): void;
  addUser(user: JoinedUser, at: { position: number; line: number }): void;
  /** Joins the users and hashes that were added. */
  run(): Promise<void>;
  /** The result for a user; undefined for a user without a hash. Call it after {@link run}, with rising positions. */
  joined(position: number): Joined | undefined;
}

/** A user, after a mapping if there is one. */
interface JoinedUser extends Pick<Auth0User, 'key' | 'names'> {
  /** The folded userName. */
  readonly nameKey: string;
  /** Whether the user needs no hash: the address is verified, or a mapping gave a password. */
  readonly isVerified: boolean;
}

/** The value of a set flag in a record. */
const yes = 'y';

/** What the inputs say of one identifier. A line is 0 if the file does not have the identifier. */
interface Known {
  readonly hash: LeftHash;
  readonly line: number;
  userLine: number;
}

/** What a user and a hash without a match may be joined by, in this order. The first is the other identifier of the hash. */
type Keys = readonly string[];

interface LeftUser {
  readonly position: number;
  readonly line: number;
  readonly isVerified: boolean;
  /** Whether several users or hashes had one of the names. */
  readonly isAmbiguous: boolean;
  readonly keys: Keys;
}

interface LeftHash {
  readonly hash: string;
  readonly line: number;
  readonly keys: Keys;
}

/** The words for the keys. Another identifier needs no note. */
const keyWords = [undefined, 'address', 'user name', 'telephone number'];

/** The number of positions whose results are in memory at a time. */
const rangeLength = 20_000;

export function createJoin({ folder, partitions, problems, files, signal }: JoinOptions): Join {
  const spool = (name: string) => createSpool(folder, name);
  const hashes = spool('hashes');
  const users = spool('users');
  const names = spool('names');
  const usersLeft = keyWords.map((_, pass) => spool(`users-left-${pass}`));
  const hashesLeft = keyWords.map((_, pass) => spool(`hashes-left-${pass}`));
  const results = spool('outcomes');
  let range = -1;
  let inRange: Joined[] = [];

  const tell = (severity: 'error' | 'note', file: string, line: number, message: string) =>
    problems.add({ severity, file, line, message });
  const settle = (position: number, hash: string) =>
    results.add(Math.floor(position / rangeLength), [position, hash]);

  /** Lets a user wait for the next pass that it has a key for. Without one it has no hash. */
  function leaveUser(user: LeftUser, from: number): void {
    const { position, line, isVerified, isAmbiguous, keys } = user;
    const pass = keys.findIndex((key, place) => place >= from && key !== '');
    if (pass >= 0) {
      const flags = [isVerified ? yes : '', isAmbiguous ? yes : ''];
      usersLeft[pass]?.add(partitionOf(keys[pass] ?? '', partitions), [position, line, ...flags, ...keys]);
    } else if (isVerified) {
      // A person of another identity provider has no names here, and never had a hash.
      if (keys.slice(1).some((key) => key !== '')) tell('note', files.users, line, noHash(isAmbiguous));
    } else {
      const cure = 'The file of hashes has none of it. --email-verified says that the addresses are right';
      tell('error', files.users, line, `${toldByImport('HASH-MISSING')}. ${cure}`);
      settle(position, '');
    }
  }

  /** Lets a hash wait for the next pass that it has a key for. Without one it has no user. */
  function leaveHash({ hash, line, keys }: LeftHash, from: number): void {
    const pass = keys.findIndex((key, place) => place >= from && key !== '');
    if (pass >= 0) hashesLeft[pass]?.add(partitionOf(keys[pass] ?? '', partitions), [hash, line, ...keys]);
    else
      tell(
        'note',
        files.passwords,
        line,
        'no user has this identifier, or one of the names in this connection',
      );
  }

  /** Joins by identifier. Users and hashes without a match wait for the further passes. */
  function joinByKey(partition: number): void {
    const known = new Map<string, Known>();
    for (const [key = '', hash = '', line, ...keys] of hashes.take(partition)) {
      const first = known.get(key);
      const own = { hash, line: Number(line), keys };
      if (first === undefined) known.set(key, { hash: own, line: own.line, userLine: 0 });
      else if (first.hash.hash !== hash)
        tell('error', files.passwords, own.line, `another hash for the identifier of line ${first.line}`);
    }
    for (const [key = '', position, line, verified, ...names] of users.take(partition)) {
      const user = { position: Number(position), line: Number(line), isVerified: verified === yes };
      const first = known.get(key);
      if (first !== undefined && first.userLine > 0) {
        tell('error', files.users, user.line, `the same identifier as line ${first.userLine}`);
        settle(user.position, '');
      } else if (first !== undefined) {
        first.userLine = user.line;
        settle(user.position, first.hash.hash);
      } else {
        known.set(key, { hash: { hash: '', line: 0, keys: [] }, line: 0, userLine: user.line });
        leaveUser({ ...user, isAmbiguous: false, keys: [key, ...names] }, 0);
      }
    }
    for (const { hash, userLine } of known.values()) if (userLine === 0) leaveHash(hash, 0);
  }

  /** Joins by a further key, if exactly one waiting user and one waiting hash have it. */
  function joinByPass(pass: number): (partition: number) => void {
    const word = keyWords[pass];
    return (partition) => {
      const waiting = hashesLeft[pass]?.take(partition).map(([hash = '', line, ...keys]) => {
        return { hash, line: Number(line), keys };
      });
      const left = groupByKey<LeftHash>(waiting, pass);
      const people = usersLeft[pass]
        ?.take(partition)
        .map(([position, line, verified, ambiguous, ...keys]) => {
          const [isVerified, isAmbiguous] = [verified === yes, ambiguous === yes];
          return { position: Number(position), line: Number(line), isVerified, isAmbiguous, keys };
        });
      for (const [key, having] of groupByKey<LeftUser>(people, pass)) {
        const candidates = left.get(key) ?? [];
        const [[user], [hash]] = [having, candidates];
        if (user !== undefined && hash !== undefined && having.length === 1 && candidates.length === 1) {
          left.delete(key);
          settle(user.position, hash.hash);
          const note = `the password hash is that of the same ${word} and connection`;
          if (word !== undefined) tell('note', files.users, user.line, note);
        } else {
          for (const one of having) {
            leaveUser({ ...one, isAmbiguous: one.isAmbiguous || candidates.length > 0 }, pass + 1);
          }
        }
      }
      for (const hash of [...left.values()].flat()) leaveHash(hash, pass + 1);
    };
  }

  /** Drops users whose userName an earlier user has. Letter case does not count. */
  function findTaken(partition: number): void {
    const found = new Map<string, string>();
    for (const [name = '', position, line = ''] of names.take(partition)) {
      const first = found.get(name);
      if (first === undefined) {
        found.set(name, line);
      } else {
        tell('error', files.users, Number(line), `the same userName as line ${first}`);
        settle(Number(position), '');
      }
    }
  }

  return {
    addHash({ key, altKey, names: own, hash }, line) {
      hashes.add(partitionOf(key, partitions), [key, hash, line, altKey, ...own]);
    },
    addUser({ key, names: own, nameKey, isVerified }, { position, line }) {
      users.add(partitionOf(key, partitions), [key, position, line, isVerified ? yes : '', ...own]);
      names.add(partitionOf(nameKey, partitions), [nameKey, position, line]);
    },
    async run() {
      const passes = keyWords.map((_, pass) => joinByPass(pass));
      for (const step of [joinByKey, ...passes, findTaken]) {
        for (let partition = 0; partition < partitions; partition++) {
          step(partition);
          await turn();
          signal?.throwIfAborted();
        }
      }
    },
    joined(position) {
      const wanted = Math.floor(position / rangeLength);
      if (wanted !== range) {
        range = wanted;
        inRange = [];
        for (const [at, hash = ''] of results.take(range)) {
          const place = Number(at) % rangeLength;
          const isDropped = hash === '' || inRange[place] === 'dropped';
          inRange[place] = isDropped ? 'dropped' : { hash };
        }
      }
      return inRange[position % rangeLength];
    },
  };
}

/** Groups records by one of their keys. */
function groupByKey<Left extends { readonly keys: Keys }>(
  records: readonly Left[] = [],
  pass: number,
): Map<string, Left[]> {
  const groups = new Map<string, Left[]>();
  for (const record of records) {
    const key = record.keys[pass] ?? '';
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}

function noHash(isAmbiguous: boolean): string {
  return isAmbiguous
    ? 'several users or password hashes have this address or name and connection; the user sets a password at the first login'
    : 'no password hash; the user sets a password at the first login';
}
