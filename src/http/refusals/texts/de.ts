import type { RefusalTexts } from './en.js';

/** German. */
export const de: RefusalTexts = {
  intro: 'Es wurde nichts gespeichert. Bitte korrigieren Sie:',
  fix: 'Bitte korrigieren Sie:',
  line: 'Zeile {line}:',

  required: 'Füllen Sie dieses Feld aus.',
  unknown: 'Der Dienst kennt diesen Wert nicht. Öffnen Sie die Seite neu.',
  type_boolean: 'Wählen Sie true oder false.',
  type_integer: 'Geben Sie eine ganze Zahl ein, zum Beispiel 42.',
  type_decimal: 'Geben Sie eine Zahl ein, zum Beispiel 4.5.',
  type_dateTime: 'Geben Sie ein Datum mit Uhrzeit ein, zum Beispiel 2026-05-13T04:42:34Z.',
  type: 'Dieser Wert hat die falsche Form.',
  malformed: 'Dieser Wert hat die falsche Form.',
  tooShort: 'Geben Sie mindestens {least} Zeichen ein.',
  tooLong: 'Geben Sie höchstens {most} Zeichen ein.',
  tooFew: 'Geben Sie mindestens {least} Werte an.',
  tooMany: 'Geben Sie höchstens {most} Werte an.',
  tooSmall: 'Geben Sie eine Zahl ein, die mindestens {least} ist.',
  tooLarge: 'Geben Sie eine Zahl ein, die höchstens {most} ist.',
  notOffered: 'Wählen Sie eines davon: {allowed}',
  duplicate: 'Das steht zweimal da. Entfernen Sie eines davon.',
  excluded: 'Füllen Sie nur eines von beiden aus: dieses Feld oder {other}.',
  tooMuchText: 'Alle Werte zusammen haben mehr als {most} Zeichen. Kürzen Sie einige.',
  controlCharacters:
    'Entfernen Sie Steuerzeichen und gehäufte Akzente. Tippen Sie den Text neu, wenn Sie ihn kopiert haben.',
  invisibleCharacters:
    'Entfernen Sie Zeilenumbrüche, unsichtbare Zeichen und solche, die anderen täuschend ähnlich sind. Tippen Sie den Text neu, wenn Sie ihn kopiert haben.',
  blanks: 'Entfernen Sie die Leerzeichen.',
  dotSegment: 'Wählen Sie etwas anderes als . oder ..',
  identifier:
    'Geben Sie bis zu {most} Buchstaben, Ziffern oder . _ ~ - ein. Am Anfang steht ein Buchstabe oder eine Ziffer.',
  color: 'Geben Sie # und sechs Ziffern oder Buchstaben von a bis f ein, zum Beispiel #3047c8.',
  httpsAddress:
    'Geben Sie eine Adresse mit https:// und ohne Passwort ein, mit höchstens {most} Zeichen, zum Beispiel https://www.example.com/',
  webAddress: 'Geben Sie eine Adresse mit https:// oder http:// ein, zum Beispiel https://www.example.com/',
  emailAddress: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  languageTag: 'Geben Sie das Kürzel einer Sprache ein, zum Beispiel de oder pt-BR.',
  languageList:
    'Geben Sie das Kürzel einer Sprache ein, zum Beispiel de, oder mehrere, zum Beispiel da, en-GB;q=0.8',
  timeZone: 'Geben Sie den Namen einer Zeitzone ein, zum Beispiel Europe/Berlin.',
  birthdate:
    'Geben Sie ein Datum wie 1990-12-31 ein. Ohne das Jahr ist es 0000-12-31, und ein Jahr darf allein stehen.',
  moment: 'Geben Sie ein Datum ein, das es gibt, zum Beispiel 2026-05-13.',
  day: 'Schreiben Sie einen Tag dieses Jahrhunderts, etwa 2026-12-31.',
  notFuture: 'Wählen Sie einen Tag in der Zukunft.',
  tooLate: 'Wählen Sie einen Tag, der höchstens {days} Tage entfernt ist.',
  domainName: 'Geben Sie den Namen einer Domain ein, zum Beispiel example.com.',
  domainUnverified: 'Nur eine bestätigte Domain kann die primäre sein.',
  base64: 'Geben Sie Base64 mit höchstens {most} Bytes ein.',
  unreachable:
    'Kein zugelassener Faktor genügt dafür. Lassen Sie einen weiteren zu, oder verlangen Sie weniger.',
  groupUnknown: 'Die Organisation hat keine solche Gruppe.',
  ownerUnknown: 'Kein aktiver Eigentümer der Organisation hat diesen Namen oder diese Kennung.',
  ownerUntested:
    'Dieser Eigentümer muss sich zuerst einmal anmelden: mit einem Passkey oder mit dem jetzigen Passwort und der Authenticator-App.',
  roleElsewhere: 'Diese Rolle kann hier nicht vergeben werden. Wählen Sie eine andere.',
  passwordUpper: 'Ergänzen Sie einen Großbuchstaben.',
  passwordLower: 'Ergänzen Sie einen Kleinbuchstaben.',
  passwordDigit: 'Ergänzen Sie eine Ziffer.',
  passwordSymbol: 'Ergänzen Sie ein Sonderzeichen, zum Beispiel ! oder %.',
  passwordCommon:
    'Wählen Sie ein anderes Passwort. Angreifer probieren dieses oder ein sehr ähnliches zuerst.',
  uriFragment: 'Geben Sie die Adresse ohne # und * ein.',
  uriAscii: 'Geben Sie die Adresse in dieser Form ein: {ascii}',
  uriAbsolute: 'Geben Sie eine ganze Adresse ein, zum Beispiel https://app.example.com/callback',
  uriCredentials: 'Geben Sie die Adresse ohne Benutzernamen und Passwort ein.',
  uriNormal: 'Geben Sie die Adresse in dieser Form ein: {normal}',
  uriHttps: 'Geben Sie eine Adresse mit https ein. Nur localhost, 127.0.0.1 und [::1] dürfen http haben.',
  uriOnlyHttps:
    'Geben Sie eine Adresse mit https ein. Nur native Anwendungen dürfen ein anderes Schema haben.',
  uriScheme: 'Keine Anwendung darf das Schema {scheme} haben. Wählen Sie ein anderes.',
  projectForGroups:
    'Gruppen werden den Rollen eines Projekts zugewiesen, und die Anwendung hat kein Projekt. Wählen Sie all.',
  apiSignsNobodyIn: 'Bei einer API meldet sich niemand an. Lassen Sie das leer.',
  codeGrant:
    'Der Antworttyp code und der Grant-Typ authorization_code gehören zusammen. Wählen Sie beide oder keinen.',
  implicitGrant:
    'Die Antworttypen id_token und id_token token und der Grant-Typ implicit gehören zusammen. Wählen Sie beides oder keines.',
  dotlessScheme: 'Eine Weiterleitungsadresse mit einem Schema ohne Punkt braucht den Antworttyp code allein.',
  refreshGrant: 'Wählen Sie neben refresh_token auch authorization_code oder den Tausch von Tokens.',
  urn: 'Geben Sie eine URN mit höchstens {most} Buchstaben, Ziffern und . _ - : ein, zum Beispiel urn:example:scim:2.0:User',
  urnReserved: 'Diese URN gehört zu SCIM oder zu diesem Dienst. Wählen Sie eine andere.',
  urnClash:
    'Diese URN kann nicht neben {other} stehen, weil die eine mit der anderen beginnt. Wählen Sie eine andere.',
  attributeName: 'Geben Sie 1 bis 64 Buchstaben, Ziffern, _ und - ein. Am Anfang steht ein Buchstabe.',
  attributeReserved: 'Kein Attribut kann diesen Namen haben. Wählen Sie einen anderen.',
  attributeFlags: 'Der Typ des Attributs erlaubt das nicht.',
  issuerOwn: 'Nennen Sie einen fremden Aussteller. Das ist der Dienst selbst.',
  entraTenant:
    'Nennen Sie einen Mandanten mit seiner Kennung. Diese Adresse von Microsoft Entra steht für mehrere.',
  certificate: 'Das ist kein Zertifikat eines RSA-Schlüssels mit 2048 bis 8192 Bits.',
  keyPrivate:
    'Das ist ein privater oder symmetrischer Schlüssel. Behalten Sie ihn für sich und geben Sie den öffentlichen Teil an.',
  keyUse: 'Der Schlüssel muss für Signaturen sein: use ist sig.',
  keyMalformed: 'Das ist kein öffentlicher Schlüssel in der Form eines JWK.',
  keyUnfit:
    'Geben Sie einen RSA-Schlüssel mit 2048 bis 8192 Bit an, oder einen mit P-256, P-384, P-521 oder Ed25519.',
  keyAlgorithm: 'Der Algorithmus passt nicht zum Schlüssel.',
  nameDiffers: 'Das ist nicht der Name. Geben Sie ihn ein, wie er da steht.',
  json: 'Der Text ist kein JSON-Objekt. Er muss mit { beginnen und mit } enden.',

  gone: 'Das gibt es nicht, oder jemand hat es entfernt.',
  userGone:
    'Niemand hat hier diesen Anmeldenamen, diese Adresse oder diese Kennung. Vielleicht hat jemand die Person entfernt.',
  forbidden: 'Keine Ihrer Rollen erlaubt das.',
  changing: 'Jemand anderes ändert das gerade. Versuchen Sie es noch einmal.',
  versionDiffers: 'Jemand anderes hat das inzwischen geändert. Öffnen Sie die Seite neu.',
  busy: 'Der Dienst hat gerade zu viel zu tun. Versuchen Sie es gleich noch einmal.',
  tooOften: 'Das wurde zu oft getan. Versuchen Sie es später noch einmal.',
  tooBig: 'Das ist zu groß.',
  fault: 'Der Dienst hat einen Fehler gemacht. Sagen Sie es seinem Betreiber.',
  signInAgain: 'Melden Sie sich erneut an.',
  userNameTaken: 'Ein anderer Benutzer der Organisation hat diesen Benutzernamen. Wählen Sie einen anderen.',
  identifierTaken: 'Diese Kennung ist vergeben. Wählen Sie eine andere.',
  valueTaken: 'Ein anderer Benutzer der Organisation hat diesen Wert.',
  externalIdsShared: 'Mehrere Benutzer haben dieselbe externalId. Ändern Sie diese zuerst.',
  organizationExists: 'Eine Organisation mit dieser Kennung oder dieser Domain gibt es schon.',
  organizationNameDiffers: 'Das ist nicht der Name der Organisation.',
  quotaExceeded:
    'Ein Kontingent der Organisation ist aufgebraucht. Der Betreiber des Dienstes kann es erhöhen.',
  extensionAttributeFixed:
    'Der Typ eines Attributs und die Suche nach seinen Werten stehen fest. Entfernen Sie das Attribut mit seinen Werten und legen Sie es neu an.',
  extensionLimit: 'Das wären mehr eigene Attribute, als eine Organisation haben kann.',
  outranks: 'Dafür braucht es Rechte, die Ihnen fehlen. Bitten Sie jemanden, der sie alle hat.',
  passwordsOff: 'In der Organisation meldet sich niemand mit einem Passwort an. Lassen Sie es weg.',
  passwordWeak: 'Das Passwort erfüllt die Regeln der Organisation nicht.',
  mailMissing: 'Es ist kein Mailserver eingerichtet.',
  mailAddressMissing:
    'Der Benutzer ist nicht aktiv oder hat keine primäre E-Mail-Adresse, die den Link bekommen darf.',
  mailFailed: 'Der Mailserver hat die E-Mail nicht angenommen. Versuchen Sie es später noch einmal.',
  linksUnderWay: 'Für diese Organisation werden gerade Links gemacht. Warten Sie, bis das fertig ist.',
  trialUnderWay:
    'Für diese Organisation läuft eine Probe. Warten Sie, bis sie fertig ist, oder brechen Sie sie auf ihrer Seite ab.',
  linkInvalid: 'Der Link wurde schon benutzt oder ist abgelaufen.',
  clientIdTaken:
    'Ein anderer Servicebenutzer der Organisation hat diesen Benutzernamen. Wählen Sie einen anderen.',
  credentialLimit: 'Mehr davon kann es nicht geben. Entfernen Sie zuerst eines.',
  secretUnused: 'Die Anwendung weist sich nicht mit einem Geheimnis aus.',
  alreadyThere: 'Das gibt es hier schon.',
  inUse: 'Das wird noch benutzt. Entfernen Sie zuerst, was es benutzt.',
  pictureInvalid:
    'Wählen Sie ein unbewegtes Bild als PNG, JPEG oder WebP mit höchstens 1 MB und nicht zu vielen Pixeln.',
  groupNameTaken: 'Eine andere Gruppe der Organisation hat diesen Namen. Wählen Sie einen anderen.',
  memberUnknown: 'Das ist kein Benutzer der Organisation.',
  issuerUnusable: 'Die Schlüssel dieses Ausstellers lassen sich nicht lesen. Prüfen Sie die Adresse.',
  providerUnusable:
    'Muster kann diesen Anbieter nicht benutzen. Vergleichen Sie seine Adresse Zeichen für Zeichen.',
  connectionLimit: 'Eine Organisation hat höchstens 20 Verbindungen. Entfernen Sie zuerst eine.',
  noLastSignIn:
    'In den letzten 24 Stunden hat sich niemand über die Verbindung angemeldet. Geben Sie die Claims ein.',
  issuerFixed:
    'Das ist ein anderer Anbieter als der der Verbindung. Legen Sie für ihn eine andere Verbindung an.',
  connectionInUse:
    'Die Verbindung ist in Gebrauch. Hier lässt sich deshalb nur ihr Client-Geheimnis ändern. Den Rest ändert jemand, dem die Organisation gehört.',
  setupDomainRemoved:
    'Die Organisation hat diese Domain nicht mehr. Bitten Sie jemanden, dem sie gehört, sie wieder hinzuzufügen.',
  setupLinkLimit: 'Eine Organisation hat höchstens 5 offene Einrichtungslinks. Beenden Sie zuerst einen.',
  lastOwner:
    'Ein aktiver Dienstbenutzer muss Eigentümer des Dienstes bleiben. Geben Sie die Rolle zuerst einem anderen Dienstbenutzer.',
  nextKeyTooFresh:
    'Der nächste Signaturschlüssel ist zu neu. Clients kennen ihn vielleicht noch nicht. Versuchen Sie es später noch einmal.',
  rotating: 'Die Signaturschlüssel werden gerade gewechselt. Versuchen Sie es gleich noch einmal.',
  stillNeeded: 'Der Schlüssel ist der aktive oder der nächste. Wechseln Sie zuerst die Schlüssel.',
  bucketMissing: 'Den Bucket gibt es nicht. Prüfen Sie seinen Namen.',
  bucketTarget: 'Der Name des Buckets oder der Pfad ist nicht gültig.',
  bucketCredentials: 'Der Speicher weist die Zugangsdaten ab, oder ihnen fehlt die Berechtigung.',
  bucketHost:
    'Der Dienst benutzt diesen Host nicht als Speicher. Der Betreiber kann ihn in MUSTER_BUCKET_HOSTS erlauben.',
  sourceHost:
    'Der Dienst liest nicht von diesem Host. Der Betreiber kann ihn in MUSTER_IMPORT_HOSTS erlauben, der Liste der Hosts.',
  bucketUnreachable:
    'Der Speicher ist unter dieser Adresse nicht erreichbar. Prüfen Sie die Adresse und die Region.',
  bucketObject: 'Das Objekt gibt es nicht, oder den Zugangsdaten fehlt die Berechtigung.',
  objectChanged: 'Das Objekt wurde beim Lesen ersetzt. Versuchen Sie es noch einmal.',
  expandsTooMuch: 'Das Objekt wird beim Entpacken viel zu groß.',
  transferFailed: 'Der Speicher hat das Objekt nicht übertragen. Versuchen Sie es gleich noch einmal.',
  timeout: 'Geben Sie eine Zeit wie 30s, 5m oder 1h30m ein.',
  timedOut: 'Die Zeit war zu kurz. Es wurde nichts geschrieben. Geben Sie mehr Zeit.',
  organizationUnknown: 'Eine der Organisationen gibt es nicht. Prüfen Sie die Kennungen.',
  ownersAlone: 'Das darf nur ein Eigentümer des Dienstes.',
  importMalformed: 'Die Datei ist kein Import in einer Form, die der Dienst kennt.',
  sourceUnusable: 'Die Adresse lässt sich nicht lesen. Es muss eine https-Adresse im Internet sein.',
  groupNamedByPolicy:
    'Die Anmelderichtlinie der Organisation nennt diese Gruppe. Ändern Sie zuerst die Richtlinie.',
  passkeyUntested:
    'Bevor Passwörter enden, muss sich ein Eigentümer einmal mit einem Passkey anmelden. Fügen Sie auf Ihrer Kontoseite einen hinzu, melden Sie sich damit an, und kommen Sie zurück.',
  lastWayIn:
    'Es ist der einzige Weg, auf dem sich diese Person anmelden kann. Geben Sie ihr zuerst einen anderen, etwa einen Einmal-Link.',
  domainPublic:
    'In dieser Domain kann jeder ein Postfach haben, deshalb weist keine Organisation sie nach. Der Betreiber des Dienstes kann sie bestätigen.',
  askedLately: 'Nach dem Eintrag wurde gerade erst gesucht. Versuchen Sie es in 10 Sekunden noch einmal.',
  lastAbleOwner:
    'Niemand sonst in dieser Rolle kann sich anmelden. Geben Sie die Rolle zuerst einer anderen aktiven Person, die ein Passwort oder einen gültigen Link hat.',
  roleHeld: 'Die Person hat diese Rolle schon.',
  requesterStays:
    'Sie gehören selbst zu den gewählten Personen, und Sie können sich nicht mit ihnen deaktivieren. Lassen Sie sich weg.',
  usersDiffer: 'Die gewählten Personen sind inzwischen andere. Es wurde nichts getan. Wählen Sie sie neu.',
  tooManyUsers: 'Mehr als 10.000 Personen passen. Grenzen Sie die Suche ein.',
  readOnly: 'Das lässt sich nicht ändern.',
  conflict: 'Das passt nicht zu dem, was jetzt gespeichert ist. Öffnen Sie die Seite neu.',
  formExpired: 'Das Formular ist veraltet. Öffnen Sie die Seite neu.',
  uploadMalformed: 'Die Datei ist nicht ganz angekommen. Senden Sie sie noch einmal.',
};
