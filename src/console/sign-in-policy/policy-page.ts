import { type SignInPolicy, signInPolicySettingNames } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pathSegment } from '#src/platform/path-segment.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, form, isReturned } from '../http/form.js';
import { card, facts, guideLink } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, fieldValues, param, queryText } from '../http/visit.js';
import { changedMeanwhile } from '../log/changed-meanwhile.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { settingsFrame } from '../settings/settings-frame.js';
import { placedRefusal } from './placed-refusal.js';
import {
  fieldsOfPolicy,
  type PolicyFields,
  policyFields,
  policyOfFields,
  typedPolicy,
} from './policy-form.js';
import { namesInPolicy, typedIdentifiers } from './policy-identifiers.js';
import { policyTexts } from './texts/texts.js';
import { type Trial, trialCard } from './trial-card.js';
import { policyLabel, policyValue } from './words/policy-words.js';

/** The policy as the API shows it. */
interface StoredPolicy extends SignInPolicy {
  readonly version: number;
}

/** What a form of the page led to. Without one, the form has the stored policy. */
interface Outcome {
  readonly trial?: Trial | undefined;
  readonly problem?: ApiProblem | undefined;
}

/** The page, below the organization. */
export const policyPath = '/settings/sign-in-policy';

/** The sign-in policy of an organization, and the form with which its owners try and change it. */
export async function policyPage(visit: ConsoleVisit, outcome?: Outcome): Promise<ConsolePage> {
  const [organization, { version, ...policy }] = await Promise.all([
    organizationOf(visit),
    readPolicy(visit),
  ]);
  const texts = policyTexts[visit.language];
  const nameOf = await namesInPolicy(visit, policy);
  const stored = policyInWords(visit, policy, nameOf);
  const fields = outcome === undefined ? fieldsOfPolicy(policy, nameOf) : typedPolicy(visit);
  const shownVersion = outcome === undefined ? String(version) : fieldText(visit, 'version');
  return settingsFrame(visit, {
    organization,
    tab: 'signInPolicy',
    content: html`${outcome?.trial && trialCard(visit, outcome.trial)}
${card(texts.holds, stored.length === 0 ? html`<p>${texts.none}</p>` : facts(stored))}
${policyForm(visit, fields, shownVersion)}`,
    ...(queryText(visit, 'done') === 'saved' && { notice: visit.t.saved }),
    ...(outcome?.problem && (await refusalIn(visit, outcome.problem, stored))),
  });
}

/** Reads the policy of the organization of the page, with the version of the organization. */
export function readPolicy(visit: ConsoleVisit): Promise<StoredPolicy> {
  return visit.api.get<StoredPolicy>(apiOf(visit, '/sign-in-policy'));
}

/** The form that tries and saves a policy. */
export function policyForm(visit: ConsoleVisit, fields: PolicyFields, version: string): Html {
  const texts = policyTexts[visit.language];
  const content = form(visit, {
    action: pathOf(visit, policyPath),
    shown: { version },
    content: html`${policyFields(visit, fields, { rows: returnedRows(visit) })}
${buttons(texts.try, { other: { name: 'act', value: 'save', label: visit.t.save } })}`,
  });
  return card(texts.change, content, {
    hint: html`${texts.changeHint} ${guideLink(visit, 'sign-in-policy', texts.guide)}`,
  });
}

type Facts = Parameters<typeof facts>[0];

function policyInWords(
  { language }: Pick<ConsoleVisit, 'language'>,
  policy: SignInPolicy,
  nameOf: (groupId: string) => string,
): Facts {
  return signInPolicySettingNames.flatMap((name) => {
    const value = policy[name];
    if (value === undefined) return [];
    const words = policyValue(language, name, value, nameOf);
    const shown =
      words.length === 1
        ? words[0]
        : html`<ul class="plain">${words.map((one) => html`<li>${one}</li>`)}</ul>`;
    return [[policyLabel(language, name), shown] as const];
  });
}

/** How many demands the form had that a sign-in interrupted. Undefined without such a form. */
function returnedRows(visit: ConsoleVisit): number | undefined {
  if (!isReturned(visit, pathOf(visit, policyPath))) return undefined;
  return Object.keys(visit.draft?.typed ?? {}).filter((name) => /^demand-\d-of$/.test(name)).length;
}

/** Tries what was typed, or saves it. */
export async function takePolicy(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const typed = typedPolicy(visit);
  const policy = policyOfFields(typed, await typedIdentifiers(visit, typed));
  if (fieldText(visit, 'act') !== 'save') return tryPolicy(visit, policy);
  const version = Number(fieldText(visit, 'version'));
  const problem = await refusalOf(() =>
    visit.api.send('PUT', apiOf(visit, '/sign-in-policy'), { ...policy, version }),
  );
  if (problem === undefined) return { goTo: `${pathOf(visit, policyPath)}?done=saved` };
  // The owners whom it would keep out are named if no job is needed for that.
  const tried = problem.id === lastOwner ? await beginTrial(visit, policy) : undefined;
  return policyPage(visit, { problem, trial: tried && 'answer' in tried ? tried.answer : undefined });
}

async function tryPolicy(visit: ConsoleVisit, policy: object): Promise<ConsolePage | GoTo> {
  let tried: Awaited<ReturnType<typeof beginTrial>> | undefined;
  const problem = await refusalOf(async () => {
    tried = await beginTrial(visit, policy);
  });
  if (tried !== undefined && 'jobId' in tried)
    return { goTo: pathOf(visit, `${policyPath}/trials/${pathSegment(tried.jobId)}`) };
  return policyPage(visit, { problem, trial: tried?.answer });
}

function beginTrial(visit: ConsoleVisit, policy: object) {
  return visit.api.attempt<Trial>(apiOf(visit, '/sign-in-policy/trial'), policy);
}

const lastOwner = 'directory.lastAbleOwner';

async function refusalIn(
  visit: ConsoleVisit,
  problem: ApiProblem,
  stored: Facts,
): Promise<Pick<ConsolePage, 'alert' | 'refused' | 'status'>> {
  if (problem.status === 412) {
    const shown = { id: param(visit, 'orgId'), version: Number(fieldText(visit, 'version')), stored };
    return { alert: await changedMeanwhile(visit, shown), status: 409 };
  }
  const refused: ApiRefusal =
    problem.id === lastOwner
      ? {
          status: problem.status,
          id: '',
          errors: [{ path: [], id: '', params: {}, text: policyTexts[visit.language].lastOwner }],
        }
      : placedRefusal(problem, typedPolicy(visit));
  const byMail = fieldValues(visit, 'secondFactors').includes('mailCode') ? 'secondFactors' : 'firstFactors';
  return { refused: { problem: refused, names: { 'directory.mailMissing': byMail } } };
}
