import { Readable } from 'node:stream';
import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import type { UploadTaskResult } from '#src/migration/convert/upload/upload-tasks.js';
import { ApiProblem, withQuery } from '../http/api.js';
import { form } from '../http/form.js';
import { card, facts, number, table } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import { importText } from '../migration/import-text.js';
import { usersTexts } from '../users/texts/texts.js';
import { usersPath } from '../users/user.js';
import { addManyPath } from './add-many-page.js';
import { type Choices, choicesAsFields, ruleFields, uploadChoicesOf, uploadRulesOf } from './choices.js';
import { type ConvertingDeps, convertUploaded } from './converting.js';
import { ownedOrganization } from './owned-organization.js';
import { knownProblemText } from './problems/known-problem.js';
import { findUpload, type StoredUpload, type StoredUploadsDeps } from './stored-uploads.js';
import { addManyTexts } from './texts/texts.js';

/** What becomes of a kept file: its columns, three people before and after, and the rows that cannot be used. */
export async function reviewPage(
  deps: StoredUploadsDeps & ConvertingDeps,
  visit: ConsoleVisit,
  refused?: ApiProblem,
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = addManyTexts[language];
  const organization = await ownedOrganization(visit);
  const { id: orgId } = organization;
  const name = param(visit, 'kept');
  const file = await findUpload(deps, { visit, orgId }, name);
  const path = addManyPath(orgId);
  const frame = {
    organization,
    title: texts.title,
    crumbs: [
      { href: at(usersPath(orgId)), label: t.nav.users },
      { href: at(path), label: texts.title },
    ],
    ...(refused && { refused: { problem: refused } }),
  };
  const other = html`<p><a class="button quiet" href="${at(path)}">${texts.other}</a></p>`;
  if (file === undefined)
    return { ...frame, status: 404, content: html`<div class="card"><p>${texts.gone}</p>${other}</div>` };
  const isOurs = file.kind === 'muster';
  const choices = uploadChoicesOf(visit);
  const { converted, why } = isOurs
    ? {}
    : await convertUploaded(deps, file, { orgId, isPreview: true, rules: uploadRulesOf(choices) });
  if (converted === undefined && !isOurs) {
    return {
      ...frame,
      status: 400,
      alert: html`<p>${knownProblemText(language, why)}</p>`,
      content: html`<div class="card">${other}</div>`,
    };
  }
  const rehearse = form(visit, {
    action: `${pathTo(path, name)}/run`,
    hidden: { dryRun: 'on' },
    content: html`${ruleFields(visit, choices, !isOurs)}
<p class="buttons"><button type="submit">${texts.dryRun}</button>${!isOurs && quietButton('show', texts.showAgain)}${quietButton('compare', texts.compare)}<a class="button quiet" href="${at(path)}">${texts.other}</a></p>
<p class="hint">${texts.compareHint}</p>`,
  });
  const isNobody = refused === undefined && converted?.users === 0 && converted.refused > 0;
  return {
    ...frame,
    ...(isNobody && {
      status: 400,
      alert: html`<p>${knownProblemText(language, { id: 'noPeople', params: {} })}</p>`,
    }),
    subtitle: texts.kinds[file.kind],
    content: html`${card(texts.next, rehearse, { hint: texts.dryRunHint })}${converted && previewOf(visit, converted)}`,
  };
}

/** Another button of a form. It says what is done instead. */
function quietButton(what: 'show' | 'compare', label: string): Html {
  return html`<button type="submit" class="quiet" name="do" value="${what}">${label}</button>`;
}

function previewOf({ language }: ConsoleVisit, found: NonNullable<UploadTaskResult['converted']>): Html {
  const texts = addManyTexts[language];
  const {
    users,
    withPassword,
    groups,
    refused,
    columns,
    people,
    problems,
    lost,
    droppedHashes,
    lostFactors,
  } = found;
  const count = (value: number) => number(value, language);
  const rows = (columns ?? [])
    .slice(0, mostColumns)
    .map(({ name, to }): HtmlValue[] => [
      html`<code>${name.slice(0, 100)}</code>`,
      to === undefined ? html`<span class="soft">${texts.leftOut}</span>` : wordOf(to, language),
    ]);
  return html`${card(
    texts.found,
    html`${found.lacksUserName && html`<p><strong>${texts.lacksUserName}</strong></p>`}${facts([
      [texts.people, count(users)],
      [texts.withPassword, count(withPassword)],
      [texts.groups, groups > 0 ? count(groups) : undefined],
      [texts.refused, refused > 0 ? count(refused) : undefined],
      [texts.droppedHashes, droppedHashes > 0 ? count(droppedHashes) : undefined],
      [texts.lostFactors, lostFactors > 0 ? count(lostFactors) : undefined],
    ])}`,
  )}${rows.length > 0 && card(texts.columns, table({ caption: texts.columns, columns: [texts.column, texts.becomes], rows }))}
${people.length > 0 && card(texts.examples, html`${people.map(({ before, after }, at) => comparison(texts.person(at + 1), { before, after }, language))}`, { hint: texts.examplesHint })}
${
  problems.length > 0 &&
  card(
    texts.refused,
    table({
      caption: texts.refused,
      columns: [texts.who, texts.line, texts.problem],
      rows: problems
        .slice(0, mostProblems)
        .map(({ line, known, who }) => [
          who.slice(0, 100),
          count(line),
          knownProblemText(language, known, (attribute) => labelOf(attribute, language)),
        ]),
    }),
    { hint: texts.refusedHint },
  )
}
${lost.length > 0 && card(texts.lost, html`<p>${lost.map((path, at) => html`${at > 0 && ', '}<code>${path.slice(0, 100)}</code>`)}</p>`, { hint: texts.lostHint })}`;
}

/** A target of the mapping in the words of the user's page. */
function wordOf(target: string, language: ConsoleVisit['language']): string {
  const { fields, email, password } = usersTexts[language];
  const texts = addManyTexts[language];
  const labels: Readonly<Record<string, string>> = { ...fields, email, password, ...texts.targets };
  const key = target.split('.').at(-1) ?? target;
  return (Object.hasOwn(labels, key) ? labels[key] : undefined) ?? target;
}

function comparison(
  title: string,
  { before, after }: { before: unknown; after: unknown },
  language: ConsoleVisit['language'],
): Html {
  const texts = addManyTexts[language];
  return html`<h3>${title}</h3><div class="cards"><div><p class="soft">${texts.before}</p>${leavesOf(before)}</div><div><p class="soft">${texts.after}</p>${leavesOf(after, language)}</div></div>`;
}

/** Members that say nothing to a person: the import makes another identifier, and decides what counts as verified. */
const unshown = new Set(['userId', 'email.isEmailVerified']);
/** Members of an import record under other names than in the mapping. */
const otherNames: Readonly<Record<string, string>> = {
  'profile.firstName': 'givenName',
  'profile.lastName': 'familyName',
  hashedPassword: 'passwordHash',
  'hashedPassword.value': 'passwordHash',
  otpCode: 'otpSecret',
  'emails.value': 'email',
  'phoneNumbers.value': 'phone',
  phoneNumbers: 'phone',
  'phone.phone': 'phone',
};

/** A member of an import record in words. */
function labelOf(path: string, language: ConsoleVisit['language']): string {
  const name = (Object.hasOwn(otherNames, path) ? otherNames[path] : undefined) ?? path;
  const word = wordOf(name, language);
  return word === name ? path.slice(0, longestLeaf) : word;
}

/** What a page shows, so that it stays small whatever the file has. */
const mostColumns = 60;
const mostProblems = 30;
const mostLeaves = 20;
const longestLeaf = 120;

/** The values of a record under their paths. */
function leavesOf(record: unknown, language?: ConsoleVisit['language']): Html {
  const found: [string, string][] = [];
  collect(record, '', found);
  const shown = found.filter(([path]) => language === undefined || !unshown.has(path));
  const label = (path: string) =>
    language === undefined ? path.slice(0, longestLeaf) : labelOf(path, language);
  return facts(shown.map(([path, value]) => [label(path), html`<span class="whole">${value}</span>`]));
}

function collect(value: unknown, path: string, found: [string, string][]): void {
  if (found.length === mostLeaves || value === null || value === undefined || value === '') return;
  if (typeof value !== 'object') {
    found.push([path, String(value).slice(0, longestLeaf)]);
    return;
  }
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value))
    collect(
      inner,
      isList ? `${path}[${key}]` : path === '' || path === 'user' ? key : `${path}.${key}`,
      found,
    );
}

/** Lets workers import the kept file, or do a dry run of it, and leads to the job. */
export async function runUpload(
  deps: StoredUploadsDeps & ConvertingDeps,
  visit: ConsoleVisit,
): Promise<ConsolePage | GoTo> {
  const { id: orgId } = await ownedOrganization(visit);
  const name = param(visit, 'kept');
  const file = await findUpload(deps, { visit, orgId }, name);
  if (file === undefined) return reviewPage(deps, visit);
  const choices = uploadChoicesOf(visit);
  const wanted = fieldText(visit, 'do');
  const back = pathTo(addManyPath(orgId), name);
  if (wanted === 'show') return { goTo: withQuery(back, choicesAsFields(choices)) };
  const compares = wanted === 'compare';
  const wish = {
    dryRun: !compares && fieldText(visit, 'dryRun') === 'on',
    update: !compares && choices.update,
    timeout: '2h',
    more: { ...(compares && { listExtra: true }), ...(file.kind === 'muster' && ofBody(choices)) },
  };
  try {
    const text = await bodyOf(deps, file, { orgId, choices });
    const body = await importText(Readable.from([text], { objectMode: false }), wish);
    const jobId = await visit.api.submit(
      'POST',
      `${pathTo('/admin/v1/orgs', orgId)}/${compares ? 'verify' : 'import'}`,
      body,
    );
    return {
      goTo: withQuery(pathTo(`${addManyPath(orgId)}/jobs`, jobId), {
        kept: name,
        ...choicesAsFields(choices),
      }),
    };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status === 401 || error.status === 403) throw error;
    return reviewPage(deps, visit, error);
  }
}

/** The rules that the body of an import has. A conversion writes them itself. */
function ofBody({ dropHashes, withoutCredentials }: Choices): Record<string, string> {
  return {
    ...(dropHashes && { unreadableHashes: 'drop' }),
    ...(withoutCredentials && { withoutCredentials: 'allow' }),
  };
}

async function bodyOf(
  deps: ConvertingDeps,
  file: StoredUpload,
  { orgId, choices }: { readonly orgId: string; readonly choices: Choices },
): Promise<Uint8Array> {
  if (file.kind === 'muster') return file.text;
  const { converted } = await convertUploaded(deps, file, {
    orgId,
    isPreview: false,
    rules: uploadRulesOf(choices),
  });
  if (converted?.body !== undefined) return converted.body;
  throw new ApiProblem({ status: 400, id: 'import.bodyMalformed', detail: '' });
}
