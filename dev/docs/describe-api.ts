import { buildApp } from '#src/app.js';
import type { ApiDocument } from '#src/http/openapi/api-document.js';
import { createLogger } from '#src/platform/logger.js';
import { readConfig } from '#src/read-config.js';
import type { Rooms } from '#src/rooms.js';

/**
 * The OpenAPI document that the server publishes. It is made without any store, because routes use the stores only to
 * answer.
 */
export async function describeApi(): Promise<ApiDocument> {
  const config = readConfig({
    MUSTER_BASE_URL: 'https://muster.example',
    MONGODB_URL: 'mongodb://nowhere.invalid',
    REDIS_URL: 'redis://nowhere.invalid',
    MUSTER_MASTER_KEYS: `none:${'B'.repeat(43)}`,
  });
  const logger = createLogger({ level: 'silent', processName: 'docs' });
  const app = await buildApp(hollow({ config, logger }, 'container') as Rooms);
  await app.ready();
  const document = await app.describeApi();
  await app.close();
  return document;
}

/** A placeholder for a part of the container. Code may destructure it and pass it on, but neither call nor await it. */
function hollow(known: object, name: string): unknown {
  const refuse = () => {
    throw new Error(`${name} was used while the application was built`);
  };
  return new Proxy(refuse, {
    get: (_target, key) => {
      if (key in known) return (known as Record<PropertyKey, unknown>)[key];
      // An object with a method `then` would be treated as a promise.
      return key === 'then' ? undefined : hollow({}, `${name}.${String(key)}`);
    },
  });
}
