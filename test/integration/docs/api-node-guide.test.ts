import t from 'tap';
import { openApiGuide } from '../../support/docs/api-guide.js';
import { attackApi } from '../../support/docs/attack-api.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';

/** The program of docs/guides/api-node.md, and the calls of docs/guides/api-tokens.md. */

const muster = await startMusterOfReader(t, { rateLimitPerAddress: 0, rateLimitRefused: 0 });

t.test('api-node.md: the API refuses what was not made for it', async (t) => {
  const guide = await openApiGuide(t, muster, { name: 'api-node.md' });
  await guide.start();
  await attackApi(t, muster, guide);
});
