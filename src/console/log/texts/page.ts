import type { Language } from '#src/http/base/language.js';

/** What the log can be narrowed to, beside single types. */
export type Topic =
  | 'refused'
  | 'signIns'
  | 'users'
  | 'roles'
  | 'groups'
  | 'applications'
  | 'serviceUsers'
  | 'organizations'
  | 'migration'
  | 'service';

export interface LogTexts {
  readonly about: string;
  readonly aboutOrganization: string;
  readonly when: string;
  readonly what: string;
  readonly organization: string;
  readonly instance: string;
  readonly details: string;
  readonly service: string;
  readonly actor: string;
  readonly person: string;
  readonly personHint: string;
  readonly actorLabel: string;
  readonly type: string;
  readonly all: string;
  /** Behind the name of a subject: every kind of it. */
  readonly allOfTopic: string;
  /** Who acts, at the beginning of a sentence and within it. */
  readonly somebody: { readonly first: string; readonly within: string };
  /** Somebody who acts and belongs to no organization that the reader may read. */
  readonly serviceOwner: string;
  readonly outsider: string;
  readonly since: string;
  readonly until: string;
  readonly none: string;
  /** Older events have not been searched. */
  readonly noneYet: string;
  readonly showAll: string;
  readonly unknownPerson: (text: string) => string;
  readonly needsOrganization: string;
  readonly several: string;
  readonly topics: Readonly<Record<Topic, string>>;
}

/** The texts of the log. A missing one is a type error. */
export const logTexts: Readonly<Record<Language, LogTexts>> = {
  en: {
    about: 'Everything that was changed, and every sign-in, in all organizations.',
    aboutOrganization: 'Everything that was changed in this organization, and every sign-in.',
    when: 'When',
    what: 'What happened',
    organization: 'Organization',
    instance: 'the whole service',
    details: 'Details',
    service: 'Through',
    actor: 'By',
    person: 'About',
    personHint: 'Name, address or identifier',
    actorLabel: 'Changed by',
    type: 'Kind',
    all: 'Everything',
    allOfTopic: 'everything',
    somebody: { first: 'Somebody', within: 'somebody' },
    serviceOwner: 'an owner of the service',
    outsider: 'somebody of another organization',
    since: 'From',
    until: 'Until',
    none: 'Nothing happened that fits.',
    noneYet: 'Nothing that fits so far. Older entries have not been searched yet.',
    showAll: 'Show everything',
    several: 'Several people fit. Choose one.',
    unknownPerson: (text) => `Nobody has this name, login name or address: ${text}`,
    needsOrganization:
      'A login name is looked up in one organization. Enter its identifier, or the identifier of the person.',
    topics: {
      refused: 'Refused sign-ins',
      signIns: 'Sign-ins',
      users: 'Users',
      roles: 'Roles and projects',
      groups: 'Groups',
      applications: 'Applications',
      serviceUsers: 'Service users',
      organizations: 'Organizations',
      migration: 'Imports, exports and jobs',
      service: 'Service',
    },
  },
  de: {
    about: 'Alle Änderungen und alle Anmeldungen in allen Organisationen.',
    aboutOrganization: 'Alle Änderungen und alle Anmeldungen in dieser Organisation.',
    when: 'Wann',
    what: 'Was geschah',
    organization: 'Organisation',
    instance: 'der ganze Dienst',
    details: 'Einzelheiten',
    service: 'Über',
    actor: 'Von',
    person: 'Über',
    personHint: 'Name, Adresse oder Kennung',
    actorLabel: 'Geändert von',
    type: 'Art',
    all: 'Alles',
    allOfTopic: 'alles',
    somebody: { first: 'Jemand', within: 'jemand' },
    serviceOwner: 'jemand mit der Rolle „Eigentümer des Dienstes“',
    outsider: 'jemand aus einer anderen Organisation',
    since: 'Von',
    until: 'Bis',
    none: 'Nichts Passendes ist geschehen.',
    noneYet: 'Bisher nichts Passendes. Ältere Einträge sind noch nicht durchsucht.',
    showAll: 'Alles zeigen',
    several: 'Mehrere Personen passen. Wählen Sie eine.',
    unknownPerson: (text) => `Niemand hat diesen Namen, Anmeldenamen oder diese Adresse: ${text}`,
    needsOrganization:
      'Ein Anmeldename wird in einer Organisation gesucht. Geben Sie deren Kennung ein, oder die Kennung der Person.',
    topics: {
      refused: 'Abgelehnte Anmeldungen',
      signIns: 'Anmeldungen',
      users: 'Benutzer',
      roles: 'Rollen und Projekte',
      groups: 'Gruppen',
      applications: 'Anwendungen',
      serviceUsers: 'Dienstbenutzer',
      organizations: 'Organisationen',
      migration: 'Importe, Exporte und Aufträge',
      service: 'Dienst',
    },
  },
  fr: {
    about: 'Toutes les modifications et toutes les connexions, dans toutes les organisations.',
    aboutOrganization: 'Toutes les modifications et toutes les connexions de cette organisation.',
    when: 'Quand',
    what: 'Ce qui s’est passé',
    organization: 'Organisation',
    instance: 'tout le service',
    details: 'Détails',
    service: 'Par',
    actor: 'De',
    person: 'À propos de',
    personHint: 'Nom, adresse ou identifiant',
    actorLabel: 'Modifié par',
    type: 'Nature',
    all: 'Tout',
    allOfTopic: 'tout',
    somebody: { first: 'Quelqu’un', within: 'quelqu’un' },
    serviceOwner: 'quelqu’un qui est propriétaire du service',
    outsider: 'quelqu’un d’une autre organisation',
    since: 'Du',
    until: 'Au',
    none: 'Rien de correspondant ne s’est passé.',
    noneYet:
      'Rien de correspondant pour l’instant. Les entrées plus anciennes n’ont pas encore été examinées.',
    showAll: 'Tout afficher',
    several: 'Plusieurs personnes correspondent. Choisissez-en une.',
    unknownPerson: (text) => `Personne n’a ce nom, cet identifiant ni cette adresse : ${text}`,
    needsOrganization:
      'Un identifiant de connexion se cherche dans une organisation. Saisissez son identifiant, ou celui de la personne.',
    topics: {
      refused: 'Connexions refusées',
      signIns: 'Connexions',
      users: 'Utilisateurs',
      roles: 'Rôles et projets',
      groups: 'Groupes',
      applications: 'Applications',
      serviceUsers: 'Utilisateurs de service',
      organizations: 'Organisations',
      migration: 'Imports, exports et tâches',
      service: 'Service',
    },
  },
  es: {
    about: 'Todos los cambios y todos los inicios de sesión, en todas las organizaciones.',
    aboutOrganization: 'Todos los cambios y todos los inicios de sesión de esta organización.',
    when: 'Cuándo',
    what: 'Qué pasó',
    organization: 'Organización',
    instance: 'todo el servicio',
    details: 'Detalles',
    service: 'Mediante',
    actor: 'Por',
    person: 'Sobre',
    personHint: 'Nombre, correo o identificador',
    actorLabel: 'Cambiado por',
    type: 'Clase',
    all: 'Todo',
    allOfTopic: 'todo',
    somebody: { first: 'Alguien', within: 'alguien' },
    serviceOwner: 'un propietario del servicio',
    outsider: 'alguien de otra organización',
    since: 'Desde',
    until: 'Hasta',
    none: 'No pasó nada que coincida.',
    noneYet: 'Nada que coincida hasta ahora. Las entradas anteriores aún no se han examinado.',
    showAll: 'Mostrar todo',
    several: 'Varias personas coinciden. Elija una.',
    unknownPerson: (text) => `Nadie tiene este nombre, nombre de usuario o dirección: ${text}`,
    needsOrganization:
      'Un nombre de usuario se busca en una organización. Escriba su identificador, o el de la persona.',
    topics: {
      refused: 'Inicios de sesión rechazados',
      signIns: 'Inicios de sesión',
      users: 'Usuarios',
      roles: 'Roles y proyectos',
      groups: 'Grupos',
      applications: 'Aplicaciones',
      serviceUsers: 'Usuarios de servicio',
      organizations: 'Organizaciones',
      migration: 'Importaciones, exportaciones y tareas',
      service: 'Servicio',
    },
  },
  it: {
    about: 'Tutte le modifiche e tutti gli accessi, in tutte le organizzazioni.',
    aboutOrganization: 'Tutte le modifiche e tutti gli accessi di questa organizzazione.',
    when: 'Quando',
    what: 'Che cosa è successo',
    organization: 'Organizzazione',
    instance: 'tutto il servizio',
    details: 'Dettagli',
    service: 'Tramite',
    actor: 'Da',
    person: 'Riguardo a',
    personHint: 'Nome, e-mail o identificativo',
    actorLabel: 'Modificato da',
    type: 'Genere',
    all: 'Tutto',
    allOfTopic: 'tutto',
    somebody: { first: 'Qualcuno', within: 'qualcuno' },
    serviceOwner: 'un proprietario del servizio',
    outsider: 'qualcuno di un’altra organizzazione',
    since: 'Dal',
    until: 'Al',
    none: 'Non è successo nulla che corrisponda.',
    noneYet: 'Finora nulla che corrisponda. Le voci precedenti non sono ancora state esaminate.',
    showAll: 'Mostra tutto',
    several: 'Più persone corrispondono. Ne scelga una.',
    unknownPerson: (text) => `Nessuno ha questo nome, nome utente o indirizzo: ${text}`,
    needsOrganization:
      'Un nome utente si cerca in un’organizzazione. Inserisca il suo identificativo, o quello della persona.',
    topics: {
      refused: 'Accessi rifiutati',
      signIns: 'Accessi',
      users: 'Utenti',
      roles: 'Ruoli e progetti',
      groups: 'Gruppi',
      applications: 'Applicazioni',
      serviceUsers: 'Utenti di servizio',
      organizations: 'Organizzazioni',
      migration: 'Importazioni, esportazioni e processi',
      service: 'Servizio',
    },
  },
};
