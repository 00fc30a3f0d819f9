import type { Test } from 'tap';
import type { Measures } from '#src/observe/measures.js';
import type { Rooms } from '#src/rooms.js';
import { buildListeningApp } from '../app/listening-app.js';
import { makeCaller, makeOrganization } from '../app/make.js';
import { goodPassword, makePerson } from '../app/people.js';
import type { TestAppOptions } from '../app/test-app.js';

/** The reader of a guide, who has a listening Muster, the variables of the README, and the person that it makes. */
export interface MusterOfReader {
  readonly container: Rooms;
  readonly baseUrl: string;
  readonly orgId: string;
  /** The variables that the README sets. */
  readonly env: { readonly BASE: string; readonly ORG: string; readonly TOKEN: string };
  readonly person: { readonly id: string; readonly loginName: string; readonly password: string };
  /** What Muster answered, such as `GET /oidc/v1/userinfo 200`, and for tokens `refresh_token issued`. */
  readonly answered: readonly string[];
  /** Ends it before the test ends. */
  stop(): Promise<void>;
}

/** The function that the README defines. */
export const adminFunction = `admin() { curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }`;

/** Starts a Muster with one organization. The caller is an owner of the instance, as after the first start. */
export async function startMusterOfReader(
  t: Pick<Test, 'teardown'>,
  options: TestAppOptions = {},
): Promise<MusterOfReader> {
  const { measures, answered } = recordAnswers();
  const { app, container, baseUrl } = await buildListeningApp(t, { observer: { measures }, ...options });
  const organization = await makeOrganization(container, { name: 'Muster' });
  const { id: orgId } = organization;
  const { token } = await makeCaller(container, orgId, ['IAM_OWNER']);
  const { id, userName } = await makePerson(container, organization, { userName: 'anna.lind' });
  return {
    container,
    baseUrl,
    orgId,
    env: { BASE: baseUrl, ORG: orgId, TOKEN: token },
    person: { id, loginName: userName, password: goodPassword },
    answered,
    stop: () => app.close(),
  };
}

function recordAnswers(): { measures: Measures; answered: string[] } {
  const answered: string[] = [];
  const nothing = () => undefined;
  const measures: Measures = {
    requestAnswered: ({ method, route, status }) => answered.push(`${method} ${route} ${status}`),
    tokenAnswered: (grant, outcome) => answered.push(`${grant} ${outcome}`),
    requestLimited: nothing,
    requestsLate: nothing,
    workShed: nothing,
    responseCutOff: nothing,
    loginChecked: nothing,
    connectionUsed: nothing,
    providerAnswered: nothing,
    hashWaited: nothing,
    jobEnded: nothing,
    recordsImported: nothing,
    mongoConnectionTaken: nothing,
  };
  return { measures, answered };
}
