import type { Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { buildTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/**
 * The application on its own stores. It listens at its base URL.
 * @param host in the base URL. Browsers keep passkeys for names alone
 */
export async function buildListeningApp(
  t: Pick<Test, 'teardown'>,
  options: TestAppOptions = {},
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<TestApp & { readonly baseUrl: string }> {
  const port = await freePort();
  const baseUrl = `http://${host}:${port}`;
  const opened = await buildTestApp(t, { baseUrl, ...options });
  await opened.app.listen({ host: '127.0.0.1', port });
  return { ...opened, baseUrl };
}
