import { randomUUID } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Editor } from '#src/audit/event.js';
import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import type { PreviewedSignIn } from '../identities/index.js';
import { connectionErrors } from '../registry/errors.js';

/** A sign-in that only shows what it would come to. An administrator of the organization began it. */
export interface SignInTest {
  readonly orgId: string;
  readonly connectionId: string;
  /** Who began it. */
  readonly editor: Editor;
  /** The path of this service to which the browser goes at the end. */
  readonly returnTo: string;
  readonly created: Date;
  /** Absent until somebody has signed in at the provider. */
  readonly result?: PreviewedSignIn;
}

/** Tests of the sign-in. Redis keeps each for half an hour, sealed, because a result has the claims of a person. */
export interface SignInTestsStore {
  /**
   * @param test its `returnTo` is made with the identifier of the test
   * @returns the identifier of the test, a random UUID. Whoever has it can sign in at the provider for the test. Only administrators read the result
   * @throws AppError `connections.signInsFull`
   */
  begin(test: Omit<SignInTest, 'result' | 'returnTo'>, returnTo: (id: string) => string): Promise<string>;
  find(id: string): Promise<SignInTest | undefined>;
  /** Keeps what a test came to, as long as the test is kept. A later result replaces it. */
  finish(id: string, test: SignInTest & { readonly result: PreviewedSignIn }): Promise<void>;
}

/** How long a test is kept, in milliseconds. */
export const testLifeMs = 1_800_000;
/** The largest test with its result, in bytes. */
const maxBytes = 131_072;
const idShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createSignInTests({
  redis,
  prefix,
  sealer,
  bound,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
  bound: StoreBound;
}): SignInTestsStore {
  const keyOf = (id: string) => `${prefix}:connection-test:${hashSecret(id)}`;
  const seal = (test: SignInTest) => sealer.seal(deflateRawSync(JSON.stringify(test))).toString('base64url');
  return {
    async begin(test, returnTo) {
      if (bound.isFull())
        throw new AppError(connectionErrors.signInsFull, { retryAfterSeconds: bound.secondsLeft() });
      const id = randomUUID();
      const key = keyOf(id);
      const sealed = seal({ ...test, returnTo: returnTo(id) });
      await redis.set(key, sealed, 'PX', testLifeMs);
      bound.add({ key, lifeMs: testLifeMs, valueBytes: sealed.length });
      return id;
    },
    async find(id) {
      if (!idShape.test(id)) return undefined;
      const sealed = await redis.get(keyOf(id));
      const plain = sealed === null ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'));
      if (plain === undefined) return undefined;
      const { created, ...test } = JSON.parse(
        inflateRawSync(plain, { maxOutputLength: maxBytes }).toString(),
      );
      return { ...test, created: new Date(created) };
    },
    async finish(id, test) {
      await redis.set(keyOf(id), seal(test), 'KEEPTTL', 'XX');
    },
  };
}
