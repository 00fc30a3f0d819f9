import type { SettingsWith } from '#src/clients/applications/index.js';
import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { type ApplicationsTexts, en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The settings that the form asks for. */
export type FormSetting = SettingsWith<{ readonly form: object }>;

type HintedSetting = SettingsWith<{ readonly form: { readonly hint: true } }>;

/** The labels of the settings, and the hints below their fields. */
type SettingTexts = Readonly<Record<FormSetting | `${HintedSetting}Hint`, string>>;

/** The texts of the pages about applications. A missing one is a type error. */
export const applicationsTexts: Readonly<Record<Language, ApplicationsTexts & SettingTexts>> = {
  en,
  de,
  fr,
  es,
  it,
};
