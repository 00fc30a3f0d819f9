import type { Language } from '#src/http/pages/language.js';
import type { JobState } from '#src/jobs/job.js';

export interface JobsPageTexts {
  readonly title: string;
  readonly subtitle: string;
  readonly running: string;
  readonly ended: string;
  readonly none: string;
  readonly refresh: string;
  readonly older: string;
  readonly newest: string;
  readonly account: string;
  readonly forbidden: string;
  readonly forbiddenText: string;
  readonly kinds: {
    readonly import: string;
    readonly export: string;
    readonly 'scim-bulk': string;
    readonly 'organization-removal': string;
  };
  readonly states: Readonly<Record<JobState, string>>;
  readonly organization: string;
  readonly begun: string;
  readonly finished: string;
  readonly progress: (done: string, total: string) => string;
  readonly errors: (count: string) => string;
  readonly rate: (count: string) => string;
  readonly remaining: (time: string) => string;
}

const en: JobsPageTexts = {
  title: 'Jobs',
  subtitle: 'What the workers of this instance do and did.',
  running: 'Running',
  ended: 'Ended',
  none: 'None.',
  refresh: 'Refresh',
  older: 'Older',
  newest: 'Newest',
  account: 'My account',
  forbidden: "You don't have access.",
  forbiddenText: 'Only owners of the instance see its jobs. Sign in as one of them.',
  kinds: {
    import: 'Import',
    export: 'Export',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Removal of an organization',
  },
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

const de: JobsPageTexts = {
  title: 'Aufträge',
  subtitle: 'Was die Worker dieser Instanz tun und getan haben.',
  running: 'Laufend',
  ended: 'Beendet',
  none: 'Keine.',
  refresh: 'Aktualisieren',
  older: 'Ältere',
  newest: 'Neueste',
  account: 'Mein Konto',
  forbidden: 'Sie haben keinen Zugriff.',
  forbiddenText: 'Nur Eigentümer der Instanz sehen ihre Aufträge. Melden Sie sich als einer von ihnen an.',
  kinds: {
    import: 'Import',
    export: 'Export',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Löschen einer Organisation',
  },
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

const fr: JobsPageTexts = {
  title: 'Tâches',
  subtitle: 'Ce que font et ont fait les workers de cette instance.',
  running: 'En cours',
  ended: 'Terminées',
  none: 'Aucune.',
  refresh: 'Actualiser',
  older: 'Plus anciennes',
  newest: 'Plus récentes',
  account: 'Mon compte',
  forbidden: "Vous n'avez pas accès.",
  forbiddenText: "Seuls les propriétaires de l'instance voient ses tâches. Connectez-vous comme l'un d'eux.",
  kinds: {
    import: 'Importation',
    export: 'Exportation',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Suppression d’une organisation',
  },
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

const es: JobsPageTexts = {
  title: 'Tareas',
  subtitle: 'Lo que hacen y han hecho los workers de esta instancia.',
  running: 'En curso',
  ended: 'Terminadas',
  none: 'Ninguna.',
  refresh: 'Actualizar',
  older: 'Anteriores',
  newest: 'Más recientes',
  account: 'Mi cuenta',
  forbidden: 'No tiene acceso.',
  forbiddenText: 'Solo los propietarios de la instancia ven sus tareas. Inicie sesión como uno de ellos.',
  kinds: {
    import: 'Importación',
    export: 'Exportación',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Eliminación de una organización',
  },
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

const it: JobsPageTexts = {
  title: 'Attività',
  subtitle: 'Che cosa fanno e hanno fatto i worker di questa istanza.',
  running: 'In corso',
  ended: 'Terminate',
  none: 'Nessuna.',
  refresh: 'Aggiorna',
  older: 'Precedenti',
  newest: 'Più recenti',
  account: 'Il mio account',
  forbidden: 'Non ha accesso.',
  forbiddenText: "Solo i proprietari dell'istanza ne vedono le attività. Acceda come uno di loro.",
  kinds: {
    import: 'Importazione',
    export: 'Esportazione',
    'scim-bulk': 'SCIM Bulk',
    'organization-removal': 'Rimozione di un’organizzazione',
  },
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
export const jobsPageTexts: Readonly<Record<Language, JobsPageTexts>> = { en, de, fr, es, it };
