import { setImmediate as turn } from 'node:timers/promises';
import type { Auth0Hash, Auth0User } from './auth0-records.js';
import { toldByImport } from './check-item.js';
import type { Problems } from './problems.js';
import { createSpool, partitionOf, type Spool } from './spool.js';

/** What is known of a user by their position among the users that were read: what the join came to. */
export type Joined = { readonly hash: string } | 'dropped';

export interface JoinOptions {
  readonly folder: string;
  /** Into how many partitions the inputs are divided; one partition of either is held at a time. */
  readonly partitions: number;
  readonly problems: Problems;
  readonly files: { readonly users: string; readonly passwords: string };
  readonly signal?: AbortSignal | undefined;
}

/** Finds the hash of each user, and users that are there twice, holding one partition of the keys at a time. */
export interface Join {
  addHash(hash: Auth0Hash, line: number): void;
  addUser(user: Auth0User, at: { position: number; line: number }): void;
  /** Joins what was added. Afterwards the outcomes can be asked for, in the order of the positions. */
  run(): Promise<void>;
  outcome(position: number): Joined | undefined;
}

/** A flag that is set, in a record. */
const yes = 'y';
/** What is known of an identifier; a line is 0 where the file does not have it. */
interface Known {
  readonly fallback: string;
  readonly hash: string;
  readonly line: number;
  userLine: number;
}

/** Positions whose outcomes are held together. */
const rangeLength = 20_000;

export function createJoin({ folder, partitions, problems, files, signal }: JoinOptions): Join {
  const spool = (name: string) => createSpool(folder, name);
  const hashes = spool('hashes');
  const users = spool('users');
  const names = spool('names');
  const hashesLeft = spool('hashes-left');
  const usersLeft = spool('users-left');
  const outcomes = spool('outcomes');
  let range = -1;
  let inRange: Joined[] = [];

  const tell = (severity: 'error' | 'note', file: string, line: number, message: string) =>
    problems.add({ severity, file, line, message });
  const settle = (position: number, hash: string) =>
    outcomes.add(Math.floor(position / rangeLength), [position, hash]);

  /** By identifier. What finds no match waits for the join by address. */
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
      if (fallback !== '')
        usersLeft.add(partitionOf(fallback, partitions), [fallback, position, line, verified]);
    }
    for (const { fallback, hash, line, userLine } of known.values()) {
      if (userLine === 0) hashesLeft.add(partitionOf(fallback, partitions), [fallback, hash, line]);
    }
  }

  /** By address, where exactly one hash and one user without one have it. */
  function joinByAddress(partition: number): void {
    const left = groupByKey(hashesLeft, partition);
    for (const [address, people] of groupByKey(usersLeft, partition)) {
      const candidates = left.get(address) ?? [];
      const [hash = ''] = candidates[0] ?? [];
      const isOne = candidates.length === 1 && people.length === 1;
      if (isOne) left.delete(address);
      for (const [position, line, verified] of people) {
        if (isOne) {
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
      tell('note', files.passwords, Number(line), 'no user has this identifier or address');
    }
  }

  /** A userName is a person's alone within the organization, whatever its letter case. */
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
    outcome(position) {
      const wanted = Math.floor(position / rangeLength);
      if (wanted !== range) {
        range = wanted;
        inRange = [];
        for (const [at, hash = ''] of outcomes.take(range)) {
          const place = Number(at) % rangeLength;
          const isDropped = hash === '' || inRange[place] === 'dropped';
          inRange[place] = isDropped ? 'dropped' : { hash };
        }
      }
      return inRange[position % rangeLength];
    },
  };
}

/** The records of a partition by their first field, without it. */
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
    : 'several users or password hashes have this address; the user sets a password at the first login';
}
