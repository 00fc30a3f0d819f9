import type { Language } from '#src/http/pages/language.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';
import type { UsersTexts } from './users-texts.js';

/** A missing text is a type error. */
export const usersTexts: Readonly<Record<Language, UsersTexts>> = { en, de, fr, es, it };

export type {
  ConflictTexts,
  DoneName,
  FieldName,
  LogTexts,
  RolesTexts,
  SessionsTexts,
  SignInTexts,
  TabName,
  UsersTexts,
} from './users-texts.js';
