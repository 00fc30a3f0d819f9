import { readFile } from 'node:fs/promises';
import { decodeJwt, type JWTPayload } from 'jose';
import type { Test } from 'tap';
import { examplesIn } from '../processes/run-examples.js';
import { type OpenGuide, openGuide } from './follow-guide.js';
import type { MusterOfReader } from './muster-of-reader.js';

/** A guide for an API. Its reader has registered the API and a caller, as docs/guides/api-tokens.md says. */
export interface ApiGuide extends OpenGuide {
  readonly address: string;
  readonly project: string;
  readonly tokens: CallerTokens;
}

/** Tokens of one caller, which has the role. */
interface CallerTokens {
  /** A JWT with the scopes of the API and of the roles. */
  readonly good: string;
  readonly claims: JWTPayload;
  /** The same without the scope of the roles. */
  readonly withoutRoles: string;
  readonly opaque: string;
  /** A JWT whose audience is Muster alone. */
  readonly other: string;
}

const page = 'docs/guides/api-tokens.md';

/** Opens a guide for an API whose reader has registered it. The program listens at a free port in place of 4000. */
export async function openApiGuide(
  t: Test,
  muster: MusterOfReader,
  { name, ports = [4000] }: { name: string; ports?: readonly number[] },
): Promise<ApiGuide> {
  const guide = await openGuide(t, muster, { name, ports });
  const text = await readFile(page, 'utf8');
  const [, registration = ''] = /## Register the API and a caller\n([\s\S]*?)\n## /.exec(text) ?? [];
  for (const { script } of examplesIn(registration)) await guide.shell.run(script);
  const { shell, port } = guide;
  const show = (name: string) => shell.run(`echo "$${name}"`);
  const good = await show('GOOD');
  const scope = 'scope=urn:service:iam:org:project:id:$PROJECT:aud';
  const withoutRoles = await shell.run(`token --data-urlencode "${scope}"`);
  const caller = '"$BASE/admin/v1/orgs/$ORG/service-users/$CALLER"';
  await shell.run(`admin -X PATCH ${caller} -d '{ "accessTokenType": "opaque" }' > /dev/null`);
  const opaque = await shell.run(`token --data-urlencode "${scope} urn:service:iam:org:projects:roles"`);
  return {
    ...guide,
    address: `http://localhost:${port}`,
    project: await show('PROJECT'),
    tokens: { good, claims: decodeJwt(good), withoutRoles, opaque, other: await show('OTHER') },
  };
}
