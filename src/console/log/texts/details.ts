import type { Language } from '#src/http/base/language.js';

/** Why a sign-in was refused. Others that an event names are shown as they are. */
type RefusedFor =
  | 'passwordWrong'
  | 'passwordMissing'
  | 'passwordsOff'
  | 'inactive'
  | 'locked'
  | 'changedMeanwhile'
  | 'codeWrong'
  | 'passkeyWrong'
  | 'passkeyCounter'
  | 'requestMalformed'
  | 'applicationInactive'
  | 'methodNotRegistered'
  | 'methodNotAccepted'
  | 'secretWrong'
  | 'secretExpired'
  | 'signatureWrong'
  | 'claimsWrong'
  | 'assertionUsed'
  | 'issuerNotTrusted'
  | 'subjectNotTrusted'
  | 'issuerUnavailable'
  | 'tokenNotForClient'
  | 'projectRefusesClient';

/** The words below the sentence of an event. */
export interface DetailTexts {
  readonly reason: string;
  readonly address: string;
  readonly browser: string;
  readonly application: string;
  readonly endpoint: string;
  readonly method: string;
  readonly issuer: string;
  readonly subject: string;
  readonly audience: string;
  readonly times: string;
  readonly reasons: Readonly<Record<RefusedFor, string>>;
}

export const detailTexts: Readonly<Record<Language, DetailTexts>> = {
  en: {
    reason: 'Reason',
    address: 'Address',
    browser: 'Browser',
    application: 'Application',
    endpoint: 'Endpoint',
    method: 'Method',
    issuer: 'Issuer',
    subject: 'Subject',
    audience: 'Audience',
    times: 'Times',
    reasons: {
      passwordWrong: 'the password is wrong',
      passwordMissing: 'the user has no password',
      passwordsOff: 'the organization lets no password sign in',
      inactive: 'the user is deactivated',
      locked: 'the user is locked after too many failed attempts',
      changedMeanwhile: 'the password or second factor was changed during the sign-in',
      codeWrong: 'the code is wrong',
      passkeyWrong: 'the passkey did not match',
      passkeyCounter: 'the counter of the passkey went back, so two authenticators may have it',
      requestMalformed: 'the request is malformed',
      applicationInactive: 'the application is deactivated',
      methodNotRegistered: 'the application is registered with another method',
      methodNotAccepted: 'the endpoint does not take this method',
      secretWrong: 'the secret is wrong',
      secretExpired: 'the secret has expired',
      signatureWrong: 'no valid key made the signature',
      claimsWrong: 'a claim of the assertion is wrong or absent',
      assertionUsed: 'the assertion was used before',
      issuerNotTrusted: 'no federated credential names the issuer',
      subjectNotTrusted: 'no federated credential names the subject and audience',
      issuerUnavailable: 'the keys of the issuer could not be read',
      tokenNotForClient:
        'the audience of the token has neither this API nor its project. The application must ask for the scope of the API',
      projectRefusesClient:
        'the project of this API accepts no tokens of the organization of that application',
    },
  },
  de: {
    reason: 'Grund',
    address: 'Adresse',
    browser: 'Browser',
    application: 'Anwendung',
    endpoint: 'Endpunkt',
    method: 'Verfahren',
    issuer: 'Aussteller',
    subject: 'Subjekt',
    audience: 'Zielgruppe',
    times: 'Anzahl',
    reasons: {
      passwordWrong: 'das Passwort ist falsch',
      passwordMissing: 'der Benutzer hat kein Passwort',
      passwordsOff: 'in der Organisation meldet kein Passwort an',
      inactive: 'der Benutzer ist deaktiviert',
      locked: 'der Benutzer ist nach zu vielen Fehlversuchen gesperrt',
      changedMeanwhile: 'Passwort oder zweiter Faktor wurden während der Anmeldung geändert',
      codeWrong: 'der Code ist falsch',
      passkeyWrong: 'der Passkey passt nicht',
      passkeyCounter: 'der Zähler des Passkeys ging zurück, vielleicht haben ihn zwei Geräte',
      requestMalformed: 'die Anfrage ist fehlerhaft',
      applicationInactive: 'die Anwendung ist deaktiviert',
      methodNotRegistered: 'die Anwendung ist mit einem anderen Verfahren registriert',
      methodNotAccepted: 'der Endpunkt nimmt dieses Verfahren nicht an',
      secretWrong: 'das Geheimnis ist falsch',
      secretExpired: 'das Geheimnis ist abgelaufen',
      signatureWrong: 'kein gültiger Schlüssel hat die Signatur erzeugt',
      claimsWrong: 'ein Claim der Assertion ist falsch oder fehlt',
      assertionUsed: 'die Assertion wurde schon verwendet',
      issuerNotTrusted: 'kein Föderationsnachweis nennt den Aussteller',
      subjectNotTrusted: 'kein Föderationsnachweis nennt Subjekt und Zielgruppe',
      issuerUnavailable: 'die Schlüssel des Ausstellers waren nicht lesbar',
      tokenNotForClient:
        'die Zielgruppe des Tokens hat weder diese API noch ihr Projekt. Die Anwendung muss den Scope der API anfordern',
      projectRefusesClient: 'das Projekt dieser API nimmt keine Tokens der Organisation jener Anwendung an',
    },
  },
  fr: {
    reason: 'Motif',
    address: 'Adresse',
    browser: 'Navigateur',
    application: 'Application',
    endpoint: 'Point d’accès',
    method: 'Méthode',
    issuer: 'Émetteur',
    subject: 'Sujet',
    audience: 'Audience',
    times: 'Nombre',
    reasons: {
      passwordWrong: 'le mot de passe est erroné',
      passwordMissing: 'l’utilisateur n’a pas de mot de passe',
      passwordsOff: 'l’organisation n’accepte aucun mot de passe',
      inactive: 'l’utilisateur est désactivé',
      locked: 'l’utilisateur est verrouillé après trop d’échecs',
      changedMeanwhile: 'le mot de passe ou le second facteur a changé pendant la connexion',
      codeWrong: 'le code est erroné',
      passkeyWrong: 'la clé d’accès ne correspond pas',
      passkeyCounter: 'le compteur de la clé d’accès a reculé, deux appareils l’ont peut-être',
      requestMalformed: 'la requête est mal formée',
      applicationInactive: 'l’application est désactivée',
      methodNotRegistered: 'l’application est enregistrée avec une autre méthode',
      methodNotAccepted: 'le point d’accès n’accepte pas cette méthode',
      secretWrong: 'le secret est erroné',
      secretExpired: 'le secret a expiré',
      signatureWrong: 'aucune clé valide n’a produit la signature',
      claimsWrong: 'un claim de l’assertion est erroné ou absent',
      assertionUsed: 'l’assertion a déjà servi',
      issuerNotTrusted: 'aucun identifiant fédéré ne nomme l’émetteur',
      subjectNotTrusted: 'aucun identifiant fédéré ne nomme le sujet et l’audience',
      issuerUnavailable: 'les clés de l’émetteur n’ont pas pu être lues',
      tokenNotForClient:
        'l’audience du jeton n’a ni cette API ni son projet. L’application doit demander le scope de l’API',
      projectRefusesClient:
        'le projet de cette API n’accepte aucun jeton de l’organisation de cette application',
    },
  },
  es: {
    reason: 'Motivo',
    address: 'Dirección',
    browser: 'Navegador',
    application: 'Aplicación',
    endpoint: 'Punto de acceso',
    method: 'Método',
    issuer: 'Emisor',
    subject: 'Sujeto',
    audience: 'Audiencia',
    times: 'Veces',
    reasons: {
      passwordWrong: 'la contraseña es incorrecta',
      passwordMissing: 'el usuario no tiene contraseña',
      passwordsOff: 'la organización no admite contraseñas',
      inactive: 'el usuario está desactivado',
      locked: 'el usuario está bloqueado tras demasiados intentos fallidos',
      changedMeanwhile: 'la contraseña o el segundo factor cambió durante el inicio de sesión',
      codeWrong: 'el código es incorrecto',
      passkeyWrong: 'la llave de acceso no corresponde',
      passkeyCounter: 'el contador de la llave de acceso retrocedió, quizá la tengan dos dispositivos',
      requestMalformed: 'la solicitud está mal formada',
      applicationInactive: 'la aplicación está desactivada',
      methodNotRegistered: 'la aplicación está registrada con otro método',
      methodNotAccepted: 'el punto de acceso no acepta este método',
      secretWrong: 'el secreto es incorrecto',
      secretExpired: 'el secreto ha caducado',
      signatureWrong: 'ninguna clave válida hizo la firma',
      claimsWrong: 'un claim de la aserción es incorrecto o falta',
      assertionUsed: 'la aserción ya se había usado',
      issuerNotTrusted: 'ninguna credencial federada nombra al emisor',
      subjectNotTrusted: 'ninguna credencial federada nombra el sujeto y la audiencia',
      issuerUnavailable: 'no se pudieron leer las claves del emisor',
      tokenNotForClient:
        'la audiencia del token no tiene ni esta API ni su proyecto. La aplicación debe pedir el scope de la API',
      projectRefusesClient: 'el proyecto de esta API no acepta tokens de la organización de esa aplicación',
    },
  },
  it: {
    reason: 'Motivo',
    address: 'Indirizzo',
    browser: 'Browser',
    application: 'Applicazione',
    endpoint: 'Endpoint',
    method: 'Metodo',
    issuer: 'Emittente',
    subject: 'Soggetto',
    audience: 'Destinatario',
    times: 'Volte',
    reasons: {
      passwordWrong: 'la password è errata',
      passwordMissing: 'l’utente non ha una password',
      passwordsOff: 'l’organizzazione non ammette password',
      inactive: 'l’utente è disattivato',
      locked: 'l’utente è bloccato dopo troppi tentativi falliti',
      changedMeanwhile: 'la password o il secondo fattore è cambiato durante l’accesso',
      codeWrong: 'il codice è errato',
      passkeyWrong: 'la passkey non corrisponde',
      passkeyCounter: 'il contatore della passkey è tornato indietro, forse l’hanno due dispositivi',
      requestMalformed: 'la richiesta è malformata',
      applicationInactive: 'l’applicazione è disattivata',
      methodNotRegistered: 'l’applicazione è registrata con un altro metodo',
      methodNotAccepted: 'l’endpoint non accetta questo metodo',
      secretWrong: 'il segreto è errato',
      secretExpired: 'il segreto è scaduto',
      signatureWrong: 'nessuna chiave valida ha prodotto la firma',
      claimsWrong: 'un claim dell’asserzione è errato o assente',
      assertionUsed: 'l’asserzione è già stata usata',
      issuerNotTrusted: 'nessuna credenziale federata nomina l’emittente',
      subjectNotTrusted: 'nessuna credenziale federata nomina soggetto e destinatario',
      issuerUnavailable: 'le chiavi dell’emittente non erano leggibili',
      tokenNotForClient:
        'il destinatario del token non ha né questa API né il suo progetto. L’applicazione deve chiedere lo scope dell’API',
      projectRefusesClient:
        'il progetto di questa API non accetta token dell’organizzazione di quell’applicazione',
    },
  },
};
