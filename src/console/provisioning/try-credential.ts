import type { ConsoleVisit } from '../http/visit.js';
import { scimOf } from '../resources/organization-of.js';
import type { ClientCredential } from './clients.js';

/** A step of a test, and the response to it. */
export interface TriedStep {
  readonly step: 'token' | 'discovery' | 'search';
  readonly isDone: boolean;
  readonly status: number;
  readonly errorId?: string;
}

interface Answer {
  readonly status: number;
  readonly errorId: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Does what clients do when somebody presses "Test connection": gets a token, reads ServiceProviderConfig, and searches for a user
 * that does not exist. It ends at the first step that fails. The requests run in this process, with the credential alone.
 */
export async function tryCredential(visit: ConsoleVisit, credential: ClientCredential): Promise<TriedStep[]> {
  const steps: TriedStep[] = [];
  const note = (step: TriedStep['step'], { status, errorId }: Answer, isDone = status === 200) => {
    steps.push({ step, isDone, status, ...(errorId !== undefined && { errorId }) });
    return isDone;
  };
  let token = credential.kind === 'token' ? credential.token : '';
  if (credential.kind === 'secret') {
    const answer = await requestToken(visit, credential);
    if (!note('token', answer)) return steps;
    token = String(answer.body['access_token']);
  }
  if (!note('discovery', await getWith(visit, token, '/ServiceProviderConfig'))) return steps;
  const filter = encodeURIComponent('userName eq "muster-connection-test"');
  const found = await getWith(visit, token, `/Users?filter=${filter}&count=1`);
  note('search', found, found.status === 200 && typeof found.body['totalResults'] === 'number');
  return steps;
}

function requestToken(
  visit: ConsoleVisit,
  { clientId, clientSecret }: Extract<ClientCredential, { kind: 'secret' }>,
): Promise<Answer> {
  const basic = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return answerTo(visit, {
    method: 'POST',
    url: '/oauth/v2/token',
    headers: {
      authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'grant_type=client_credentials',
  });
}

function getWith(visit: ConsoleVisit, token: string, below: string): Promise<Answer> {
  return answerTo(visit, {
    method: 'GET',
    url: scimOf(visit, below),
    headers: { authorization: `Bearer ${token}`, accept: 'application/scim+json' },
  });
}

async function answerTo(
  { request }: ConsoleVisit,
  given: { method: 'GET' | 'POST'; url: string; headers: Record<string, string>; payload?: string },
): Promise<Answer> {
  const { headers, ...rest } = given;
  const answer = await request.server.inject({
    ...rest,
    remoteAddress: request.ip,
    headers: { ...headers, 'user-agent': 'Muster console', 'x-request-id': request.id },
  });
  const errorId = answer.headers['x-error-id'];
  return {
    status: answer.statusCode,
    errorId: errorId === undefined ? undefined : String(errorId),
    body: answer.payload === '' ? {} : JSON.parse(answer.payload),
  };
}
