import { StartError } from '#src/platform/start-error.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import { openPrivateFile } from '../base/private-file.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { addServiceUser, findServiceUser, giveRole, type SeenServiceUser } from './service-users.js';

interface CreateTokenOptions extends ServiceOptions {
  readonly org: string;
  readonly role?: string | undefined;
  readonly days: string;
  readonly output?: string | undefined;
}

const mostDays = 366;
const secondsOfDay = 24 * 3600;

/** Runs `muster tokens create`. */
export async function createToken(name: string, options: CreateTokenOptions, screen: Output): Promise<void> {
  const { org: orgId, role, output } = options;
  const expiresInSeconds = readDays(options.days) * secondsOfDay;
  const client = await openAdminClient(options, screen.note);
  await client.connect();
  const file = output === undefined ? undefined : await openPrivateFile(output, 'No token was made.');
  let made: MadeToken;
  let serviceUser: SeenServiceUser;
  try {
    serviceUser = await requireServiceUser(client, { orgId, name, mayAdd: role !== undefined });
    if (role !== undefined) await giveRole(client, serviceUser, role);
    made = await addToken(client, serviceUser, expiresInSeconds);
  } catch (error) {
    await file?.discard();
    throw error;
  }
  try {
    await file?.write(`${made.token}\n`);
  } catch (error) {
    // Nobody has the token, so nobody shall have it.
    await client.insist(`${tokensPath(serviceUser)}/${argumentSegment(made.id)}`, { method: 'DELETE' });
    throw error;
  }
  const { id: userId, userName } = serviceUser;
  if (output === undefined) screen.print(made.token);
  screen.note(`Token ${plainWord(made.id)} of ${plainWord(userName)} expires ${plainWord(made.expires)}.`);
  screen.result({
    tokenId: made.id,
    expires: made.expires,
    serviceUser: { id: userId, userName, orgId },
    ...(output === undefined ? { token: made.token } : { output }),
  });
}

interface MadeToken {
  readonly id: string;
  readonly expires: string;
  readonly token: string;
}

async function requireServiceUser(
  client: AdminClient,
  { orgId, name, mayAdd }: { orgId: string; name: string; mayAdd: boolean },
): Promise<SeenServiceUser> {
  const found = await findServiceUser(client, orgId, name);
  if (found !== undefined) return found;
  if (mayAdd) return addServiceUser(client, orgId, name);
  throw new StartError(
    `There is no service user ${plainWord(name)}. With --role the command creates it, and gives it the role.`,
  );
}

const tokensPath = ({ orgId, id }: SeenServiceUser) =>
  `/admin/v1/orgs/${argumentSegment(orgId)}/service-users/${argumentSegment(id)}/tokens`;

async function addToken(
  client: AdminClient,
  serviceUser: SeenServiceUser,
  expiresInSeconds: number,
): Promise<MadeToken> {
  // Sent once: another attempt after a broken connection could make a second token.
  const { body: answer } = await client.read(tokensPath(serviceUser), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ expiresInSeconds }),
    tries: 1,
  });
  return { id: textIn(answer, 'id'), expires: textIn(answer, 'expires'), token: textIn(answer, 'token') };
}

function readDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= mostDays) return days;
  throw new StartError(`--days is a number from 1 to ${mostDays}.`);
}
