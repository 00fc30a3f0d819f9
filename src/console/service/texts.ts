import type { Language } from '#src/http/pages/language.js';

interface ServiceTexts {
  readonly about: string;
  readonly jobs: string;
  /** A link to `/docs/api`. */
  readonly apiReference: string;
  readonly health: string;
  readonly answers: string;
  readonly silent: string;
  readonly queue: string;
  readonly features: string;
  readonly tokenExchange: string;
  readonly tokenExchangeHint: string;
  readonly signingKeys: string;
  readonly signingKeysHint: string;
  readonly key: string;
  readonly algorithm: string;
  readonly state: string;
  readonly since: string;
  readonly until: string;
  readonly rotate: string;
  readonly rotateWhich: string;
  readonly everyAlgorithm: string;
  readonly force: string;
  readonly forceHint: string;
  readonly removeKey: string;
  readonly removeKeyText: string;
  readonly roles: string;
  readonly rolesHint: string;
  readonly role: string;
  readonly userId: string;
  readonly userIdHint: string;
  readonly giveRole: string;
  readonly takeRole: string;
  readonly settings: string;
  readonly settingsHint: string;
  readonly showSettings: string;
  readonly setting: string;
  readonly value: string;
  readonly meaning: string;
  readonly changed: string;
  readonly keyStates: Readonly<Record<'next' | 'active' | 'retired', string>>;
  readonly queueText: (waiting: string, active: string) => string;
  readonly takeRoleText: (role: string) => string;
}

/** The texts about the service. A missing one is a type error. */
export const serviceTexts: Readonly<Record<Language, ServiceTexts>> = {
  en: {
    about: 'The stores, keys, features and limits of this service.',
    jobs: 'All jobs',
    apiReference: 'API reference',
    health: 'Health',
    answers: 'answers',
    silent: 'does not answer',
    queue: 'Job queue',
    features: 'Features',
    tokenExchange: 'Token exchange',
    tokenExchangeHint: 'Lets clients exchange tokens at the token endpoint (RFC 8693).',
    signingKeys: 'Signing keys',
    signingKeysHint: 'They sign the tokens of all applications. The next key is published before it signs.',
    key: 'Key',
    algorithm: 'Algorithm',
    state: 'State',
    since: 'Since',
    until: 'Removed at',
    rotate: 'Change to the next keys',
    rotateWhich: 'Which keys',
    everyAlgorithm: 'Every algorithm',
    force: 'At once, although clients may not know the next key yet',
    forceHint: 'For a key that got out. Remove it afterwards.',
    removeKey: 'Remove the key',
    removeKeyText: 'Every token that this key signed is refused from then on. People sign in again.',
    roles: 'Owners of the service',
    rolesHint: 'They reach every organization. The last owner stays.',
    role: 'Role',
    userId: 'Identifier of a user or service user',
    userIdHint: 'It is on the page of the user.',
    giveRole: 'Make an owner',
    takeRole: 'Take the role away',
    settings: 'Settings',
    settingsHint: 'Set by environment variables of the processes. No secret is shown.',
    showSettings: 'Show the settings',
    setting: 'Setting',
    value: 'Value',
    meaning: 'Meaning',
    changed: 'set',
    keyStates: { next: 'next', active: 'signs', retired: 'only verifies' },
    queueText: (waiting, active) => `${waiting} waiting, ${active} running`,
    takeRoleText: (role) => `The person loses the role ${role} at once.`,
  },
  de: {
    about: 'Speicher, Schlüssel, Funktionen und Grenzen dieses Dienstes.',
    jobs: 'Alle Aufträge',
    apiReference: 'API-Referenz',
    health: 'Zustand',
    answers: 'antwortet',
    silent: 'antwortet nicht',
    queue: 'Warteschlange',
    features: 'Funktionen',
    tokenExchange: 'Token-Austausch',
    tokenExchangeHint: 'Lässt Clients am Token-Endpunkt Token tauschen (RFC 8693).',
    signingKeys: 'Signaturschlüssel',
    signingKeysHint:
      'Sie signieren die Token aller Anwendungen. Der nächste Schlüssel wird veröffentlicht, bevor er signiert.',
    key: 'Schlüssel',
    algorithm: 'Algorithmus',
    state: 'Zustand',
    since: 'Seit',
    until: 'Entfernt am',
    rotate: 'Zu den nächsten Schlüsseln wechseln',
    rotateWhich: 'Welche Schlüssel',
    everyAlgorithm: 'Alle Algorithmen',
    force: 'Sofort, auch wenn Clients den nächsten Schlüssel vielleicht noch nicht kennen',
    forceHint: 'Für einen Schlüssel, der bekannt wurde. Entfernen Sie ihn danach.',
    removeKey: 'Schlüssel entfernen',
    removeKeyText:
      'Jedes Token, das dieser Schlüssel signiert hat, wird dann abgelehnt. Alle melden sich neu an.',
    roles: 'Eigentümer des Dienstes',
    rolesHint: 'Sie erreichen jede Organisation. Der letzte Eigentümer bleibt.',
    role: 'Rolle',
    userId: 'Kennung eines Benutzers oder Dienstbenutzers',
    userIdHint: 'Sie steht auf der Seite des Benutzers.',
    giveRole: 'Zum Eigentümer machen',
    takeRole: 'Rolle entziehen',
    settings: 'Einstellungen',
    settingsHint: 'Gesetzt durch Umgebungsvariablen der Prozesse. Kein Geheimnis wird gezeigt.',
    showSettings: 'Einstellungen zeigen',
    setting: 'Einstellung',
    value: 'Wert',
    meaning: 'Bedeutung',
    changed: 'gesetzt',
    keyStates: { next: 'nächster', active: 'signiert', retired: 'prüft nur noch' },
    queueText: (waiting, active) => `${waiting} wartend, ${active} laufend`,
    takeRoleText: (role) => `Die Person verliert die Rolle ${role} sofort.`,
  },
  fr: {
    about: 'Les bases, clés, fonctions et limites de ce service.',
    jobs: 'Toutes les tâches',
    apiReference: 'Référence de l’API',
    health: 'État',
    answers: 'répond',
    silent: 'ne répond pas',
    queue: 'File des tâches',
    features: 'Fonctions',
    tokenExchange: 'Échange de jetons',
    tokenExchangeHint: 'Permet aux clients d’échanger des jetons (RFC 8693).',
    signingKeys: 'Clés de signature',
    signingKeysHint:
      'Elles signent les jetons de toutes les applications. La clé suivante est publiée avant de signer.',
    key: 'Clé',
    algorithm: 'Algorithme',
    state: 'État',
    since: 'Depuis',
    until: 'Retirée le',
    rotate: 'Passer aux clés suivantes',
    rotateWhich: 'Quelles clés',
    everyAlgorithm: 'Tous les algorithmes',
    force: 'Tout de suite, même si des clients ne connaissent pas encore la clé suivante',
    forceHint: 'Pour une clé divulguée. Retirez-la ensuite.',
    removeKey: 'Retirer la clé',
    removeKeyText: 'Tout jeton signé par cette clé sera refusé. Les personnes se reconnecteront.',
    roles: 'Propriétaires du service',
    rolesHint: 'Ils accèdent à toutes les organisations. Le dernier propriétaire reste.',
    role: 'Rôle',
    userId: 'Identifiant d’un utilisateur ou utilisateur de service',
    userIdHint: 'Il est sur la page de l’utilisateur.',
    giveRole: 'Nommer propriétaire',
    takeRole: 'Retirer le rôle',
    settings: 'Réglages',
    settingsHint: 'Définis par les variables d’environnement des processus. Aucun secret n’est affiché.',
    showSettings: 'Afficher les réglages',
    setting: 'Réglage',
    value: 'Valeur',
    meaning: 'Sens',
    changed: 'défini',
    keyStates: { next: 'suivante', active: 'signe', retired: 'vérifie seulement' },
    queueText: (waiting, active) => `${waiting} en attente, ${active} en cours`,
    takeRoleText: (role) => `La personne perd aussitôt le rôle ${role}.`,
  },
  es: {
    about: 'Los almacenes, claves, funciones y límites de este servicio.',
    jobs: 'Todas las tareas',
    apiReference: 'Referencia de la API',
    health: 'Estado',
    answers: 'responde',
    silent: 'no responde',
    queue: 'Cola de tareas',
    features: 'Funciones',
    tokenExchange: 'Intercambio de tokens',
    tokenExchangeHint: 'Permite a los clientes intercambiar tokens (RFC 8693).',
    signingKeys: 'Claves de firma',
    signingKeysHint:
      'Firman los tokens de todas las aplicaciones. La clave siguiente se publica antes de firmar.',
    key: 'Clave',
    algorithm: 'Algoritmo',
    state: 'Estado',
    since: 'Desde',
    until: 'Se quita el',
    rotate: 'Pasar a las claves siguientes',
    rotateWhich: 'Qué claves',
    everyAlgorithm: 'Todos los algoritmos',
    force: 'Ahora mismo, aunque algún cliente no conozca aún la clave siguiente',
    forceHint: 'Para una clave que se filtró. Quítela después.',
    removeKey: 'Quitar la clave',
    removeKeyText: 'Todo token que firmó esta clave será rechazado. Las personas inician sesión otra vez.',
    roles: 'Propietarios del servicio',
    rolesHint: 'Llegan a todas las organizaciones. El último propietario permanece.',
    role: 'Rol',
    userId: 'Identificador de un usuario o usuario de servicio',
    userIdHint: 'Está en la página del usuario.',
    giveRole: 'Hacer propietario',
    takeRole: 'Quitar el rol',
    settings: 'Ajustes',
    settingsHint: 'Definidos por variables de entorno de los procesos. No se muestra ningún secreto.',
    showSettings: 'Mostrar los ajustes',
    setting: 'Ajuste',
    value: 'Valor',
    meaning: 'Significado',
    changed: 'definido',
    keyStates: { next: 'siguiente', active: 'firma', retired: 'solo verifica' },
    queueText: (waiting, active) => `${waiting} en espera, ${active} en curso`,
    takeRoleText: (role) => `La persona pierde el rol ${role} de inmediato.`,
  },
  it: {
    about: 'Gli archivi, le chiavi, le funzioni e i limiti di questo servizio.',
    jobs: 'Tutti i processi',
    apiReference: 'Riferimento dell’API',
    health: 'Stato',
    answers: 'risponde',
    silent: 'non risponde',
    queue: 'Coda dei processi',
    features: 'Funzioni',
    tokenExchange: 'Scambio di token',
    tokenExchangeHint: 'Permette ai client di scambiare token (RFC 8693).',
    signingKeys: 'Chiavi di firma',
    signingKeysHint:
      'Firmano i token di tutte le applicazioni. La chiave successiva è pubblicata prima di firmare.',
    key: 'Chiave',
    algorithm: 'Algoritmo',
    state: 'Stato',
    since: 'Dal',
    until: 'Rimossa il',
    rotate: 'Passa alle chiavi successive',
    rotateWhich: 'Quali chiavi',
    everyAlgorithm: 'Tutti gli algoritmi',
    force: 'Subito, anche se i client forse non conoscono ancora la chiave successiva',
    forceHint: 'Per una chiave trapelata. Poi la rimuova.',
    removeKey: 'Rimuovi la chiave',
    removeKeyText: 'Ogni token firmato da questa chiave verrà rifiutato. Le persone accederanno di nuovo.',
    roles: 'Proprietari del servizio',
    rolesHint: 'Raggiungono ogni organizzazione. L’ultimo proprietario resta.',
    role: 'Ruolo',
    userId: 'Identificativo di un utente o utente di servizio',
    userIdHint: 'È sulla pagina dell’utente.',
    giveRole: 'Nomina proprietario',
    takeRole: 'Togli il ruolo',
    settings: 'Impostazioni',
    settingsHint: 'Date dalle variabili d’ambiente dei processi. Nessun segreto è mostrato.',
    showSettings: 'Mostra le impostazioni',
    setting: 'Impostazione',
    value: 'Valore',
    meaning: 'Significato',
    changed: 'impostato',
    keyStates: { next: 'successiva', active: 'firma', retired: 'verifica soltanto' },
    queueText: (waiting, active) => `${waiting} in attesa, ${active} in corso`,
    takeRoleText: (role) => `La persona perde subito il ruolo ${role}.`,
  },
};
