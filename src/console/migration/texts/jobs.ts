import type { Language } from '#src/http/base/language.js';
import type { JobKind } from '#src/jobs/catalogue.js';
import type { JobState } from '#src/jobs/job.js';

export interface JobTexts {
  readonly running: string;
  readonly ended: string;
  readonly none: string;
  /** A part is shown with its import. */
  readonly kinds: Readonly<Record<Exclude<JobKind, 'import-part'>, string>>;
  /** The kind of an import that changes nothing. */
  readonly dryRun: string;
  readonly states: Readonly<Record<JobState, string>>;
  readonly kind: string;
  readonly state: string;
  readonly done: string;
  readonly organization: string;
  readonly begun: string;
  readonly finished: string;
  readonly progress: (done: string, total: string) => string;
  readonly errors: (count: string) => string;
  readonly rate: (count: string) => string;
  readonly remaining: (time: string) => string;
}

const en: JobTexts = {
  kind: 'Job',
  state: 'State',
  done: 'Progress',
  running: 'Running',
  ended: 'Ended',
  none: 'None.',
  kinds: {
    import: 'Import',
    verify: 'Verification',
    export: 'Export',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Removal of an organization',
    'user-actions': 'Action with several users',
    'policy-trial': 'Trial of a sign-in policy',
  },
  dryRun: 'Dry run',
  states: {
    queued: 'waiting',
    running: 'running',
    completed: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
    expired: 'timed out',
  },
  organization: 'Organization',
  begun: 'Asked for',
  finished: 'Ended',
  progress: (done, total) => `${done} of ${total}`,
  errors: (count) => `Errors: ${count}`,
  rate: (count) => `${count} a second`,
  remaining: (time) => `${time} left`,
};

const de: JobTexts = {
  kind: 'Auftrag',
  state: 'Zustand',
  done: 'Fortschritt',
  running: 'Laufend',
  ended: 'Beendet',
  none: 'Keine.',
  kinds: {
    import: 'Import',
    verify: 'Prüfung eines Imports',
    export: 'Export',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Löschen einer Organisation',
    'user-actions': 'Aktion mit mehreren Benutzern',
    'policy-trial': 'Probe von Anmelderegeln',
  },
  dryRun: 'Probelauf',
  states: {
    queued: 'wartet',
    running: 'läuft',
    completed: 'abgeschlossen',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
    expired: 'Zeit abgelaufen',
  },
  organization: 'Organisation',
  begun: 'Beauftragt',
  finished: 'Beendet',
  progress: (done, total) => `${done} von ${total}`,
  errors: (count) => `Fehler: ${count}`,
  rate: (count) => `${count} pro Sekunde`,
  remaining: (time) => `noch ${time}`,
};

const fr: JobTexts = {
  kind: 'Tâche',
  state: 'État',
  done: 'Avancement',
  running: 'En cours',
  ended: 'Terminées',
  none: 'Aucune.',
  kinds: {
    import: 'Importation',
    verify: 'Vérification',
    export: 'Exportation',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Suppression d’une organisation',
    'user-actions': 'Action sur plusieurs utilisateurs',
    'policy-trial': 'Essai de règles de connexion',
  },
  dryRun: 'Essai',
  states: {
    queued: 'en attente',
    running: 'en cours',
    completed: 'terminée',
    failed: 'échouée',
    cancelled: 'annulée',
    expired: 'délai dépassé',
  },
  organization: 'Organisation',
  begun: 'Demandée',
  finished: 'Terminée',
  progress: (done, total) => `${done} sur ${total}`,
  errors: (count) => `Erreurs : ${count}`,
  rate: (count) => `${count} par seconde`,
  remaining: (time) => `encore ${time}`,
};

const es: JobTexts = {
  kind: 'Tarea',
  state: 'Estado',
  done: 'Progreso',
  running: 'En curso',
  ended: 'Terminadas',
  none: 'Ninguna.',
  kinds: {
    import: 'Importación',
    verify: 'Comprobación',
    export: 'Exportación',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Eliminación de una organización',
    'user-actions': 'Acción con varios usuarios',
    'policy-trial': 'Prueba de reglas de inicio de sesión',
  },
  dryRun: 'Ensayo',
  states: {
    queued: 'en espera',
    running: 'en curso',
    completed: 'completada',
    failed: 'fallida',
    cancelled: 'cancelada',
    expired: 'tiempo agotado',
  },
  organization: 'Organización',
  begun: 'Solicitada',
  finished: 'Terminada',
  progress: (done, total) => `${done} de ${total}`,
  errors: (count) => `Errores: ${count}`,
  rate: (count) => `${count} por segundo`,
  remaining: (time) => `quedan ${time}`,
};

const it: JobTexts = {
  kind: 'Processo',
  state: 'Stato',
  done: 'Avanzamento',
  running: 'In corso',
  ended: 'Terminate',
  none: 'Nessuna.',
  kinds: {
    import: 'Importazione',
    verify: 'Verifica',
    export: 'Esportazione',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Rimozione di un’organizzazione',
    'user-actions': 'Azione su più utenti',
    'policy-trial': 'Prova di regole di accesso',
  },
  dryRun: 'Prova',
  states: {
    queued: 'in attesa',
    running: 'in corso',
    completed: 'completata',
    failed: 'fallita',
    cancelled: 'annullata',
    expired: 'tempo scaduto',
  },
  organization: 'Organizzazione',
  begun: 'Richiesta',
  finished: 'Terminata',
  progress: (done, total) => `${done} di ${total}`,
  errors: (count) => `Errori: ${count}`,
  rate: (count) => `${count} al secondo`,
  remaining: (time) => `ancora ${time}`,
};

/** The texts of the jobs page. A missing one is a type error. */
export const jobTexts: Readonly<Record<Language, JobTexts>> = { en, de, fr, es, it };
