import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Container } from '#src/container.js';
import { checkTotp } from '#src/directory/sign-in/check-totp.js';
import type { HttpExchange } from '#src/http/http-exchange.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { continueSignIn, requireBegunSignIn } from './http/complete.js';
import { answerLocked } from './http/locked.js';
import { originOf } from './http/origin.js';
import { addressAfterOtherTab } from './http/other-tab.js';
import { showVisit } from './http/pages.js';
import { flowOf, readVisit, type Visit } from './http/visit.js';

/** The page for the one-time code of the second factor, after the password. */
export function secondFactorRoutes(container: Container): FastifyPluginAsync {
  const purposeOf = (flow: string) => `code ${flow}`;

  function show(exchange: HttpExchange, visit: Visit, error?: string): FastifyReply {
    const { texts: t, flow, agent } = visit;
    const content = html`${form({
      action: pageAddress(container, '/login/code'),
      agent,
      purpose: purposeOf(flow),
      hidden: { request: flow },
      content: html`${field({
        name: 'code',
        label: t.code,
        autocomplete: 'one-time-code',
        isFocused: true,
        isCode: true,
        error,
      })}
${submit(t.continue)}`,
    })}
<p class="soft">${t.lostDevice}</p>
<p class="links"><a href="${pageAddress(container, '/login', { request: flow })}">${t.back}</a></p>`;
    return showVisit(container, exchange, { visit, title: t.codeTitle, subtitle: t.codeText, content });
  }

  return async (app) => {
    app.get('/login/code', async (request, reply) => {
      const visit = await readVisit(container, { request, reply }, flowOf(request.query));
      await requireBegunSignIn(container, visit);
      return show({ request, reply }, visit);
    });

    app.post('/login/code', async (request, reply) => {
      const flow = flowOf(request.body);
      const exchange = { request, reply };
      const elsewhere = await addressAfterOtherTab(container, request, purposeOf(flow));
      if (elsewhere !== undefined) return goTo(reply, elsewhere);
      const visit = await readVisit(container, exchange, flow);
      const { account, amr } = await requireBegunSignIn(container, visit);
      const code = formText(request.body, 'code');
      const outcome = await checkTotp(container, { account, code, ...originOf(request, visit) });
      if (outcome.kind === 'right') {
        await container.loginSteps.remove(visit.agent.hash, flow);
        return continueSignIn(container, exchange, { visit, account, amr: [...amr, 'otp'] });
      }
      if (outcome.kind === 'wrong')
        return show({ request, reply: reply.code(400) }, visit, visit.texts.wrongCode);
      return show(exchange, visit, answerLocked(reply, visit.language, outcome));
    });
  };
}
