import { setImmediate as turn } from 'node:timers/promises';
import { importMessage } from '../reading/check-item.js';
import type { KnownProblem } from '../reading/conversion-problems.js';
import { type Problems, refusal } from '../reading/problems.js';
import { createSpool, partitionOf, type Spool } from '../spool.js';
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

/** A user, after a mapping if there is one. */
interface JoinedUser extends Pick<Auth0User, 'key' | 'names'> {
  /** The folded userName. */
  readonly nameKey: string;
  /** Whether the user needs no hash: the address is verified, or a mapping gave a password. */
  readonly isVerified: boolean;
  /** Whether a mapping gave the user a password or a hash. */
  readonly hasPassword: boolean;
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
  /** Whether a mapping gave the user a password or a hash. */
  readonly hasPassword: boolean;
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

/** Finds the hash of each user, and users that occur twice. A user is known by its position among the users. */
export class HashJoin {
  readonly #options: JoinOptions;
  readonly #hashes: Spool;
  readonly #users: Spool;
  readonly #names: Spool;
  readonly #usersLeft: readonly Spool[];
  readonly #hashesLeft: readonly Spool[];
  readonly #results: Spool;
  #range = -1;
  #inRange: Joined[] = [];

  constructor(options: JoinOptions) {
    const spool = (name: string) => createSpool(options.folder, name);
    this.#options = options;
    this.#hashes = spool('hashes');
    this.#users = spool('users');
    this.#names = spool('names');
    this.#usersLeft = keyWords.map((_, pass) => spool(`users-left-${pass}`));
    this.#hashesLeft = keyWords.map((_, pass) => spool(`hashes-left-${pass}`));
    this.#results = spool('outcomes');
  }

  addHash({ key, altKey, names, hash }: Auth0Hash, line: number): void {
    this.#hashes.add(this.#partitionOf(key), [key, hash, line, altKey, ...names]);
  }

  addUser(
    { key, names, nameKey, isVerified, hasPassword }: JoinedUser,
    at: { position: number; line: number },
  ): void {
    const { position, line } = at;
    this.#users.add(this.#partitionOf(key), [
      key,
      position,
      line,
      isVerified ? yes : '',
      hasPassword ? yes : '',
      ...names,
    ]);
    this.#names.add(this.#partitionOf(nameKey), [nameKey, position, line]);
  }

  /** Joins the users and hashes that were added. */
  async run(): Promise<void> {
    const passes = keyWords.map((_, pass) => (partition: number) => this.#joinByPass(pass, partition));
    const steps = [
      (partition: number) => this.#joinByKey(partition),
      ...passes,
      (partition: number) => this.#findTaken(partition),
    ];
    for (const step of steps) {
      for (let partition = 0; partition < this.#options.partitions; partition++) {
        step(partition);
        await turn();
        this.#options.signal?.throwIfAborted();
      }
    }
  }

  /** The result for a user; undefined for a user without a hash. Call it after {@link run}, with rising positions. */
  joined(position: number): Joined | undefined {
    const wanted = Math.floor(position / rangeLength);
    if (wanted !== this.#range) this.#readRange(wanted);
    return this.#inRange[position % rangeLength];
  }

  #readRange(range: number): void {
    this.#range = range;
    this.#inRange = [];
    for (const [at, hash = ''] of this.#results.take(range)) {
      const place = Number(at) % rangeLength;
      const isDropped = hash === '' || this.#inRange[place] === 'dropped';
      this.#inRange[place] = isDropped ? 'dropped' : { hash };
    }
  }

  #partitionOf(key: string): number {
    return partitionOf(key, this.#options.partitions);
  }

  #noteOfUser(line: number, message: string): void {
    const { problems, files } = this.#options;
    problems.add({ severity: 'note', file: files.users, line, message });
  }

  #refuseUser(line: number, known: KnownProblem): void {
    const { problems, files } = this.#options;
    problems.add(refusal({ file: files.users, line }, known));
  }

  #noteOfHash(line: number, message: string): void {
    const { problems, files } = this.#options;
    problems.add({ severity: 'note', file: files.passwords, line, message });
  }

  #refuseHash(line: number, known: KnownProblem): void {
    const { problems, files } = this.#options;
    problems.add(refusal({ file: files.passwords, line }, known));
  }

  /** Stores the result for a user. Without a hash, the user is dropped. */
  #settle(position: number, hash: string): void {
    this.#results.add(Math.floor(position / rangeLength), [position, hash]);
  }

  /** Lets a user wait for the next pass that it has a key for. Without one it has no hash. */
  #leaveUser(user: LeftUser, from: number): void {
    const { position, line, isVerified, hasPassword, isAmbiguous, keys } = user;
    const pass = keys.findIndex((key, place) => place >= from && key !== '');
    if (pass >= 0) {
      const flags = [isVerified, hasPassword, isAmbiguous].map((flag) => (flag ? yes : ''));
      const partition = this.#partitionOf(keys[pass] ?? '');
      this.#usersLeft[pass]?.add(partition, [position, line, ...flags, ...keys]);
    } else if (isVerified) {
      // A person of another identity provider has no names here, and never had a hash. A mapping may have brought one.
      if (!hasPassword && keys.slice(1).some((key) => key !== ''))
        this.#noteOfUser(line, noHash(isAmbiguous));
    } else {
      const cure = 'The file of hashes has none of it. --email-verified says that the addresses are right';
      this.#refuseUser(line, {
        id: 'credentialsMissing',
        params: { detail: `${importMessage('HASH-MISSING')}. ${cure}` },
      });
      this.#settle(position, '');
    }
  }

  /** Lets a hash wait for the next pass that it has a key for. Without one it has no user. */
  #leaveHash({ hash, line, keys }: LeftHash, from: number): void {
    const pass = keys.findIndex((key, place) => place >= from && key !== '');
    if (pass >= 0) this.#hashesLeft[pass]?.add(this.#partitionOf(keys[pass] ?? ''), [hash, line, ...keys]);
    else this.#noteOfHash(line, 'no user has this identifier, or one of the names in this connection');
  }

  /** Joins by identifier. Users and hashes without a match wait for the further passes. */
  #joinByKey(partition: number): void {
    const known = new Map<string, Known>();
    for (const [key = '', hash = '', line, ...keys] of this.#hashes.take(partition)) {
      const first = known.get(key);
      const current = { hash, line: Number(line), keys };
      if (first === undefined) known.set(key, { hash: current, line: current.line, userLine: 0 });
      else if (first.hash.hash !== hash)
        this.#refuseHash(current.line, { id: 'otherHash', params: { line: first.line } });
    }
    for (const [key = '', position, line, verified, hasHash, ...names] of this.#users.take(partition)) {
      const flags = { isVerified: verified === yes, hasPassword: hasHash === yes };
      const user = { position: Number(position), line: Number(line), ...flags };
      const first = known.get(key);
      if (first !== undefined && first.userLine > 0) {
        this.#refuseUser(user.line, { id: 'sameIdentifier', params: { line: first.userLine } });
        this.#settle(user.position, '');
      } else if (first !== undefined) {
        first.userLine = user.line;
        this.#settle(user.position, first.hash.hash);
      } else {
        known.set(key, { hash: { hash: '', line: 0, keys: [] }, line: 0, userLine: user.line });
        this.#leaveUser({ ...user, isAmbiguous: false, keys: [key, ...names] }, 0);
      }
    }
    for (const { hash, userLine } of known.values()) if (userLine === 0) this.#leaveHash(hash, 0);
  }

  /** Joins by a further key, if exactly one waiting user and one waiting hash have it. */
  #joinByPass(pass: number, partition: number): void {
    const word = keyWords[pass];
    const left = groupByKey<LeftHash>(this.#waitingHashes(pass, partition), pass);
    for (const [key, having] of groupByKey<LeftUser>(this.#waitingUsers(pass, partition), pass)) {
      const candidates = left.get(key) ?? [];
      const [[user], [hash]] = [having, candidates];
      if (user !== undefined && hash !== undefined && having.length === 1 && candidates.length === 1) {
        left.delete(key);
        this.#settle(user.position, hash.hash);
        const note = `the password hash is that of the same ${word} and connection`;
        if (word !== undefined) this.#noteOfUser(user.line, note);
      } else {
        for (const one of having) {
          this.#leaveUser({ ...one, isAmbiguous: one.isAmbiguous || candidates.length > 0 }, pass + 1);
        }
      }
    }
    for (const hash of [...left.values()].flat()) this.#leaveHash(hash, pass + 1);
  }

  #waitingHashes(pass: number, partition: number): LeftHash[] | undefined {
    return this.#hashesLeft[pass]?.take(partition).map(([hash = '', line, ...keys]) => {
      return { hash, line: Number(line), keys };
    });
  }

  #waitingUsers(pass: number, partition: number): LeftUser[] | undefined {
    return this.#usersLeft[pass]
      ?.take(partition)
      .map(([position, line, verified, hasHash, ambiguous, ...keys]) => {
        const [isVerified, hasPassword, isAmbiguous] = [verified === yes, hasHash === yes, ambiguous === yes];
        return { position: Number(position), line: Number(line), isVerified, hasPassword, isAmbiguous, keys };
      });
  }

  /** Drops users whose userName an earlier user has. Letter case does not count. */
  #findTaken(partition: number): void {
    const found = new Map<string, string>();
    for (const [name = '', position, line = ''] of this.#names.take(partition)) {
      const first = found.get(name);
      if (first === undefined) {
        found.set(name, line);
      } else {
        this.#refuseUser(Number(line), { id: 'sameName', params: { line: Number(first) } });
        this.#settle(Number(position), '');
      }
    }
  }
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
