import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { attributeInWords } from '#src/http/providers/answers/answer-words.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form, select } from '../http/form.js';
import { guideLink, table } from '../http/parts.js';
import { type ConsoleVisit, fieldLines, fieldText, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { findGroups } from '../resources/group.js';
import { claimNames, connectionPath, type ShownConnection } from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

type Attribute = (typeof claimNames)[number];

/** What the form says about one attribute. */
interface MappedRow {
  readonly from: readonly string[];
  readonly constant: string;
  readonly lowerCase: boolean;
}

/** The mapping as the API takes it. A row that one name can say is a name. */
export interface TypedMapping {
  readonly claims: Partial<Record<Attribute, string>>;
  readonly mapping: ShownConnection['mapping'];
}

/** Names and identifiers of the first groups of the organization. */
export interface KnownGroups {
  nameOf(id: string): string;
  /** The group with its identifier, which counts even if the group gets another name meanwhile. */
  labelOf(id: string): string;
  /** The identifier that a text means: that of a label, an identifier, or a name. '' if it could mean several groups. */
  idOf(text: string): string;
}

/** The most groups whose names the form knows. Others are shown by their identifiers. */
const mostNamed = 1_000;
const pageSize = 100;

/** Reads the groups that lines may name. Those of the connection are known by their identifiers at least. */
export async function knownGroups(
  visit: ConsoleVisit,
  { mapping }: Pick<ShownConnection, 'mapping'>,
): Promise<KnownGroups> {
  const byId = new Map<string, string>();
  for (let after: string | undefined = ''; after !== undefined && byId.size < mostNamed; ) {
    const page = await findGroups(visit, param(visit, 'orgId'), { search: '', after, limit: pageSize });
    for (const { id, displayName } of page.items) byId.set(id, displayName);
    after = page.next;
  }
  const ids = new Set([...byId.keys(), ...mapping.groups.map(({ groupId }) => groupId)]);
  return {
    nameOf: (id) => byId.get(id) ?? id,
    labelOf: (id) => (byId.has(id) ? `${byId.get(id)} (${id})` : id),
    idOf(text) {
      const given = /\(([^()]+)\)$/.exec(text)?.[1] ?? text;
      const named = [...byId].filter(([, name]) => name.toLowerCase() === text.toLowerCase());
      // Somebody who names groups may give one the identifier of another one, or its label.
      const meant = new Set([...named.map(([id]) => id), ...(ids.has(given) ? [given] : [])]);
      const [only = text] = meant;
      return meant.size > 1 ? '' : only;
    },
  };
}

/** Whether a line or a row of the form can say the names. Others are shown, and stay as they are. */
const isTypable = (names: readonly string[], separator: string): boolean =>
  names.every(
    (name) => name !== '' && name === name.trim() && !/[\r\n]/.test(name) && !name.includes(separator),
  );
const isTypableGroup = ({ claim, value }: ShownConnection['mapping']['groups'][number]) =>
  isTypable([claim, value], '|');

/** The form of the mapping: as it is stored, or as it was sent. */
export function mappingForm(visit: ConsoleVisit, connection: ShownConnection, groups: KnownGroups): Html {
  const { at, t, language } = visit;
  const texts = connectionsTexts[language];
  const isSent = visit.request.method === 'POST';
  const { mapping, version } = connection;
  const rows = claimNames.map((attribute) =>
    rowOf(
      visit,
      attribute,
      isSent ? sentRow(visit, connection, attribute) : storedRow(connection, attribute),
    ),
  );
  const lineOf = ({ claim, value, groupId }: ShownConnection['mapping']['groups'][number]) =>
    [claim, value, groups.labelOf(groupId)].join(' | ');
  const lines = mapping.groups.filter(isTypableGroup).map(lineOf);
  const kept = mapping.groups.filter((group) => !isTypableGroup(group)).map(lineOf);
  const content = html`${select({
    name: 'when',
    label: texts.mappedWhen,
    choices: (['first', 'always'] as const).map((value) => ({ value, label: texts[`mapped_${value}`] })),
    value: isSent ? fieldText(visit, 'when') : mapping.when,
  })}
${table({ caption: texts.mapping, columns: [texts.attribute, texts.firstOf, texts.constant, texts.lowerCase], rows })}
<p class="hint">${texts.firstOfHint}</p>
${kept.length > 0 && html`<p class="hint">${texts.mappedKept}</p><ul>${kept.map((line) => html`<li class="exact">${line}</li>`)}</ul>`}
${field({ name: 'groups', label: texts.mappedGroups, value: isSent ? fieldText(visit, 'groups') : lines.join('\n'), rows: 5, isExact: true, hint: texts.mappedGroupsHint })}
<p class="hint">${texts.guide} ${guideLink(visit, 'connections', texts.guideName)}</p>
${field({ name: 'tried', label: texts.tried, value: isSent ? fieldText(visit, 'tried') : '', rows: 3, isExact: true, maxLength: 20_000, hint: texts.triedHint })}
${buttons(t.save, { other: { name: 'act', value: 'preview', label: texts.preview }, cancel: { href: at(connectionPath(visit)), label: t.cancel } })}`;
  return form(visit, {
    action: connectionPath(visit, '/mapping'),
    shown: { version: String(version) },
    content,
  });
}

function rowOf(
  { language }: ConsoleVisit,
  attribute: Attribute,
  { from, constant, lowerCase }: MappedRow,
): HtmlValue[] {
  const texts = connectionsTexts[language];
  const name = attributeInWords(language, attribute);
  const fixed = !isTypable(from, ',') && html` readonly`;
  const input = (kind: string, label: string, value: string) =>
    html`<label for="f-${kind}_${attribute}" class="away">${name}: ${label}</label><input id="f-${kind}_${attribute}" name="${kind}_${attribute}" class="exact" value="${value}"${fixed} maxlength="1000" autocomplete="off" autocapitalize="none" spellcheck="false">`;
  const hasConstant = attribute !== 'userName' && attribute !== 'email';
  return [
    name,
    input('from', texts.firstOf, from.join(', ')),
    hasConstant && input('constant', texts.constant, constant),
    html`<input type="checkbox" id="f-lower_${attribute}-on" name="lower_${attribute}" value="on" aria-label="${name}: ${texts.lowerCase}"${lowerCase && html` checked`}>`,
  ];
}

function storedRow({ claims, mapping }: ShownConnection, attribute: Attribute): MappedRow {
  const row = mapping.values.find(({ to }) => to === attribute);
  if (row !== undefined)
    return { from: row.from, constant: row.constant ?? '', lowerCase: row.lowerCase === true };
  const name = claims[attribute];
  return { from: name === undefined ? [] : [name], constant: '', lowerCase: false };
}

/** What was sent of a row. One that the form cannot say is as it is stored. */
function sentRow(visit: ConsoleVisit, connection: ShownConnection, attribute: Attribute): MappedRow {
  const stored = storedRow(connection, attribute);
  if (!isTypable(stored.from, ',')) return stored;
  // Names of SAML may have spaces.
  const from = fieldText(visit, `from_${attribute}`).split(',');
  return {
    from: from.map((name) => name.trim()).filter((name) => name !== ''),
    constant: fieldText(visit, `constant_${attribute}`),
    lowerCase: fieldText(visit, `lower_${attribute}`) === 'on',
  };
}

/** The mapping that the form was sent with. */
export function typedMapping(
  visit: ConsoleVisit,
  connection: ShownConnection,
  groups: KnownGroups,
): TypedMapping {
  const rows = claimNames
    .map((to) => ({ to, ...sentRow(visit, connection, to) }))
    .filter(({ from, constant }) => from.length > 0 || constant !== '');
  const isName = ({ from, constant, lowerCase }: MappedRow) =>
    from.length === 1 && constant === '' && !lowerCase;
  return {
    claims: Object.fromEntries(rows.filter(isName).map(({ to, from }) => [to, from[0] ?? ''])),
    mapping: {
      when: fieldText(visit, 'when') === 'always' ? 'always' : 'first',
      values: rows
        .filter((row) => !isName(row))
        .map(({ to, from, constant, lowerCase }) => ({
          ...{ to, from },
          ...(constant !== '' && { constant }),
          ...(lowerCase && { lowerCase }),
        })),
      groups: [
        ...fieldLines(visit, 'groups').map((line) => typedGroup(line, groups)),
        ...connection.mapping.groups.filter((group) => !isTypableGroup(group)),
      ],
    },
  };
}

function typedGroup(line: string, groups: KnownGroups): TypedMapping['mapping']['groups'][number] {
  // The name of a group may have the separator.
  const [, claim = line, value = '', group = ''] = /^([^|]*)\|([^|]*)\|(.*)$/.exec(line) ?? [];
  return { claim: claim.trim(), value: value.trim(), groupId: groups.idOf(group.trim()) };
}

/** The refusal of a mapping with the names of the controls: a row of the table has those of its attribute, and a group is a line. */
export function refusalOfMapping({ mapping }: TypedMapping, problem: ApiProblem): ApiRefusal {
  const place = (path: readonly string[]): readonly string[] => {
    const [first, list, position = '', member = ''] = path;
    if (first === 'claimNames' || (first === 'claims' && list !== undefined)) return [`from_${list}`];
    if (list === 'groups') return position === '' ? ['groups'] : ['groups', position];
    const to = mapping.values[Number(position)]?.to;
    return list === 'values' && to !== undefined
      ? [`${member === 'constant' ? 'constant' : 'from'}_${to}`]
      : path;
  };
  const { status, id, errors } = problem;
  return { status, id, errors: errors.map((error) => ({ ...error, path: place(error.path) })) };
}
