import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Test } from 'tap';
import { buildTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** A port of this machine that has no listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

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
