import { AppError } from '#src/platform/errors.js';
import { createLru, type Lru } from '#src/platform/lru.js';
import { type BatchSize, quickBytes, type ReadPace } from '#src/platform/mongo/paced-reads.js';
import { createKeyedSemaphore, type KeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { eventLoop, type SlicedWork } from '#src/platform/work/loop-scheduler.js';
import {
  createWeightedSemaphore,
  type Permit,
  type WeightedSemaphore,
} from '#src/platform/work/weighted-semaphore.js';
import { scimErrors } from '../protocol/errors.js';

/** Bounds the memory and the time of the event loop that lists of one organization take from others. */
export interface ListPermits {
  open(list: OpenedList): ListWork;
}

interface OpenedList {
  readonly orgId: string;
  readonly noun: 'user' | 'group' | 'group with members';
  /** The most resources. */
  readonly count: number;
  /** The most JSON, in bytes. */
  readonly most: number;
  readonly client: ListClient;
  /** The response is that of a change, which is not refused any more. */
  readonly isOfChange?: boolean;
}

/** The client that a response is for. */
export interface ListClient {
  /** Whether the response was sent, or its connection has ended. */
  isGone(): boolean;
  /** Calls once when the client is gone, also if it is gone already. @returns takes the call back */
  onceGone(call: () => void): () => void;
}

/** A list under way. Its memory counts until it is released, or until its client is gone. */
export interface ListWork extends ReadPace {
  /**
   * Takes a permit for what the list is expected to read. For usual pages it is a permit among the reads of the organization, which is nearly
   * always free. Calling it again does nothing.
   * @throws AppError `scim.tooManyLists`
   */
  begin(): Promise<void>;
  /** Whether the list has many bytes, so that it is rendered in slices of the event loop. */
  isLarge(): boolean;
  /** Waits for something else than a slice of the event loop. */
  away<T>(wait: () => Promise<T>): Promise<T>;
  /** {@link away} for a read of a long list. An organization does one at a time. */
  readPart<T>(read: () => Promise<T>): Promise<T>;
  /**
   * Counts JSON that is in memory. A large list waits for a permit.
   * @throws AppError `scim.tooManyLists`
   */
  holdFor(bytes: number): Promise<void> | undefined;
  /**
   * Everything is read. A permit counts the JSON until the client has taken it.
   * @throws AppError `scim.tooManyLists`
   */
  endReading(body: { readonly bytes: number; readonly isStream: boolean }): Promise<void>;
  /** Nothing of the list counts any more. */
  release(): void;
}

/** The reads of one organization that one process does at once. */
const readsAtOnce = 16;
/** A read counts as so many until one has told how large the resources of the organization are. */
const ofUnknown = 4;
/** The most documents of a batch until then. */
const batchOfUnknown = 32;
/** The most reads of an organization that wait. Each takes its turn within milliseconds. */
const readsWaiting = 1_000;
/** The memory for large lists: of an organization, and of all, in bytes. */
const ofOrganization = 16_777_216;
const ofAll = 67_108_864;
/** The most large lists of an organization that wait. */
const largeWaiting = 64;
const longestWaitMs = 10_000;
/**
 * The most bytes of a batch, unless a single document has more. While MongoDB reads a batch, a write of another organization waits: a MiB takes
 * it some ten milliseconds.
 */
const batchBytes = 262_144;
/** The permit of a large list whose size nobody knows yet, and that of a stream, in bytes. */
const leastLarge = 2_097_152;
const ofStream = 4_194_304;
/** The part of the time of a read that counts as time of the event loop, so that MongoDB has time for other organizations too. */
const ofReading = 0.5;
/** A read counts as so long at most, in milliseconds. In the time of a longer one it has waited, for slices for example. */
const longestReadMs = 50;
/** So long at most waits a part of a list that has begun, in milliseconds. */
const longestPartMs = 600_000;

const detail = `The large lists of the organization that are read or sent have ${ofOrganization / 1_048_576} MiB together. This one has waited for ${longestWaitMs / 1000} seconds, or ${largeWaiting} others wait`;

/** The size of documents of an organization, as its latest lists found them, in bytes. */
interface Sizes {
  /** A moving average. */
  usual: number;
  /** The largest average of a list lately. */
  high: number;
}

export function createListPermits(): ListPermits {
  const refuse = () => new AppError(scimErrors.tooManyLists, { detail, retryAfterSeconds: 5 });
  const shared = { longestWaitMs, refuse };
  const permits: Permits = {
    refuse,
    reads: createWeightedSemaphore({
      ...shared,
      perHolder: readsAtOnce,
      total: Number.POSITIVE_INFINITY,
      waiting: readsWaiting,
    }),
    large: createWeightedSemaphore({
      ...shared,
      perHolder: ofOrganization,
      total: ofAll,
      waiting: largeWaiting,
    }),
    partReads: createKeyedSemaphore({
      ...{ atOnce: 1, waiting: Number.POSITIVE_INFINITY },
      ...{ longestWaitMs: longestPartMs, refuse },
    }),
    learned: createLru<Sizes>({ max: 10_000 }),
  };
  return { open: (list) => new OpenList(permits, list) };
}

/** What the lists of all organizations share in this process. */
interface Permits {
  readonly reads: WeightedSemaphore;
  readonly large: WeightedSemaphore;
  /** Reads of large lists: one of an organization at a time. */
  readonly partReads: KeyedSemaphore;
  /** By the kind of list and the organization. */
  readonly learned: Lru<Sizes>;
  readonly refuse: () => AppError;
}

/** A class, because every search makes one: an object of as many closures took a twentieth of its time. */
class OpenList implements ListWork {
  readonly #permits: Permits;
  readonly #list: OpenedList;
  readonly #slices: SlicedWork;
  readonly #key: string;
  readonly #sizes: Sizes;
  readonly #seen = { documents: 0, bytes: 0 };
  #read: Permit | undefined;
  #held: Permit | undefined;

  constructor(permits: Permits, list: OpenedList) {
    this.#permits = permits;
    this.#list = list;
    this.#slices = eventLoop.begin(list.orgId);
    this.#key = `${list.noun} ${list.orgId}`;
    this.#sizes = permits.learned.get(this.#key) ?? { usual: 0, high: 0 };
  }

  isDue(): boolean {
    return this.#slices.isDue();
  }

  stop(): void {
    this.#slices.stop();
  }

  async turn(): Promise<void> {
    await this.#slices.turn();
    // Nobody gets this response.
    if (this.#list.client.isGone()) throw this.#permits.refuse();
  }

  async away<T>(wait: () => Promise<T>): Promise<T> {
    this.#slices.stop();
    const result = await wait();
    if (this.#held !== undefined) await this.turn();
    return result;
  }

  readPart<T>(read: () => Promise<T>): Promise<T> {
    return this.away(() => this.#inTurn(read));
  }

  fetch<T>(next: () => Promise<T>): Promise<T> {
    return this.#held === undefined ? next() : this.#inTurn(next);
  }

  isLarge(): boolean {
    return this.#held !== undefined;
  }

  async begin(): Promise<void> {
    if (this.#read !== undefined || this.#held !== undefined || this.#list.isOfChange) return;
    const { usual, high } = this.#sizes;
    const { count } = this.#list;
    if (usual * count > quickBytes) await this.#grow(Math.max(leastLarge, high * count));
    else this.#read = await this.#take(this.#permits.reads, usual === 0 ? ofUnknown : 1);
  }

  batchSize(wanted: number): number {
    const { usual } = this.#sizes;
    if (usual === 0) return Math.min(wanted, batchOfUnknown);
    return usual * wanted <= batchBytes ? wanted : Math.max(1, Math.floor(batchBytes / usual));
  }

  arrived({ documents, bytes }: BatchSize): Promise<void> | undefined {
    const { learned } = this.#permits;
    this.#seen.documents += documents;
    this.#seen.bytes += bytes;
    // A request that fails or is given up teaches too.
    if (documents > 0 && !learned.has(this.#key)) {
      const usual = bytes / documents;
      learned.set(this.#key, { usual, high: usual });
    }
    if (this.#held !== undefined) return this.turn();
    if (this.#seen.bytes <= quickBytes) return undefined;
    const expected = (this.#seen.bytes / this.#seen.documents) * this.#list.count;
    return this.#growInTurn(Math.max(leastLarge, expected));
  }

  holdFor(bytes: number): Promise<void> | undefined {
    if (this.#held === undefined) return bytes <= quickBytes ? undefined : this.#growInTurn(leastLarge);
    if (bytes > this.#held.weight()) this.#held.weigh(bytes);
    return undefined;
  }

  async endReading({
    bytes,
    isStream,
  }: {
    readonly bytes: number;
    readonly isStream: boolean;
  }): Promise<void> {
    this.#slices.stop();
    if (isStream && this.#held === undefined) await this.#grow(bytes + ofStream);
    this.#read?.release();
    if (isStream) this.#held?.weigh(bytes + ofStream);
    else this.#held?.weigh(bytes <= quickBytes ? 0 : bytes);
    const seen = this.#seen;
    if (seen.documents === 0) return;
    const sizes = this.#sizes;
    const usual = (seen.bytes + (isStream ? ofStream : 0)) / seen.documents;
    this.#permits.learned.set(this.#key, {
      usual: sizes.usual === 0 ? usual : (3 * sizes.usual + usual) / 4,
      high: Math.max(usual, sizes.high * 0.9),
    });
  }

  release(): void {
    this.#slices.stop();
    this.#read?.release();
    this.#held?.release();
  }

  async #take(from: WeightedSemaphore, weight: number): Promise<Permit> {
    const { orgId, client } = this.#list;
    let takeBack: (() => void) | undefined;
    const permit = await from.take(orgId, weight, (giveUp) => {
      takeBack = client.onceGone(giveUp);
    });
    takeBack?.();
    return permit;
  }

  /** Counts the list as large, once there is room. Until then it keeps its permit among the reads. */
  async #grow(wanted: number): Promise<void> {
    const { orgId, most, client, isOfChange } = this.#list;
    const { large } = this.#permits;
    const weight = Math.min(wanted, most + leastLarge);
    const permit = isOfChange ? large.add(orgId, weight) : await this.#take(large, weight);
    this.#held = permit;
    this.#read?.release();
    client.onceGone(() => permit.release());
  }

  async #growInTurn(wanted: number): Promise<void> {
    await this.#grow(wanted);
    await this.turn();
  }

  /** Runs the read when it is its turn. */
  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    return this.#permits.partReads.run(this.#list.orgId, async () => {
      const begun = performance.now();
      try {
        return await read();
      } finally {
        this.#slices.charge(ofReading * Math.min(performance.now() - begun, longestReadMs));
      }
    });
  }
}
