import { setImmediate as turn } from 'node:timers/promises';
import type { Auth0Hash, Auth0User } from './auth0-records.js';
import { toldByImport } from './check-item.js';
import type { Problems } from './problems.js';
import { createSpool, partitionOf, type Spool } from './spool.js';

/** The result of the join for one user. */
export type Joined = { readonly hash: string } | 'dropped';

export interface JoinOptions {
  readonly folder: string;
  /** The number of partitions of the inputs. One partition is in memory at a time. */
  readonly partitions: number;
  readonly problems: Problems;
  readonly files: { readonly users: string; readonly passwords: string };
  readonly signal?: AbortSignal | undefined;
}

/** Finds the hash of each user, and users that occur twice. A user is known by its position among the users. */
export interface Join {
  addHash(hash: Auth0Hash, line: number): void;
  addUser(user: Auth0User, at: { position: number; line: number }): void;
  /** Joins the users and hashes that were added. */
  run(): Promise<void>;
  /** The result for a user; undefined for a user without a hash. Call it after {@link run}, with rising positions. */
  joined(position: number): Joined | undefined;
}

/** The value of a set flag in a record. */
const yes = 'y';
/** What the inputs say of one identifier. A line is 0 if the file does not have the identifier. */
interface Known {
  readonly fallback: string;
  readonly hash: string;
  readonly line: number;
  userLine: number;
}

/** The number of positions whose results are in memory at a time. */
const rangeLength = 20_000;

export function createJoin({ folder, partitions, problems, files, signal }: JoinOptions): Join {
  const spool = (name: string) => createSpool(folder, name);
  const hashes = spool('hashes');
  const users = spool('users');
  const names = spool('names');
  const hashesLeft = spool('hashes-left');
  const usersLeft = spool('users-left');
  const results = spool('outcomes');
  let range = -1;
  let inRange: Joined[] = [];

  const tell = (severity: 'error' | 'note', file: string, line: number, message: string) =>
    problems.add({ severity, file, line, message });
  const settle = (position: number, hash: string) =>
    results.add(Math.floor(position / rangeLength), [position, hash]);

  /** Joins by identifier. Users and hashes without a match wait for the join by address. */
  function joinByKey(partition: number): void {
    const known = new Map<string, Known>();
    for (const [key = '', fallback = '', hash = '', line] of hashes.take(partition)) {
      const first = known.get(key);
      if (first === undefined) known.set(key, { fallback, hash, line: Number(line), userLine: 0 });
      else if (first.hash !== hash)
        tell('error', files.passwords, Number(line), `another hash for the identifier of line ${first.line}`);
    }
    for (const [key = '', fallback = '', position = '', line = '', verified = ''] of users.take(partition)) {
      const first = known.get(key);
      if (first !== undefined && first.userLine > 0) {
        tell('error', files.users, Number(line), `the same identifier as line ${first.userLine}`);
        settle(Number(position), '');
        continue;
      }
      if (first !== undefined) {
        first.userLine = Number(line);
        settle(Number(position), first.hash);
        continue;
      }
      known.set(key, { fallback, hash: '', line: 0, userLine: Number(line) });
      if (fallback !== '') {
        usersLeft.add(partitionOf(fallback, partitions), [fallback, position, line, verified]);
      } else if (verified !== yes) {
        tell('error', files.users, Number(line), toldByImport('HASH-MISSING'));
        settle(Number(position), '');
      }
    }
    for (const { fallback, hash, line, userLine } of known.values()) {
      if (userLine === 0) hashesLeft.add(partitionOf(fallback, partitions), [fallback, hash, line]);
    }
  }

  /** Joins by address, if exactly one waiting user and one waiting hash have it. */
  function joinByAddress(partition: number): void {
    const left = groupByKey(hashesLeft, partition);
    for (const [address, people] of groupByKey(usersLeft, partition)) {
      const candidates = left.get(address) ?? [];
      const [hash = ''] = candidates[0] ?? [];
      const isOne = candidates.length === 1 && people.length === 1;
      if (isOne) left.delete(address);
      for (const [position, line, verified] of people) {
        if (isOne) {
          tell(
            'note',
            files.users,
            Number(line),
            'the password hash is that of the same address and connection',
          );
          settle(Number(position), hash);
        } else if (verified === yes) {
          tell('note', files.users, Number(line), noHash(candidates.length));
        } else {
          tell('error', files.users, Number(line), toldByImport('HASH-MISSING'));
          settle(Number(position), '');
        }
      }
    }
    for (const [, line] of [...left.values()].flat()) {
      tell(
        'note',
        files.passwords,
        Number(line),
        'no user has this identifier, or this address and connection',
      );
    }
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
    addHash({ key, fallback, hash }, line) {
      hashes.add(partitionOf(key, partitions), [key, fallback, hash, line]);
    },
    addUser({ key, fallback = '', nameKey, isVerified }, { position, line }) {
      users.add(partitionOf(key, partitions), [key, fallback, position, line, isVerified ? yes : '']);
      names.add(partitionOf(nameKey, partitions), [nameKey, position, line]);
    },
    async run() {
      for (const step of [joinByKey, joinByAddress, findTaken]) {
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

/** Groups the records of a partition by their first field. The groups do not have that field. */
function groupByKey(spool: Spool, partition: number): Map<string, string[][]> {
  const groups = new Map<string, string[][]>();
  for (const [key = '', ...rest] of spool.take(partition)) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [rest]);
    else group.push(rest);
  }
  return groups;
}

function noHash(candidates: number): string {
  return candidates === 0
    ? 'no password hash; the user sets a password at the first login'
    : 'several users or password hashes have this address and connection; the user sets a password at the first login';
}
