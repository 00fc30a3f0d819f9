import type { Language } from '#src/http/pages/language.js';

export interface OrganizationsTexts {
  readonly about: string;
  readonly add: string;
  readonly none: string;
}

/** The texts of the pages about organizations. A missing one is a type error. */
export const organizationsTexts: Readonly<Record<Language, OrganizationsTexts>> = {
  en: {
    about: 'Each organization has its own users, administrators and applications.',
    add: 'Add an organization',
    none: 'No organization yet.',
  },
  de: {
    about: 'Jede Organisation hat eigene Benutzer, Administratoren und Anwendungen.',
    add: 'Organisation anlegen',
    none: 'Noch keine Organisation.',
  },
  fr: {
    about: 'Chaque organisation a ses propres utilisateurs, administrateurs et applications.',
    add: 'Ajouter une organisation',
    none: "Aucune organisation pour l'instant.",
  },
  es: {
    about: 'Cada organización tiene sus propios usuarios, administradores y aplicaciones.',
    add: 'Añadir una organización',
    none: 'Todavía no hay organizaciones.',
  },
  it: {
    about: 'Ogni organizzazione ha i propri utenti, amministratori e applicazioni.',
    add: 'Aggiungi un’organizzazione',
    none: 'Ancora nessuna organizzazione.',
  },
};
