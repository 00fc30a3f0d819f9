import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { UsersTexts } from './users-texts.js';

/** A missing text is a type error. */
export const usersTexts: Readonly<Record<Language, UsersTexts>> = { en, de, fr, es, it };

export type {
  DoneName,
  FieldName,
  SignInTexts,
  TabName,
  UsersTexts,
} from './users-texts.js';
