import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { pageLanguage } from '#src/http/pages/language.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { showPage } from '#src/http/pages/page-frame.js';
import { rememberPlace } from '#src/http/pages/return-place.js';
import type { JobViews } from '#src/jobs/job-view.js';
import { answerWithPages } from '#src/login/http/answer-errors.js';
import { createEventStreams } from './http/event-streams.js';
import { jobsContent, jobsList, liveScript } from './http/jobs-page.js';
import { readViewer } from './http/viewer.js';
import { readJobs } from './read-jobs.js';
import { jobsPageTexts } from './texts.js';

/** The number of pages that one process updates at once. */
const maxStreams = 32;

/** `/operations/jobs`: a page about all jobs for owners of the instance, in the look of the login pages. It updates itself. */
export function jobsPageRoutes(container: Container, views: JobViews): FastifyPluginAsync {
  const { baseUrl } = container.config;
  const path = '/operations/jobs';
  const addresses = {
    page: pageAddress(container, path),
    events: pageAddress(container, `${path}/events`),
    account: pageAddress(container, '/account'),
  };

  return async (app) => {
    answerWithPages(app, container);
    app.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true };
    });
    const streams = createEventStreams(app, maxStreams);

    app.get(path, { config: { returnPlace: true } }, async (request, reply) => {
      const language = pageLanguage(request);
      const viewer = await readViewer(container, request);
      if (viewer === 'nobody') {
        rememberPlace(container, reply, path);
        return goTo(reply, pageAddress(container, '/login'));
      }
      if (viewer === 'stranger') return refuse(reply, request);
      const after = formText(request.query, 'after');
      const page = await readJobs(container, views, after === '' ? undefined : after);
      const t = jobsPageTexts[language];
      const content = jobsContent(page, { addresses, language, isNewest: after === '' });
      const look = { baseUrl, language };
      return showPage(reply, look, {
        title: t.title,
        subtitle: t.subtitle,
        content,
        isWide: true,
        script: liveScript,
        connects: true,
      });
    });

    app.get(`${path}/events`, async (request, reply) => {
      const language = pageLanguage(request);
      if ((await readViewer(container, request)) !== 'owner') return refuse(reply, request);
      // Checked before each event: the session may end, or the viewer may lose the role, while the page is open.
      return streams.send(reply, async () =>
        (await readViewer(container, request)) === 'owner'
          ? jobsList(await readJobs(container, views), language).toString()
          : undefined,
      );
    });
  };

  function refuse(reply: FastifyReply, request: FastifyRequest): FastifyReply {
    const language = pageLanguage(request);
    const t = jobsPageTexts[language];
    rememberPlace(container, reply, path);
    const content = html`<p class="links"><a class="button" href="${pageAddress(container, '/login')}">${t.account}</a></p>`;
    const page = { title: t.forbidden, subtitle: t.forbiddenText, content };
    return showPage(reply.code(403), { baseUrl, language }, page);
  }
}
