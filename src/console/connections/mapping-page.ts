import { type Html, html } from '#src/http/pages/html.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { changedMeanwhile } from '../log/changed-meanwhile.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { organizationOf } from '../resources/organization-of.js';
import {
  type KnownGroups,
  knownGroups,
  mappingForm,
  refusalOfMapping,
  typedMapping,
} from './mapping-form.js';
import { previewCard, type ShownPreview } from './mapping-preview.js';
import { connectionApi, connectionOf, connectionPath } from './shown-connection.js';
import { crumbsOfConnection } from './switch-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** What a page shows beside the form. */
interface Shown {
  readonly groups?: KnownGroups;
  readonly preview?: ShownPreview;
  readonly problem?: ApiRefusal;
  /** Somebody else changed the connection since the form was shown. */
  readonly isLate?: true;
}

/** Where the values and groups of people come from, and what a sign-in would do. */
export async function mappingPage(visit: ConsoleVisit, shown: Shown = {}): Promise<ConsolePage> {
  const texts = connectionsTexts[visit.language];
  const [organization, connection] = await Promise.all([organizationOf(visit), connectionOf(visit)]);
  const groups = shown.groups ?? (await knownGroups(visit, connection));
  const { preview, problem, isLate } = shown;
  const { id, name } = connection;
  const version = Number(fieldText(visit, 'version'));
  return {
    title: texts.mapping,
    subtitle: name,
    organization,
    crumbs: crumbsOfConnection(visit, name),
    content: html`${preview && (await previewCard(visit, preview, groups))}<div class="card"><p class="soft">${texts.mappingHint}</p>${mappingForm(visit, connection, groups)}</div>`,
    ...(isLate && { status: 409, alert: await late(visit, { id, version, name }) }),
    ...(problem && { refused: { problem, names: { claims: 'tried', 'connections.noLastSignIn': 'tried' } } }),
  };
}

function late(
  visit: ConsoleVisit,
  { id, version, name }: { id: string; version: number; name: string },
): Promise<Html> {
  const texts = connectionsTexts[visit.language];
  return changedMeanwhile(visit, { id, version, stored: [[texts.nameField, name]] });
}

/** Saves the mapping, or says what it would do with the last sign-in or with the claims that were typed. */
export async function saveMapping(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const connection = await connectionOf(visit);
  const groups = await knownGroups(visit, connection);
  const typed = typedMapping(visit, connection, groups);
  if (fieldText(visit, 'act') === 'preview') {
    const tried = fieldText(visit, 'tried');
    const asked = {
      claimNames: typed.claims,
      mapping: typed.mapping,
      ...(tried !== '' && { claims: tried }),
    };
    let preview: ShownPreview | undefined;
    const problem = await refusalOf(async () => {
      preview = await visit.api.send<ShownPreview>('POST', connectionApi(visit, '/preview'), asked);
    });
    const refused = problem && refusalOfMapping(typed, problem);
    return mappingPage(visit, { groups, ...(preview && { preview }), ...(refused && { problem: refused }) });
  }
  if (connection.version !== Number(fieldText(visit, 'version')))
    return mappingPage(visit, { groups, isLate: true });
  const problem = await refusalOf(() => visit.api.send('PATCH', connectionApi(visit), typed));
  if (problem === undefined) return { goTo: `${connectionPath(visit)}?done=saved` };
  return mappingPage(visit, { groups, problem: refusalOfMapping(typed, problem) });
}
