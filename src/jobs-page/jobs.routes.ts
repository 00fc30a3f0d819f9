import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { html } from '#src/http/pages/html.js';
import { chooseLanguage } from '#src/http/pages/language.js';
import { rememberPlace } from '#src/http/pages/return-place.js';
import type { JobViews } from '#src/jobs/job-view.js';
import { goTo, pageAddress } from '#src/login/http/pages.js';
import { showPage } from '#src/login/http/show.js';
import { formText } from '#src/login/http/visit.js';
import { createEventStreams } from './http/event-streams.js';
import { jobsContent, jobsList, liveScript } from './http/jobs-page.js';
import { readOperator } from './http/viewer.js';
import { readJobs } from './read-jobs.js';
import { operationsTexts } from './texts.js';

/** Pages that one process keeps up to date at once. */
const maxStreams = 32;

/** `/operations/jobs`: a page about jobs for people who own the instance, which keeps itself up to date. */
export function jobsPageRoutes(container: Container, views: JobViews): FastifyPluginAsync {
  const { baseUrl } = container.config;
  const path = '/operations/jobs';
  const addresses = {
    page: pageAddress(container, path),
    events: pageAddress(container, `${path}/events`),
    account: pageAddress(container, '/account'),
  };

  return async (app) => {
    const streams = createEventStreams(app, maxStreams);

    app.get(path, async (request, reply) => {
      const language = languageOf(request);
      const operator = await readOperator(container, request);
      if (operator.kind === 'nobody') {
        rememberPlace(container, reply, 'operations');
        return goTo(reply, pageAddress(container, '/login'));
      }
      if (operator.kind === 'stranger') return refuse(reply, request);
      const after = formText(request.query, 'after');
      const page = await readJobs(container, views, after === '' ? undefined : after);
      const t = operationsTexts[language];
      const content = jobsContent(page, { addresses, language, isNewest: after === '' });
      const look = { baseUrl, language };
      return showPage(reply, look, {
        title: t.title,
        subtitle: t.subtitle,
        content,
        isWide: true,
        script: liveScript,
      });
    });

    app.get(`${path}/events`, async (request, reply) => {
      const language = languageOf(request);
      if ((await readOperator(container, request)).kind !== 'operator') return refuse(reply, request);
      // Asked again each time: a session may end and a role be taken away while the page is open.
      return streams.send(reply, async () =>
        (await readOperator(container, request)).kind === 'operator'
          ? jobsList(await readJobs(container, views), language).toString()
          : undefined,
      );
    });
  };

  function refuse(reply: FastifyReply, request: FastifyRequest): FastifyReply {
    const language = languageOf(request);
    const t = operationsTexts[language];
    rememberPlace(container, reply, 'operations');
    const content = html`<p class="links"><a class="button" href="${pageAddress(container, '/login')}">${t.account}</a></p>`;
    const page = { title: t.forbidden, subtitle: t.forbiddenText, content };
    return showPage(reply.code(403), { baseUrl, language }, page);
  }
}

function languageOf(request: FastifyRequest) {
  return chooseLanguage([], request.headers['accept-language']);
}
