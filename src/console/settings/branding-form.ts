import { type Html, html } from '#src/http/pages/html.js';
import { palettes } from '#src/http/pages/palette.js';
import { actionButton, buttons, field, form } from '../http/form.js';
import { fieldText } from '../http/visit.js';
import { pathOf } from '../resources/organization-of.js';
import { brandingScriptPath } from './branding-script.js';
import { type FormView, fieldContent, type SettingsForm } from './settings-form.js';
import { settingsTexts } from './texts/texts.js';

const pictures = ['logoUrl', 'faviconUrl'] as const;
const names = ['brandColor', ...pictures] as const;

/** The look of the pages: colour and pictures in a form, the upload of the logo, and a preview beside them. */
export const brandingForm: SettingsForm = {
  key: 'branding',
  fields: (view) =>
    html`${colorFields(view)}
${pictures.map((name) => {
  const texts = settingsTexts[view.visit.language];
  const value = fieldContent(view, name, view.organization.login[name] ?? '');
  return field({
    ...{ name, label: texts[name], type: 'url', value, hint: texts.pictureHint },
    ...{ maxLength: 2000, isExact: true },
  });
})}`,
  shown: (view) => ({ brandColorShown: colorOf(view) }),
  around: (view, content) => {
    const { visit } = view;
    return html`<div class="beside"><div>${content}${logoForms(view)}</div>${previews(view)}</div>
<script src="${visit.at(brandingScriptPath)}" defer></script>`;
  },
  change: (visit) => {
    const [shown, typed, picked] = ['brandColorShown', 'brandColor', 'brandColorPick'].map((name) =>
      fieldText(visit, name),
    ) as [string, string, string];
    // Without a script, a person uses the text or the picker. The one that differs from what was shown counts.
    const isPicked = typed === shown && picked !== '' && picked !== pickerOf(shown);
    const login = Object.fromEntries(names.map((name) => [name, fieldText(visit, name)]));
    return { login: { ...login, ...(isPicked && { brandColor: picked }) } };
  },
  stored: ({ language }, { login }) =>
    names.map((name) => [settingsTexts[language][name], login[name] ?? '–']),
};

function colorOf(view: FormView): string {
  return fieldContent(view, 'brandColor', view.organization.login.brandColor ?? '');
}

/** A picker always has a colour. Without one it shows that of the service. */
function pickerOf(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : palettes.light.fill;
}

function colorFields(view: FormView): Html {
  const { brandColor: label, colorHint: hint, brandColorPick } = settingsTexts[view.visit.language];
  const value = colorOf(view);
  return html`<div class="color">${field({ name: 'brandColor', label, value, hint, maxLength: 7, isExact: true })}
${field({ name: 'brandColorPick', label: brandColorPick, type: 'color', value: pickerOf(value) })}</div>`;
}

/** The upload, and a button that removes the logo. A file is not typed, so it has a form of its own. */
function logoForms({ visit, organization }: FormView): Html {
  const texts = settingsTexts[visit.language];
  const file = field({
    ...{ name: 'logo', label: texts.logoFile, type: 'file', hint: texts.logoFileHint, isRequired: true },
    ...{ accept: 'image/png,image/jpeg,image/webp' },
  });
  const upload = form(visit, {
    action: pathOf(visit, '/settings/logo'),
    isMultipart: true,
    className: 'next',
    content: html`${file}${buttons(texts.logoUpload)}`,
  });
  const remove = actionButton(visit, {
    action: pathOf(visit, '/settings/logo/remove'),
    label: texts.logoRemove,
  });
  return html`${upload}${organization.login.logoUrl !== undefined && html`<p class="buttons">${remove}</p>`}`;
}

/** The sign-in page in light and in dark, with what is saved. A script shows what is typed. */
function previews({ visit }: FormView): Html {
  const texts = settingsTexts[visit.language];
  const schemes = { light: texts.previewLight, dark: texts.previewDark };
  return html`<div class="previews"><h3>${texts.preview}</h3><p class="hint">${texts.previewHint}</p>
${Object.entries(schemes).map(
  ([scheme, title]) =>
    html`<h4 id="preview-${scheme}">${title}</h4><iframe src="${visit.at(pathOf(visit, '/settings/preview'), { scheme })}" title="${texts.preview}: ${title}"></iframe>`,
)}</div>`;
}
