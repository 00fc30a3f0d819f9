import { type Html, html } from '#src/http/pages/html.js';
import { isDotSegment } from '#src/platform/path-segment.js';
import { actionButton } from '../http/form.js';
import { card, exact, facts, table } from '../http/parts.js';
import { ifAddressable, linkTo, pathTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { apiOf, pathOf } from '../resources/organization-of.js';
import { audienceScope, type ShownProject } from '../resources/project.js';
import { introspectionRequest, programRequest, scopeParameter } from './api-requests.js';
import { apiTexts } from './api-texts/texts.js';

/** Applications of the project that the card lists. */
const mostCallers = 20;

/**
 * Who can call an API, and how: the scope to ask for, and requests that end with an active token.
 * @param programId the client_id of the program that was added with the API
 */
export async function apiCard(visit: ConsoleVisit, api: ShownApplication, programId?: string): Promise<Html> {
  const { projectId } = api;
  const texts = apiTexts[visit.language];
  if (projectId === undefined) return withoutProject(visit, api);
  const [project, { items }] = await Promise.all([
    // Earlier versions took identifiers that no address can have.
    isDotSegment(projectId)
      ? { name: projectId }
      : visit.api.get<ShownProject>(pathTo(apiOf(visit, '/projects'), projectId)),
    visit.api.get<{ items: readonly ShownApplication[] }>(apiOf(visit, '/applications'), {
      projectId,
      limit: mostCallers,
    }),
  ]);
  const callers = items.filter(({ type }) => type !== 'api');
  return card(
    texts.callThis,
    html`${facts([
      [texts.project, linkTo(visit, [pathOf(visit, '/projects'), projectId], project.name)],
      [texts.scope, exact(audienceScope(projectId))],
      [
        texts.callers,
        callers.length > 0 &&
          callers.map(
            ({ id, name }, at) =>
              html`${at > 0 && ', '}${linkTo(visit, [pathOf(visit, '/applications'), id], name)}`,
          ),
      ],
    ])}
<h3>${texts.tokenOfPerson}</h3><p class="soft">${texts.tokenOfPersonHint}</p>${scopeParameter(projectId)}
<h3>${texts.tokenOfProgram}</h3>${programId === undefined && html`<p class="soft">${texts.tokenOfProgramHint}</p>`}${programRequest(visit, projectId, programId)}
<h3>${texts.checkToken}</h3>${introspectionRequest(visit, api)}
${answersTable(visit, api)}`,
    { id: 'call' },
  );
}

/** What an API is answered about tokens, and where the reason stands. */
export function answersTable({ at, language, request }: ConsoleVisit, { id }: { id: string }): Html {
  const texts = apiTexts[language];
  const rows = [
    [texts.forIt, html`<code>{"active":true, &hellip;}</code>`],
    [texts.notForIt, html`<code>{"active":false}</code>`],
  ];
  return html`${table({ caption: texts.answers, columns: [texts.answers, ''], rows })}
<p class="hint">${texts.whyNot} <a href="${at(pathOf({ request }, '/log'), { person: id })}">${texts.log}</a></p>`;
}

function withoutProject(visit: ConsoleVisit, { id }: ShownApplication): Html {
  const texts = apiTexts[visit.language];
  const give = ifAddressable([pathOf(visit, '/applications'), id], (of) =>
    actionButton(visit, { action: `${of}/project`, label: texts.giveProject }),
  );
  return card(texts.callThis, html`<p>${texts.noProject}</p>${give}`, { id: 'call' });
}
