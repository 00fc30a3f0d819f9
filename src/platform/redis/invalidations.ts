import type { RedisConnection } from './redis.js';

/** The messages between processes about values that changed. */
export interface Invalidations {
  /** Whether this process hears every message. */
  areHeard(): boolean;
  /** Tells all processes, this one too. It never fails. */
  announce(message: string): Promise<void>;
}

interface InvalidationsDeps {
  readonly publisher: RedisConnection;
  /** A connection of its own. */
  readonly subscriber: RedisConnection;
  readonly channel: string;
  /** Called with each message. */
  readonly heard: (message: string) => void;
  /** Called when messages may have been missed: the subscription is lost, or it is back. */
  readonly missed: () => void;
}

/** Subscribes to the messages, and again whenever the connection is back. */
export function openInvalidations(deps: InvalidationsDeps): Invalidations {
  const { publisher, subscriber, channel, heard, missed } = deps;
  let subscribed = false;
  const subscribe = () => {
    subscriber.subscribe(channel).then(
      () => {
        missed();
        subscribed = true;
      },
      // The connection has closed again. It subscribes when it is back.
      () => undefined,
    );
  };
  subscriber.on('close', () => {
    subscribed = false;
    missed();
  });
  subscriber.on('ready', subscribe);
  if (subscriber.status === 'ready') subscribe();
  subscriber.on('message', (_channel: string, message: string) => heard(message));

  return {
    areHeard: () => subscribed,
    /**
     * Redis may answer the publisher before it writes to the subscribers. It answers a later command after
     * that. When this function returns, the message is therefore in the socket of every other process, which
     * reads it before the next request (`http/read-messages-first.ts`). The nodes of a Cluster pass messages on
     * asynchronously.
     */
    async announce(message) {
      try {
        await publisher.publish(channel, message);
        await publisher.ping();
      } catch {
        // The other processes have lost their subscription too.
      }
    },
  };
}
