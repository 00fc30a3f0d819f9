import type { KeptChange } from '#src/audit/changes.js';
import { settingNamed, settingNames } from '#src/clients/applications/index.js';
import {
  demandedLevels,
  demandScopes,
  type FactorDemand,
  type LoginSettings,
  loginSwitches,
  type PasswordPolicy,
  quotaKinds,
  type SignInPolicySettingName,
  signInPolicySettingNames,
} from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { attributesInWords } from '#src/http/providers/answers/answer-words.js';
import { apiTexts } from '../applications/api-texts/texts.js';
import { applicationsTexts } from '../applications/texts/texts.js';
import { connectionsTexts } from '../connections/texts/texts.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { roleName } from '../memberships/roles.js';
import { projectsTexts } from '../projects/texts/texts.js';
import { serviceUsersTexts } from '../service-users/texts/texts.js';
import { settingsTexts } from '../settings/texts/texts.js';
import { policyLabel, policyValue } from '../sign-in-policy/words/policy-words.js';
import { consoleTexts } from '../texts/texts.js';
import { usersTexts } from '../users/texts/texts.js';
import { changeTexts } from './texts/changes.js';

type Payload = Readonly<Record<string, unknown>>;

/** The longest value that is shown, in characters. */
const longestShown = 200;

/**
 * What an event changed, in the words of the forms that change it: the label of each property, and what it was and became if the event says
 * so. A property without a label is shown by its name.
 */
export function changesInWords(type: string, payload: Payload, language: Language): string {
  const labels = labelsOf(type, language);
  const label = (name: string) => (Object.hasOwn(labels, name) ? labels[name] : undefined) ?? name;
  const changes = Object.entries(changesOf(payload));
  const told = new Set(changes.map(([name]) => partOf(name)));
  const words = [
    ...changes.map(([name, change]) => `${label(name)}: ${valuesOf(type, name, change, language)}`),
    ...namesIn(payload).flatMap((name) => (told.has(name) ? [] : [label(name)])),
  ];
  return [...new Set(words)].join('; ');
}

/** What the roles of a group, or those in a project, were and became. Undefined for an event that does not say what they were. */
export function changedRolesInWords(type: string, payload: Payload, language: Language): string | undefined {
  const { roles } = changesOf(payload);
  return roles && valuesOf(type, 'roles', roles, language);
}

/** The property of an object to which a changed value belongs, as the list of an event names it. */
function partOf(name: string): string {
  return name === 'email' ? 'emails' : (name.split('.', 1)[0] ?? name);
}

function changesOf({ changes }: Payload): Readonly<Record<string, KeptChange>> {
  if (!isPlain(changes)) return {};
  return Object.fromEntries(
    Object.entries(changes).filter((entry): entry is [string, KeptChange] => isPlain(entry[1])),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function namesIn({ attributes }: Payload): string[] {
  return Array.isArray(attributes) ? attributes.map(String) : [];
}

function valuesOf(type: string, name: string, { from, to }: KeptChange, language: Language): string {
  const t = consoleTexts[language];
  const isOpposite = type === 'application.changed' && oppositeSettings.has(name);
  const words = (value: KeptChange['from']): string => {
    if (typeof value === 'boolean') return value === isOpposite ? t.no : t.yes;
    const setting = policySettings.get(name);
    if (setting !== undefined && value !== undefined) return cut(policyWords(language, setting, value));
    const texts = [value ?? []]
      .flat()
      .filter((one) => !isPlain(one))
      .map(String);
    const named =
      type === 'group.roles.changed'
        ? texts.map((role) => roleName({ t }, role))
        : type === 'connection.changed'
          ? texts.map((one) => connectionChoice(name, one, language))
          : texts;
    return cut(named.join(', ')) || t.none;
  };
  const usual = usualFlags.get(name) ?? false;
  const before = from ?? (typeof to === 'boolean' ? usual : undefined);
  const after = to ?? (typeof from === 'boolean' ? usual : undefined);
  return `${words(before)} → ${words(after)}`;
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** The settings of a sign-in policy, by the names that events give them. */
const policySettings: ReadonlyMap<string, SignInPolicySettingName> = new Map(
  signInPolicySettingNames.map((name) => [`signInPolicy.${name}`, name]),
);

function policyWords(
  language: Language,
  name: SignInPolicySettingName,
  value: NonNullable<KeptChange['from']>,
): string {
  if (name !== 'demands') return policyValue(language, name, value).join(', ');
  return [value]
    .flat()
    .map(String)
    .map((text) => {
      const demand = readDemand(text);
      return demand === undefined ? text : policyValue(language, name, [demand]).join('');
    })
    .join('; ');
}

/** A demand as an event tells it: see `policyInWords` of `organizations`. Undefined for a text that was cut. */
function readDemand(text: string): FactorDemand | undefined {
  const [, scope, groups, level, from] =
    /^(\w+)(?: (.+))?: acr (\w+) from (\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  const of = demandScopes.find((one) => one === scope);
  const acr = demandedLevels.find((one) => one === level);
  if (of === undefined || acr === undefined || from === undefined) return undefined;
  return { of, acr, from, ...(groups !== undefined && { groups: groups.split(', ') }) };
}

/** What a flag means that was not set. Any other is off. */
const usualFlags: ReadonlyMap<string, boolean> = new Map(
  Object.entries(loginSwitches).map(([name, isOn]) => [`login.${name}`, isOn]),
);

/** The settings whose box asks for the opposite. */
const oppositeSettings: ReadonlySet<string> = new Set(
  settingNames.filter((name) => settingNamed(name).form?.opposite !== undefined),
);

type Labels = Readonly<Record<string, string | undefined>>;

/** The labels of the properties whose changes the events of a type tell. */
function labelsOf(type: string, language: Language): Labels {
  const makers: Readonly<Record<string, (language: Language) => Labels>> = {
    'application.changed': applicationLabels,
    'connection.changed': connectionLabels,
    'org.changed': organizationLabels,
    'user.human.changed': userLabels,
    'user.machine.changed': serviceUserLabels,
    'group.changed': groupLabels,
    'project.changed': projectLabels,
    'project.role.changed': projectLabels,
  };
  return (Object.hasOwn(makers, type) ? makers[type]?.(language) : undefined) ?? {};
}

/** A choice of a connection as its form calls it. Any other value stays as it is. */
function connectionChoice(name: string, value: string, language: Language): string {
  const texts: Readonly<Record<string, string>> = connectionsTexts[language];
  const key = `${name.replace('provider.', '')}_${value}`;
  return (Object.hasOwn(texts, key) ? texts[key] : undefined) ?? value;
}

function connectionLabels(language: Language): Labels {
  const texts = connectionsTexts[language];
  const claims = attributesInWords(language).map(
    ([attribute, name]) => [`claims.${attribute}`, `${texts.claims}, ${name}`] as const,
  );
  return {
    name: consoleTexts[language].name,
    enabled: texts.on,
    provider: texts.provider,
    clientSecret: credentialTexts[language].secret,
    clientSecretEnds: texts.secretEnds,
    domains: texts.domains,
    linking: texts.linking,
    creation: texts.creation,
    strength: texts.strength,
    claims: texts.claims,
    'provider.clientId': 'client_id',
    'provider.authMethod': texts.authMethod,
    'provider.scopes': short(texts.scopes),
    'provider.hostedDomain': texts.hostedDomain,
    'provider.multiFactorAcrs': short(texts.multiFactorAcrs),
    'provider.answersByForm': texts.answersByForm,
    'provider.readsUserInfo': texts.readsUserInfo,
    'provider.endsSession': texts.endsSession,
    'linking.provisionedBy': texts.provisionedBy,
    'linking.identifierClaim': texts.identifierClaim,
    'provider.signIn': texts.signInAt,
    'provider.certificates': texts.certificates,
    'provider.metadataUrl': texts.metadataUrl,
    'provider.nameIdFormat': texts.nameIdFormat,
    'provider.subjectAttribute': texts.subjectAttribute,
    'provider.signedPart': texts.signedPart,
    'provider.signsRequests': texts.signsRequests,
    'provider.startsAtProvider': texts.startsAtProvider,
    'provider.allowsSha1': texts.allowsSha1,
    'linking.byDomain': texts.byDomain,
    'linking.byPerson': texts.byPerson,
    mapping: texts.mapping,
    ...Object.fromEntries(claims),
  };
}

/** A label without how the form takes the value, such as "one a line". */
function short(label: string): string {
  return label.split(',', 1)[0] ?? label;
}

function applicationLabels(language: Language): Labels {
  const texts = applicationsTexts[language];
  return {
    ...texts,
    redirectUris: short(texts.redirectUris),
    postLogoutRedirectUris: short(texts.postLogoutRedirectUris),
    name: consoleTexts[language].name,
    projectId: apiTexts[language].project,
  };
}

function organizationLabels(language: Language): Labels {
  const texts = settingsTexts[language];
  const under = (heading: string, label: string) => `${heading}, ${label}`;
  const below = (prefix: string, labels: Labels) =>
    Object.fromEntries(Object.entries(labels).map(([name, label]) => [`${prefix}.${name}`, label]));
  const login: Record<keyof LoginSettings, string> = {
    selfRegistration: texts.selfRegistration,
    verifyEmail: texts.verifyEmail,
    notifyNewBrowser: under(texts.form_notices, texts.notifyNewBrowser),
    notifyChanges: under(texts.form_notices, texts.notifyChanges),
    notifyAdministration: under(texts.form_notices, texts.notifyAdministration),
    logoUrl: texts.logoUrl,
    faviconUrl: texts.faviconUrl,
    brandColor: texts.brandColor,
  };
  const passwordPolicy: Record<keyof PasswordPolicy, string> = {
    minLength: texts.minLength,
    upper: under(texts.characters, texts.upper),
    lower: under(texts.characters, texts.lower),
    digit: under(texts.characters, texts.digit),
    symbol: under(texts.characters, texts.symbol),
  };
  const signInPolicy = Object.fromEntries(
    signInPolicySettingNames.map((name) => [name, under(texts.signInPolicy, policyLabel(language, name))]),
  );
  const quotas = quotaKinds.map((kind) => [kind, under(texts.form_quotas, texts[`quota_${kind}`])] as const);
  return {
    name: consoleTexts[language].name,
    domains: texts.domains,
    unverifiedDomains: under(texts.domains, texts.unverified),
    plainScimErrors: texts.plainScimErrors,
    uniqueExternalId: texts.uniqueExternalId,
    extensionSchemas: texts.schemas,
    migrationHook: texts.migration,
    passwordPepper: texts.pepper,
    passwordPolicy: texts.form_signIn,
    login: texts.form_branding,
    quotas: texts.form_quotas,
    signInPolicy: texts.signInPolicy,
    ...below('signInPolicy', signInPolicy),
    ...below('passwordPolicy', passwordPolicy),
    ...below('quotas', Object.fromEntries(quotas)),
    ...below('login', login),
  };
}

function userLabels(language: Language): Labels {
  const { fields, sections, email } = usersTexts[language];
  return {
    ...fields,
    ...changeTexts[language].userLists,
    name: consoleTexts[language].name,
    clientExternalIds: fields.externalId,
    email,
    extensions: sections.further,
  };
}

function serviceUserLabels(language: Language): Labels {
  const { name } = consoleTexts[language];
  const { accessTokenType } = applicationsTexts[language];
  const { userName, description, ignorePasswords, plainScimErrors } = serviceUsersTexts[language];
  const { ignorePasswordOnCreate } = changeTexts[language];
  return {
    name,
    userName,
    description,
    accessTokenType,
    ignorePasswords,
    plainScimErrors,
    ignorePasswordOnCreate,
  };
}

function groupLabels(language: Language): Labels {
  return { displayName: consoleTexts[language].name, externalId: usersTexts[language].fields.externalId };
}

function projectLabels(language: Language): Labels {
  const { name, nav } = consoleTexts[language];
  return {
    name,
    displayName: name,
    group: nav.groups,
    audienceOrgIds: short(projectsTexts[language].organizations),
  };
}
