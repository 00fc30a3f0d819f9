import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { KeptMail } from './mail.js';

/** The latest mails of a trial, for all its processes, for a day. */
export interface KeptMailsStore {
  add(mail: KeptMail): Promise<void>;
  /** The newest first. */
  all(): Promise<KeptMail[]>;
}

const mostMails = 50;
const lifeMs = 24 * 3_600_000;

/** Opens the store of the mails that a trial would have sent. */
export function createKeptMailsStore({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): KeptMailsStore {
  const key = `${prefix}:kept-mail`;
  return {
    async add(mail) {
      await redis.lpush(key, JSON.stringify(mail));
      await redis.ltrim(key, 0, mostMails - 1);
      await redis.pexpire(key, lifeMs);
    },
    async all() {
      const found = (await redis.lrange(key, 0, mostMails - 1)) as string[];
      return found.map((text) => {
        const mail = JSON.parse(text);
        return { ...mail, date: new Date(mail.date) };
      });
    },
  };
}
