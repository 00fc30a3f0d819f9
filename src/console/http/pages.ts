import type { FastifyInstance } from 'fastify';
import type { GuardedOperation } from '#src/http/auth/fresh-sign-in.js';
import type { ConsoleForm, RouteFacts } from '#src/http/base/route-facts.js';
import type { ActSentence } from './confirm-act.js';
import { type PageDeps, type PageHandler, type Reach, servePage, type VisitAnswer } from './serve-page.js';
import { takeUploads, type Upload, uploadOf } from './uploads.js';
import type { ConsoleVisit } from './visit.js';

interface PageFacts extends RouteFacts {
  /**
   * The operation that the form of the page calls. It needs a fresh sign-in, so the person signs in before the page is shown, and nothing that
   * was typed is lost.
   */
  readonly asksFirst?: GuardedOperation;
}

/** Every form says what becomes of it if its person must sign in before it counts. */
interface FormFacts extends RouteFacts, ConsoleForm {
  /** What the person is about to do, if the label of its button does not say it. */
  readonly says?: ActSentence;
  /** The most bytes of the form, if it holds more than other forms. */
  readonly formBytes?: number;
}

/** Answers a form with a file. */
type UploadHandler = (visit: ConsoleVisit, upload: Upload) => Promise<VisitAnswer>;

/** Adds pages and forms to a scope. */
export interface ConsolePages {
  get(path: string, handler: PageHandler, facts?: PageFacts): void;
  /** A form. Its token is checked before the handler runs. */
  post(path: string, handler: PageHandler, facts: FormFacts): void;
  /** A form with one file, behind its other fields. Its token is checked before the file is read. Nothing of it is kept. */
  upload(path: string, handler: UploadHandler, facts: Omit<FormFacts, 'returns'>): void;
}

/** @param reach whose roles reach the pages. Others see no form that the API would refuse. The API decides all the same */
export function consolePages(app: FastifyInstance, deps: PageDeps, reach: Reach): ConsolePages {
  const handlers = new Map<string, PageHandler>();

  function add(
    path: string,
    handler: PageHandler,
    given: PageFacts & Partial<Pick<FormFacts, 'says' | 'formBytes'>> & { readonly form?: ConsoleForm } = {},
  ): void {
    const { asksFirst, says, formBytes, ...facts } = given;
    const { form, streamed: isStreamed = false } = facts;
    if (form === undefined) handlers.set(path, handler);
    const shownBy = () => form && handlers.get(form.shownAt);
    app.route({
      method: form === undefined ? 'GET' : 'POST',
      url: path,
      config: { page: true, console: reach, ...facts },
      schema: { hide: true },
      ...(formBytes !== undefined && { bodyLimit: formBytes }),
      handler: (request, reply) =>
        servePage(
          deps,
          { request, reply },
          { handler, reach, asksFirst: asksFirst !== undefined, says, form, shownBy, isStreamed },
        ),
    });
  }

  function post(path: string, handler: PageHandler, given: FormFacts): void {
    const { shownAt, query, returns, ...facts } = given;
    add(path, handler, { ...facts, form: { shownAt, returns, ...(query && { query }) } });
  }

  return {
    get: add,
    post,
    upload(path, handler, facts) {
      takeUploads(app);
      const answer = async (visit: ConsoleVisit) => {
        const upload = await uploadOf(visit.request);
        return handler(visit, upload).finally(upload.end);
      };
      post(path, answer, { ...facts, returns: 'nothing', streamed: true });
    },
  };
}
