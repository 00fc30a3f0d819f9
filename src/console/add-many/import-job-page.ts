import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { actionButton, form } from '../http/form.js';
import { card, facts, moment, number, table } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param, queryText } from '../http/visit.js';
import {
  isOpen,
  isRehearsal,
  kindOf,
  type ListedJob,
  progressBar,
  progressText,
  stateOf,
} from '../migration/jobs.js';
import { liveRegion, refreshSeconds } from '../migration/live.js';
import { codeOfMessage, importProblem } from '../migration/problems/import-problem.js';
import {
  type FirstDifferences,
  type FirstErrors,
  readFirstDifferences,
  readFirstErrors,
} from '../migration/read-first-errors.js';
import { jobTexts } from '../migration/texts/jobs.js';
import { migrationTexts } from '../migration/texts/texts.js';
import { usersPath } from '../users/user.js';
import { addManyPath } from './add-many-page.js';
import { type Choices, choicesAsFields, uploadChoicesOf } from './choices.js';
import { linesOfNames } from './converting.js';
import { ownedOrganization } from './owned-organization.js';
import { findUpload, type StoredUploadsDeps } from './stored-uploads.js';
import { type AddManyTexts, addManyTexts } from './texts/texts.js';

export interface JobPageDeps extends StoredUploadsDeps {
  /** Whether this service sends mail. */
  readonly canMail: boolean;
}

/** An import of many users, or its dry run: how far it is, who could not be added and what to do, and the next step. */
export async function importJobPage(deps: JobPageDeps, visit: ConsoleVisit): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = addManyTexts[language];
  const organization = await ownedOrganization(visit);
  const { id: orgId } = organization;
  const job = await api.get<ListedJob>(`/admin/v1/jobs/${segmentOf(param(visit, 'jobId'))}`, {
    result: 'summary',
  });
  const name = queryText(visit, 'kept').slice(0, 200);
  const file = isOpen(job) ? undefined : await findUpload(deps, { visit, orgId }, name);
  const errors = isOpen(job) || job.kind === 'verify' ? undefined : await readFirstErrors(visit, job);
  const differences =
    isOpen(job) || job.kind !== 'verify' ? undefined : await readFirstDifferences(visit, job);
  const lines = await linesOfErrors(orgId, errors, file?.text);
  const path = importJobPath(orgId, job.id);
  const choices = uploadChoicesOf(visit);
  return {
    organization,
    title: kindOf(job, jobTexts[language]),
    crumbs: [
      { href: at(usersPath(orgId)), label: t.nav.users },
      { href: at(addManyPath(orgId)), label: texts.title },
    ],
    ...(queryText(visit, 'done') === 'links' && { notice: texts.linksBegun }),
    content: liveRegion({
      id: 'job',
      address: at(path, { kept: name, ...choicesAsFields(choices) }),
      isLive: isOpen(job),
      content: html`${stateCard(visit, job)}${
        !isOpen(job) && nextCard(visit, { job, orgId, name: file && name, choices, canMail: deps.canMail })
      }${errors && errorsCard(visit, { job, orgId, errors, lines })}${differences && differencesCard(visit, { job, orgId, differences })}`,
    }),
    refreshSeconds: isOpen(job) ? refreshSeconds : undefined,
  };
}

function importJobPath(orgId: string, jobId: string): string {
  return pathTo(`${addManyPath(orgId)}/jobs`, jobId);
}

function stateCard(visit: ConsoleVisit, job: ListedJob): Html {
  const { language } = visit;
  const [texts, t] = [migrationTexts[language], jobTexts[language]];
  const isDry = isRehearsal(job);
  const result = (job.result ?? {}) as Readonly<
    Record<'summary' | 'counts', Record<string, unknown> | undefined>
  >;
  const words = isDry ? texts.dryRunCounts : texts.counts;
  const counts = Object.entries(result.summary ?? result.counts ?? {}).flatMap(
    ([name, count]): [string, HtmlValue][] =>
      typeof count === 'number' ? [[words[name] ?? name, number(count, language)]] : [],
  );
  return card(
    texts.result,
    html`<p>${stateOf(job, t)}</p>${progressBar(job, t)}${isOpen(job) && html`<p>${progressText(job, language)}</p>`}
${isDry && !isOpen(job) && html`<p><strong>${texts.nothingChanged}</strong></p>`}${facts([...counts, [t.finished, moment(job.finished, language)]])}`,
  );
}

/** After a dry run the import of the same file. After an import the links of those without a password. */
function nextCard(
  visit: ConsoleVisit,
  next: { job: ListedJob; orgId: string; name: string | undefined; choices: Choices; canMail: boolean },
): Html {
  const { at, language, t } = visit;
  const texts = addManyTexts[language];
  const { job, orgId, name, choices, canMail } = next;
  const other = html`<a class="button quiet" href="${at(addManyPath(orgId))}">${texts.other}</a>`;
  const file = name === undefined ? undefined : pathTo(addManyPath(orgId), name);
  if (job.kind === 'verify') {
    const back =
      file !== undefined &&
      html`<a class="button" href="${at(file, choicesAsFields(choices))}">${texts.toFile}</a>`;
    return card(texts.next, html`<p class="buttons">${back}${other}</p>`);
  }
  if (isRehearsal(job)) {
    if (file === undefined)
      return card(texts.next, html`<p>${texts.gone}</p><p class="buttons">${other}</p>`);
    const content = html`<p class="buttons"><button type="submit">${texts.importNow}</button>${other}</p>`;
    const hidden = choicesAsFields(choices);
    return card(texts.next, form(visit, { action: `${file}/run`, content, hidden }), {
      hint: texts.importHint,
    });
  }
  const people = html`<a class="button" href="${at(usersPath(orgId))}">${t.nav.users}</a>`;
  const links =
    canMail &&
    html`<div class="step"><p class="hint">${texts.sendLinksHint}</p>${actionButton(visit, { action: `${importJobPath(orgId, job.id)}/links`, label: texts.sendLinks })}</div>`;
  const compare =
    file !== undefined &&
    html`<div class="step"><p class="hint">${texts.compareHint}</p>${actionButton(visit, { action: `${file}/run`, label: texts.compare, hidden: { ...choicesAsFields(choices), do: 'compare' } })}</div>`;
  return card(texts.next, html`${links}${compare}<p class="buttons">${people}${other}</p>`);
}

function errorsCard(
  { language, at }: ConsoleVisit,
  of: { job: ListedJob; orgId: string; errors: FirstErrors; lines: ReadonlyMap<string, number> },
): Html | undefined {
  const texts = addManyTexts[language];
  const { errors, hasMore } = of.errors;
  if (errors.length === 0) return undefined;
  const rows = errors.map((error): HtmlValue[] => {
    const person = personOf(error);
    const line = of.lines.get(person.toLowerCase());
    return [
      html`<code class="whole">${person.slice(0, 100)}</code>`,
      line === undefined ? '' : number(line, language),
      importProblem(language, error.message, todoFor(error, texts)),
    ];
  });
  const all = at(`${importJobPath(of.orgId, of.job.id)}/errors`);
  return card(
    texts.errors,
    html`${hasMore && html`<p>${migrationTexts[language].firstErrors(number(errors.length, language))}</p>`}
<p class="buttons"><a class="button quiet" href="${all}" download>${migrationTexts[language].allErrors}</a></p>
${table({ caption: texts.errors, columns: [texts.who, texts.line, texts.whatToDo], rows })}`,
  );
}

/** By what a person knows the user of an error: the login name, an address, or else the identifier. */
function personOf({ identifiers, id }: FirstErrors['errors'][number]): string {
  return identifiers.userName ?? identifiers.email ?? identifiers.displayName ?? identifiers.name ?? id;
}

async function linesOfErrors(
  orgId: string,
  found: FirstErrors | undefined,
  text: Uint8Array | undefined,
): Promise<ReadonlyMap<string, number>> {
  const names = found?.errors.map(personOf) ?? [];
  if (text === undefined || names.length === 0) return new Map();
  return linesOfNames(orgId, { text, names });
}

/** What a person does about an error. @param error `type`: the list of the record, such as `group` */
function todoFor(
  { type, message }: { readonly type: string; readonly message: string },
  { todo, todoOfGroup, otherTodo }: AddManyTexts,
): string {
  const code = codeOfMessage(message);
  const textIn = (texts: AddManyTexts['todo']) => (Object.hasOwn(texts, code) ? texts[code] : undefined);
  return (type.startsWith('group') ? textIn(todoOfGroup) : undefined) ?? textIn(todo) ?? otherTodo;
}

/** The pages of objects by their lists. */
const pagesOf: Readonly<Record<string, string>> = { humanUsers: 'users', groups: 'groups' };

function differencesCard(
  { language, at }: ConsoleVisit,
  of: { job: ListedJob; orgId: string; differences: FirstDifferences },
): Html {
  const texts = addManyTexts[language];
  const { differences, hasMore } = of.differences;
  if (differences.length === 0)
    return card(
      texts.differences,
      html`${of.job.state === 'completed' && html`<p>${texts.noDifferences}</p>`}`,
    );
  const words = {
    missing: texts.isMissing,
    different: texts.isDifferent,
    refused: texts.isRefused,
    extra: texts.isExtra,
  };
  const rows = differences.map(({ kind, type, list, who, attributes, message }): HtmlValue[] => [
    whoOf({ kind, list, who }),
    html`${words[kind]}${attributes.length > 0 && html`<p class="hint">${attributes.map((one, place) => html`${place > 0 && ', '}<code>${one}</code>`)}</p>`}${
      kind === 'refused' && html`<p class="hint">${todoFor({ type, message }, texts)}</p>`
    }`,
  ]);
  /** What the file lacks has its identifier alone, so that leads to its page. */
  function whoOf({
    kind,
    list,
    who,
  }: Pick<FirstDifferences['differences'][number], 'kind' | 'list' | 'who'>): Html {
    const name = html`<code class="whole">${who.slice(0, 100)}</code>`;
    const pages = kind === 'extra' && Object.hasOwn(pagesOf, list) ? pagesOf[list] : undefined;
    return pages === undefined
      ? name
      : html`<a href="${at(pathTo(`${pathTo('/console/orgs', of.orgId)}/${pages}`, who))}">${name}</a>`;
  }
  const all = at(`${importJobPath(of.orgId, of.job.id)}/differences`);
  return card(
    texts.differences,
    html`${hasMore && html`<p>${migrationTexts[language].firstErrors(number(differences.length, language))}</p>`}
<p class="buttons"><a class="button quiet" href="${all}" download>${texts.allDifferences}</a></p>
${table({ caption: texts.differences, columns: [texts.record, texts.difference], rows })}`,
  );
}

/** Begins to send a link to everybody without a password and without a link, five a second. It goes on after the response. */
export async function sendLinks(visit: ConsoleVisit): Promise<GoTo> {
  const { id: orgId } = await ownedOrganization(visit);
  await visit.api.begin(`${pathTo('/admin/v1/orgs', orgId)}/one-time-links`, {
    ...{ delivery: 'mail', withoutLink: true },
  });
  return { goTo: `${importJobPath(orgId, param(visit, 'jobId'))}?done=links` };
}
