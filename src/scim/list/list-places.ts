import { AppError } from '#src/platform/errors.js';
import { createLru } from '#src/platform/lru.js';
import { type BatchSize, quickBytes, type ReadPace } from '#src/platform/mongo/paced-reads.js';
import { eventLoop } from '#src/platform/work/loop-scheduler.js';
import { createShares } from '#src/platform/work/shares.js';
import { createWeightedSemaphore, type Place } from '#src/platform/work/weighted-semaphore.js';
import { scimErrors } from '../protocol/errors.js';

/** Bounds the memory and the time of the event loop that lists of one organization take from others. */
export interface ListPlaces {
  open(list: OpenedList): ListWork;
}

export interface OpenedList {
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
   * Takes a place for what the list is expected to read. For usual pages it is a place among the reads of the organization, which is nearly
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
   * Counts JSON that is in memory. A large list waits for a place.
   * @throws AppError `scim.tooManyLists`
   */
  holdFor(bytes: number): Promise<void> | undefined;
  /**
   * Everything is read. A place counts the JSON until the client has taken it.
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
/** The most bytes of a batch, unless a single document has more. */
const batchBytes = 1_048_576;
/** The place of a large list whose size nobody knows yet, and that of a stream, in bytes. */
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

export function createListPlaces(): ListPlaces {
  const refuse = () => new AppError(scimErrors.tooManyLists, { detail, retryAfterSeconds: 5 });
  const shared = { longestWaitMs, refuse };
  const reads = createWeightedSemaphore({
    ...shared,
    perHolder: readsAtOnce,
    total: Number.POSITIVE_INFINITY,
    waiting: readsWaiting,
  });
  const large = createWeightedSemaphore({
    ...shared,
    perHolder: ofOrganization,
    total: ofAll,
    waiting: largeWaiting,
  });
  const partReads = createShares({
    ...{ atOnce: 1, waiting: Number.POSITIVE_INFINITY },
    ...{ longestWaitMs: longestPartMs, refuse },
  });
  const learned = createLru<Sizes>({ max: 10_000 });

  function open({ orgId, noun, count, most, client, isOfChange = false }: OpenedList): ListWork {
    const slices = eventLoop.begin(orgId);
    const key = `${noun} ${orgId}`;
    const sizes = learned.get(key) ?? { usual: 0, high: 0 };
    const seen = { documents: 0, bytes: 0 };
    let read: Place | undefined;
    let held: Place | undefined;

    async function take(from: typeof large, weight: number): Promise<Place> {
      let takeBack: (() => void) | undefined;
      const place = await from.take(orgId, weight, (giveUp) => {
        takeBack = client.onceGone(giveUp);
      });
      takeBack?.();
      return place;
    }

    /** Counts the list as large, once there is room. Until then it keeps its place among the reads. */
    async function grow(wanted: number): Promise<void> {
      const weight = Math.min(wanted, most + leastLarge);
      const place = isOfChange ? large.add(orgId, weight) : await take(large, weight);
      held = place;
      read?.release();
      client.onceGone(() => place.release());
    }

    async function turn(): Promise<void> {
      await slices.turn();
      // Nobody gets this response.
      if (client.isGone()) throw refuse();
    }

    async function away<T>(wait: () => Promise<T>): Promise<T> {
      slices.stop();
      const result = await wait();
      if (held !== undefined) await turn();
      return result;
    }

    /** Runs the read when it is its turn. */
    const inTurn = <T>(read: () => Promise<T>) =>
      partReads.run(orgId, async () => {
        const begun = performance.now();
        try {
          return await read();
        } finally {
          slices.charge(ofReading * Math.min(performance.now() - begun, longestReadMs));
        }
      });

    return {
      ...slices,
      turn,
      away,
      readPart: (read) => away(() => inTurn(read)),
      fetch: (next) => (held === undefined ? next() : inTurn(next)),
      isLarge: () => held !== undefined,
      async begin() {
        if (read !== undefined || held !== undefined || isOfChange) return;
        if (sizes.usual * count > quickBytes) await grow(Math.max(leastLarge, sizes.high * count));
        else read = await take(reads, sizes.usual === 0 ? ofUnknown : 1);
      },
      batchSize(wanted) {
        if (sizes.usual === 0) return Math.min(wanted, batchOfUnknown);
        return sizes.usual * wanted <= batchBytes
          ? wanted
          : Math.max(1, Math.floor(batchBytes / sizes.usual));
      },
      arrived({ documents, bytes }: BatchSize) {
        seen.documents += documents;
        seen.bytes += bytes;
        // A request that fails or is given up teaches too.
        if (documents > 0 && !learned.has(key)) {
          const usual = bytes / documents;
          learned.set(key, { usual, high: usual });
        }
        if (held !== undefined) return turn();
        if (seen.bytes <= quickBytes) return undefined;
        return grow(Math.max(leastLarge, (seen.bytes / seen.documents) * count)).then(turn);
      },
      holdFor(bytes) {
        if (held === undefined) return bytes <= quickBytes ? undefined : grow(leastLarge).then(turn);
        if (bytes > held.weight()) held.weigh(bytes);
        return undefined;
      },
      async endReading({ bytes, isStream }) {
        slices.stop();
        if (isStream && held === undefined) await grow(bytes + ofStream);
        read?.release();
        if (isStream) held?.weigh(bytes + ofStream);
        else held?.weigh(bytes <= quickBytes ? 0 : bytes);
        if (seen.documents === 0) return;
        const usual = (seen.bytes + (isStream ? ofStream : 0)) / seen.documents;
        learned.set(key, {
          usual: sizes.usual === 0 ? usual : (3 * sizes.usual + usual) / 4,
          high: Math.max(usual, sizes.high * 0.9),
        });
      },
      release() {
        slices.stop();
        read?.release();
        held?.release();
      },
    };
  }

  return { open };
}
