import { type Html, html } from '#src/http/pages/html.js';
import { isDotSegment } from '#src/platform/path-segment.js';
import { ApiProblem } from '../http/api.js';
import { badge, card } from '../http/parts.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, ownsInstance } from '../http/visit.js';
import { orAbsent } from '../resources/name-of-user.js';
import type { FirstStep } from './texts/shape.js';
import { startTexts } from './texts/texts.js';

interface Step {
  readonly name: FirstStep;
  readonly path: string;
  readonly isDone: boolean;
}

interface Memberships {
  readonly items: readonly { readonly userId: string; readonly role: string }[];
}

/** How many other owners are looked up, because some may be programs or inactive. */
const mostOwners = 5;

/** What a new organization does first. Undefined when all of it is done. */
export async function firstStepsCard(visit: ConsoleVisit, orgId: string): Promise<Html | undefined> {
  const { at, language } = visit;
  const texts = startTexts[language].firstSteps;
  const steps = await readSteps(visit, orgId);
  if (steps.every(({ isDone }) => isDone)) return undefined;
  const items = steps.map(({ name, path, isDone }) => {
    const { label, hint } = texts[name];
    const title = isDone
      ? html`${label} ${badge(texts.done, 'good')}`
      : html`<a href="${at(path)}">${label}</a>`;
    return html`<li>${title}${!isDone && html`<br><span class="soft">${hint}</span>`}</li>`;
  });
  return card(texts.title, html`<ul class="plain">${items}</ul>`, { hint: texts.about, id: 'first-steps' });
}

async function readSteps(visit: ConsoleVisit, orgId: string): Promise<Step[]> {
  const { api, me } = visit;
  const [organization, pages] = [pathTo('/admin/v1/orgs', orgId), pathTo('/console/orgs', orgId)];
  const [users, applications, hasOwner, signIn] = await Promise.all([
    api.get<{ items: readonly { id: string }[] }>(`${organization}/users`, { limit: 2 }),
    api.get<{ items: readonly unknown[] }>(`${organization}/applications`, { limit: 1 }),
    hasAnotherOwner(visit, { orgId, organization }),
    ownSignIn(visit),
  ]);
  return [
    { name: 'people', path: `${pages}/users/new`, isDone: users.items.some(({ id }) => id !== me.userId) },
    { name: 'application', path: `${pages}/applications/new`, isDone: applications.items.length > 0 },
    { name: 'owner', path: `${pages}/settings/members`, isDone: hasOwner },
    ...(signIn === undefined
      ? []
      : [{ name: 'secondFactor' as const, path: '/account', isDone: signIn.secondFactor !== undefined }]),
  ];
}

/** How the person signs in. Undefined for a person of an organization whose users the person does not see. */
async function ownSignIn({ api, me }: ConsoleVisit): Promise<{ secondFactor?: unknown } | undefined> {
  if (isDotSegment(me.userId)) return undefined;
  try {
    return await api.get(`${pathTo('/admin/v1/orgs', me.orgId, 'users', me.userId)}/sign-in-state`);
  } catch (error) {
    if (error instanceof ApiProblem && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** Whether another active person owns the organization, or the instance. Owners of an organization do not see those of the instance. */
async function hasAnotherOwner(
  visit: ConsoleVisit,
  { orgId, organization }: { orgId: string; organization: string },
): Promise<boolean> {
  const { api, me } = visit;
  const lists = [`${organization}/memberships`, ...(ownsInstance(visit) ? ['/admin/v1/memberships'] : [])];
  const held = await Promise.all(lists.map((path) => api.get<Memberships>(path, { limit: 100 })));
  const owners = held
    .flatMap(({ items }) => items)
    .filter(({ role, userId }) => ['ORG_OWNER', 'IAM_OWNER'].includes(role) && userId !== me.userId)
    .filter(({ userId }) => !isDotSegment(userId));
  const people = await Promise.all(
    owners
      .slice(0, mostOwners)
      .map(({ userId }) =>
        orAbsent(
          api.get<{ active: boolean }>(pathTo('/scim/v2', orgId, 'Users', userId), { attributes: 'active' }),
        ),
      ),
  );
  return people.some((person) => person?.active === true);
}
