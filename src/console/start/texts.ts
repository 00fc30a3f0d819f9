import type { Language } from '#src/http/pages/language.js';
import type { Attention } from './attention.js';

interface StartTexts {
  readonly welcome: (name: string) => string;
  readonly aboutInstance: string;
  readonly aboutOrganization: string;
  readonly attention: string;
  readonly nothing: string;
  readonly running: string;
  readonly nothingRuns: string;
  readonly happened: string;
  readonly noRole: string;
  readonly yourUsers: string;
  readonly kinds: Readonly<Record<Attention['kind'], string>>;
}

/** The texts of the start page. A missing one is a type error. */
export const startTexts: Readonly<Record<Language, StartTexts>> = {
  en: {
    welcome: (name) => `Hello, ${name}`,
    aboutInstance: 'What happens in this service.',
    aboutOrganization: 'What happens in your organization.',
    attention: 'Needs attention',
    nothing: 'Nothing needs your attention.',
    running: 'Running',
    nothingRuns: 'Nothing is running.',
    happened: 'What happened',
    noRole:
      'You have no role here, so there is nothing to administer. Your own account has a page of its own.',
    yourUsers: 'You may see or manage the users of:',
    kinds: {
      locked: 'Locked',
      failedJob: 'Failed job',
      expiring: 'A secret or token expires',
      expired: 'A secret or token has expired',
      oldKey: 'Old signing key',
    },
  },
  de: {
    welcome: (name) => `Hallo, ${name}`,
    aboutInstance: 'Was in diesem Dienst geschieht.',
    aboutOrganization: 'Was in Ihrer Organisation geschieht.',
    attention: 'Braucht Aufmerksamkeit',
    nothing: 'Nichts braucht Ihre Aufmerksamkeit.',
    running: 'Laufend',
    nothingRuns: 'Nichts läuft.',
    happened: 'Was geschah',
    noRole:
      'Sie haben hier keine Rolle, also gibt es nichts zu verwalten. Ihr eigenes Konto hat eine eigene Seite.',
    yourUsers: 'Sie dürfen Benutzer sehen oder verwalten von:',
    kinds: {
      locked: 'Gesperrt',
      failedJob: 'Fehlgeschlagener Auftrag',
      expiring: 'Ein Geheimnis oder Token läuft ab',
      expired: 'Ein Geheimnis oder Token ist abgelaufen',
      oldKey: 'Alter Signaturschlüssel',
    },
  },
  fr: {
    welcome: (name) => `Bonjour, ${name}`,
    aboutInstance: 'Ce qui se passe dans ce service.',
    aboutOrganization: 'Ce qui se passe dans votre organisation.',
    attention: 'À surveiller',
    nothing: 'Rien ne demande votre attention.',
    running: 'En cours',
    nothingRuns: 'Rien n’est en cours.',
    happened: 'Ce qui s’est passé',
    noRole: 'Vous n’avez aucun rôle ici : il n’y a rien à administrer. Votre propre compte a sa page.',
    yourUsers: 'Vous pouvez voir ou gérer les utilisateurs de :',
    kinds: {
      locked: 'Verrouillé',
      failedJob: 'Tâche échouée',
      expiring: 'Un secret ou un jeton expire',
      expired: 'Un secret ou un jeton a expiré',
      oldKey: 'Ancienne clé de signature',
    },
  },
  es: {
    welcome: (name) => `Hola, ${name}`,
    aboutInstance: 'Lo que pasa en este servicio.',
    aboutOrganization: 'Lo que pasa en su organización.',
    attention: 'Requiere atención',
    nothing: 'Nada requiere su atención.',
    running: 'En curso',
    nothingRuns: 'No hay nada en curso.',
    happened: 'Qué pasó',
    noRole:
      'No tiene ningún rol aquí, así que no hay nada que administrar. Su cuenta tiene su propia página.',
    yourUsers: 'Puede ver o gestionar los usuarios de:',
    kinds: {
      locked: 'Bloqueado',
      failedJob: 'Tarea fallida',
      expiring: 'Un secreto o token caduca',
      expired: 'Un secreto o token ha caducado',
      oldKey: 'Clave de firma antigua',
    },
  },
  it: {
    welcome: (name) => `Buongiorno, ${name}`,
    aboutInstance: 'Che cosa succede in questo servizio.',
    aboutOrganization: 'Che cosa succede nella sua organizzazione.',
    attention: 'Richiede attenzione',
    nothing: 'Nulla richiede la sua attenzione.',
    running: 'In corso',
    nothingRuns: 'Nulla è in corso.',
    happened: 'Che cosa è successo',
    noRole:
      'Non ha alcun ruolo qui, quindi non c’è nulla da amministrare. Il suo account ha una pagina propria.',
    yourUsers: 'Può vedere o gestire gli utenti di:',
    kinds: {
      locked: 'Bloccato',
      failedJob: 'Processo fallito',
      expiring: 'Un segreto o token scade',
      expired: 'Un segreto o token è scaduto',
      oldKey: 'Chiave di firma vecchia',
    },
  },
};
