import type { Language } from '#src/http/base/language.js';
import type { FormChoice } from '../http/form.js';

/** What a field of a profile offers: languages, languages of regions, or time zones. */
export type LocaleChoices = 'languages' | 'regions' | 'timezones';

/** The languages that many people write, and the variants that differ in writing (BCP 47). */
const languageTags =
  'af am ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-419 es-MX et eu fa fi fil fr fr-CA fr-CH ga gl gu he hi hr hu hy id is it it-CH ja ka kk km kn ko ky lb lo lt lv mk ml mn mr ms mt my nb ne nl nl-BE nn pa pl ps pt pt-BR pt-PT rm ro ru si sk sl sq sr sv sw ta te tg th tk tr uk ur uz vi zh zh-CN zh-HK zh-TW'.split(
    ' ',
  );

/** The official or most spoken languages of the regions of the world, each as a locale. */
const localeTags =
  'af-ZA am-ET ar-AE ar-BH ar-DJ ar-DZ ar-EG ar-IL ar-IQ ar-JO ar-KM ar-KW ar-LB ar-LY ar-MA ar-MR ar-OM ar-PS ar-QA ar-SA ar-SD ar-SY ar-TD ar-TN ar-YE az-AZ be-BY bg-BG bn-BD bs-BA ca-AD ca-ES cs-CZ cy-GB da-DK da-GL de-AT de-BE de-CH de-DE de-IT de-LI de-LU dv-MV dz-BT el-CY el-GR en-AG en-AI en-AS en-AU en-BB en-BM en-BS en-BW en-BZ en-CA en-CC en-CK en-CM en-CX en-DM en-ER en-FJ en-FK en-FM en-GB en-GD en-GG en-GH en-GI en-GM en-GU en-GY en-HK en-IE en-IM en-IN en-JE en-JM en-KE en-KI en-KN en-KY en-LC en-LR en-LS en-MH en-MP en-MS en-MT en-MU en-MW en-NA en-NF en-NG en-NR en-NU en-NZ en-PG en-PH en-PK en-PN en-PR en-PW en-RW en-SB en-SC en-SG en-SH en-SL en-SS en-SX en-SZ en-TC en-TK en-TO en-TT en-TV en-TZ en-UG en-US en-VC en-VG en-VI en-VU en-WS en-ZA en-ZM en-ZW es-AR es-BO es-CL es-CO es-CR es-CU es-DO es-EC es-ES es-GQ es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE et-EE eu-ES fa-AF fa-IR fi-FI fil-PH fo-FO fr-BE fr-BF fr-BI fr-BJ fr-BL fr-CA fr-CD fr-CF fr-CG fr-CH fr-CI fr-CM fr-DJ fr-FR fr-GA fr-GF fr-GN fr-GP fr-HT fr-KM fr-LU fr-MA fr-MC fr-MF fr-MG fr-ML fr-MQ fr-MU fr-NC fr-NE fr-PF fr-PM fr-RE fr-RW fr-SN fr-TD fr-TG fr-TN fr-WF fr-YT ga-IE gl-ES he-IL hi-IN hr-BA hr-HR hu-HU hy-AM id-ID is-IS it-CH it-IT it-SM it-VA ja-JP ka-GE kk-KZ km-KH ko-KP ko-KR ky-KG lb-LU lo-LA lt-LT lv-LV mk-MK mn-MN ms-BN ms-MY ms-SG mt-MT my-MM nb-NO ne-NP nl-AW nl-BE nl-BQ nl-CW nl-NL nl-SR nn-NO pl-PL ps-AF pt-AO pt-BR pt-CV pt-GW pt-MO pt-MZ pt-PT pt-ST pt-TL rm-CH ro-MD ro-RO ru-BY ru-KG ru-KZ ru-RU si-LK sk-SK sl-SI so-SO sq-AL sq-MK sq-XK sr-BA sr-ME sr-RS sv-AX sv-FI sv-SE sw-KE sw-TZ ta-IN ta-LK ta-SG tg-TJ th-TH ti-ER tk-TM tr-CY tr-TR uk-UA ur-PK uz-UZ vi-VN zh-CN zh-HK zh-MO zh-SG zh-TW'.split(
    ' ',
  );

/** The present names of zones that some versions of Node.js list under a former one. */
const renamedZones: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const makers: Readonly<Record<LocaleChoices, (language: Language) => readonly FormChoice[]>> = {
  languages: (language) => byLabel(language, languageTags),
  regions: (language) => byLabel(language, localeTags),
  timezones: () => timeZoneChoices(),
};

/** Made once for each language of the pages: hundreds of names take milliseconds. */
const made = new Map<string, readonly FormChoice[]>();

/** The choices of a field, in the order of their names in the language. */
export function localeChoices(kind: LocaleChoices, language: Language): readonly FormChoice[] {
  const key = `${kind} ${language}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const choices = makers[kind](language);
  made.set(key, choices);
  return choices;
}

/** What people call a stored value. A value that is no choice, such as `da, en-GB;q=0.8`, has no name. */
export function localeName(kind: LocaleChoices, language: Language, value: string): string | undefined {
  return localeChoices(kind, language).find((choice) => choice.value === value)?.label;
}

function byLabel(language: Language, tags: readonly string[]): FormChoice[] {
  const regions = new Intl.DisplayNames(language, { type: 'region' });
  const tongues = new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' });
  const isRegional = tags === localeTags;
  const nameOf = (tag: string) => {
    const [tongue = '', region = ''] = tag.split('-');
    return isRegional ? `${regions.of(region)} (${tongues.of(tongue)})` : (tongues.of(tag) ?? tag);
  };
  const { compare } = new Intl.Collator(language);
  return tags
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((one, other) => compare(one.label, other.label));
}

function timeZoneChoices(): FormChoice[] {
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => renamedZones[zone] ?? zone);
  return [...new Set(['UTC', ...zones])].sort().map((value) => {
    const [group = '', ...place] = value.split('/');
    if (place.length === 0) return { value, label: value };
    return { value, label: place.join(', ').replaceAll('_', ' '), group };
  });
}
