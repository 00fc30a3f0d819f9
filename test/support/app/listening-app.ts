import type { Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { buildTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** The application on its own stores. It listens at its base URL. */
export async function buildListeningApp(
  t: Pick<Test, 'teardown'>,
  options: TestAppOptions = {},
): Promise<TestApp & { readonly baseUrl: string }> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const opened = await buildTestApp(t, { baseUrl, ...options });
  await opened.app.listen({ host: '127.0.0.1', port });
  return { ...opened, baseUrl };
}
