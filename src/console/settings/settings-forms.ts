import { type Html, html } from '#src/http/pages/html.js';
import { checkbox, field } from '../http/form.js';
import { type ConsoleVisit, fieldText, ownsInstance } from '../http/visit.js';
import { brandingForm } from './branding-form.js';
import { type FormView, fieldContent, isOn, type SettingsForm } from './settings-form.js';
import { settingsTexts } from './texts/texts.js';

const nameForm: SettingsForm = {
  key: 'name',
  fields: (view) =>
    field({
      name: 'name',
      label: view.visit.t.name,
      value: fieldContent(view, 'name', view.organization.name),
      isRequired: true,
      maxLength: 200,
    }),
  change: (visit) => ({ name: fieldText(visit, 'name') }),
  stored: ({ t }, { name }) => [[t.name, name]],
};

/** The settings of {@link signInForm} and of {@link noticesForm}. */
const registrations = ['selfRegistration', 'verifyEmail'] as const;
const topics = ['notifyNewBrowser', 'notifyChanges', 'notifyAdministration'] as const;
type LoginSwitch = (typeof registrations | typeof topics)[number];

const rules = ['upper', 'lower', 'digit', 'symbol'] as const;
/** NIST SP 800-63B-4 section 3.1.1.2: long, and without rules for characters. */
const nist = { minLength: 15, upper: false, lower: false, digit: false, symbol: false };

const signInForm: SettingsForm = {
  key: 'signIn',
  names: { 'directory.mailMissing': 'verifyEmail' },
  fields(view) {
    const { visit } = view;
    const texts = settingsTexts[visit.language];
    const policy = view.organization.passwordPolicy;
    return html`${checkbox({
      name: 'nist',
      label: texts.nist,
      hint: texts.nistHint,
      isChecked: isOn(
        view,
        'nist',
        Object.entries(nist).every(([rule, value]) => Reflect.get(policy, rule) === value),
      ),
    })}
${field({ name: 'minLength', label: texts.minLength, type: 'number', value: fieldContent(view, 'minLength', String(policy.minLength)), hint: texts.minLengthHint })}
<fieldset><legend>${texts.characters}</legend>${rules.map((rule) =>
      checkbox({ name: rule, label: texts[rule], isChecked: isOn(view, rule, policy[rule]) }),
    )}</fieldset>
${loginSwitches(view, registrations)}`;
  },
  change(visit) {
    const given = {
      minLength: Number(fieldText(visit, 'minLength')),
      ...Object.fromEntries(rules.map((rule) => [rule, fieldText(visit, rule) === 'on'])),
    };
    return {
      passwordPolicy: fieldText(visit, 'nist') === 'on' ? nist : given,
      login: typedSwitches(visit, registrations),
    };
  },
  stored({ t, language }, { passwordPolicy, login }) {
    const texts = settingsTexts[language];
    const asked = rules.filter((rule) => passwordPolicy[rule]).map((rule) => texts[rule]);
    return [
      [texts.minLength, passwordPolicy.minLength],
      [texts.characters, asked.join(', ')],
      ...registrations.map((name) => [texts[name], login[name] ? t.yes : t.no] as const),
    ];
  },
};

/** What people are told by mail. */
const noticesForm: SettingsForm = {
  key: 'notices',
  fields: (view) =>
    html`<p class="soft">${settingsTexts[view.visit.language].noticesHint}</p>${loginSwitches(view, topics)}`,
  change: (visit) => ({ login: typedSwitches(visit, topics) }),
  stored: ({ t, language }, { login }) =>
    topics.map((name) => [settingsTexts[language][name], login[name] ? t.yes : t.no]),
};

/** The checkboxes of settings of the sign-in. */
function loginSwitches(view: FormView, names: readonly LoginSwitch[]): Html {
  const texts = settingsTexts[view.visit.language];
  return html`${names.map((name) =>
    checkbox({
      name,
      label: texts[name],
      hint: texts[`${name}Hint`],
      isChecked: isOn(view, name, view.organization.login[name]),
    }),
  )}`;
}

function typedSwitches(visit: ConsoleVisit, names: readonly LoginSwitch[]): object {
  return Object.fromEntries(names.map((name) => [name, fieldText(visit, name) === 'on']));
}

const switches = ['plainScimErrors', 'uniqueExternalId'] as const;

const scimForm: SettingsForm = {
  key: 'scim',
  fields: (view) =>
    html`${switches.map((name) => {
      const texts = settingsTexts[view.visit.language];
      const isChecked = isOn(view, name, view.organization[name]);
      return checkbox({ name, label: texts[name], hint: texts[`${name}Hint`], isChecked });
    })}`,
  change: (visit) => Object.fromEntries(switches.map((name) => [name, fieldText(visit, name) === 'on'])),
  stored: ({ t, language }, organization) =>
    switches.map((name) => [settingsTexts[language][name], organization[name] ? t.yes : t.no]),
};

const quotaNames = [
  'users',
  'groups',
  'serviceUsers',
  'projects',
  'applications',
  'connections',
  'metadata',
  'openJobs',
] as const;

const quotasForm: SettingsForm = {
  key: 'quotas',
  isForInstanceOwners: true,
  names: Object.fromEntries(quotaNames.map((name) => [`quotas.${name}`, `quota-${name}`])),
  fields: (view) => {
    const texts = settingsTexts[view.visit.language];
    return html`<p class="soft">${texts.quotaHint}</p><div class="fields">${quotaNames.map((name) =>
      field({
        name: `quota-${name}`,
        label: texts[`quota_${name}`],
        type: 'number',
        value: fieldContent(view, `quota-${name}`, String(view.organization.quotas[name] ?? 0)),
      }),
    )}</div>`;
  },
  /** Only what differs from what applies, so that a quota of the instance stays one. */
  change(visit, { quotas }) {
    const changed = quotaNames.flatMap((name) => {
      const typed = fieldText(visit, `quota-${name}`);
      if (typed === String(quotas[name] ?? 0)) return [];
      return [[name, typed === '' ? null : Number(typed)] as const];
    });
    return { quotas: Object.fromEntries(changed) };
  },
  stored: ({ language }, { quotas }) =>
    quotaNames.map((name) => [settingsTexts[language][`quota_${name}`], quotas[name] ?? 0]),
};

const forms: readonly SettingsForm[] = [
  nameForm,
  signInForm,
  noticesForm,
  brandingForm,
  scimForm,
  quotasForm,
];

/** The forms that the person may use. */
export function formsFor(visit: ConsoleVisit): readonly SettingsForm[] {
  return forms.filter(({ isForInstanceOwners }) => !isForInstanceOwners || ownsInstance(visit));
}
