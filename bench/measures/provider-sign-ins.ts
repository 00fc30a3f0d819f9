import { setTimeout as pause } from 'node:timers/promises';
import type { Setting } from '../setting.js';

/** The sign-ins that begin in a second. */
const perSecond = 40;
/** The people who sign in, again and again. The warm-up adds them. */
const people = 200;

/** Adds a connection that adds people. @param body what depends on the protocol */
export async function addConnection(
  { baseUrl, organization, client }: Setting,
  body: object,
): Promise<string> {
  const answer = await fetch(`${baseUrl}/admin/v1/orgs/${organization.id}/connections`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.personalAccessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Bench', creation: 'create', ...body }),
  });
  if (answer.status !== 201) throw new Error(`The connection was not added: ${await answer.text()}`);
  return String(((await answer.json()) as { id: string }).id);
}

/** Begins sign-ins at the pace, and waits for all of them. @throws the first failure */
export async function atPace(
  seconds: number,
  signIn: (subject: number) => Promise<void>,
): Promise<{ signIns: number; seconds: number }> {
  const started = performance.now();
  const all: Promise<void>[] = [];
  for (let n = 0; n < seconds * perSecond; n++) {
    const wait = started + (n * 1_000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    const one = signIn(n % people);
    one.catch(() => undefined);
    all.push(one);
  }
  await Promise.all(all);
  return { signIns: all.length, seconds: (performance.now() - started) / 1_000 };
}

/** A browser without a cookie that presses the button of a connection. @returns the address at the provider, and its cookie */
export async function leaveOnce(
  { baseUrl, organization }: Setting,
  connectionId: string,
): Promise<{ readonly address: string; readonly cookie: string }> {
  const page = await fetch(`${baseUrl}/login?organization=${organization.id}`);
  const cookie = (page.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const path = `/login/connections/${organization.id}/${connectionId}`;
  const body = formOf(await page.text(), path);
  const left = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body,
  });
  await left.arrayBuffer();
  const address = left.headers.get('location');
  if (address === null) throw new Error(`The browser stays: ${left.status}`);
  return { address, cookie };
}

/** The hidden fields of the form that is sent to a path. */
function formOf(text: string, path: string): URLSearchParams {
  const form = text.split('<form ').find((one) => one.includes(`${path}"`)) ?? '';
  const fields = [
    ...(form.split('</form>', 1)[0] ?? '').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g),
  ];
  return new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
}

/** The longest hold of the event loop since the last question, in milliseconds. */
export async function longestHold(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds\{[^}]*\} (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1_000;
}
