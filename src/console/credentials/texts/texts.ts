import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { type CredentialTexts, en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts about the credentials of applications and service users. A missing one is a type error. */
export const credentialTexts: Readonly<Record<Language, CredentialTexts>> = { en, de, fr, es, it };
