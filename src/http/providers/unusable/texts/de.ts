import type { UnusableReasons } from './en.js';

/** German. */
export const de: UnusableReasons = {
  notHttps: 'Die Adresse ist keine https-Adresse. Muster spricht mit Anbietern nur über https.',
  privateAddress:
    'Der Host hat eine private Adresse. Der Betreiber von Muster kann ihn mit MUSTER_PRIVATE_PROVIDER_HOSTS erlauben.',
  unknownHost: 'Den Host gibt es nicht. Vergleichen Sie seinen Namen Buchstabe für Buchstabe.',
  unresolvedHost: 'Kein Nameserver kennt die Adresse des Hosts. Versuchen Sie es gleich noch einmal.',
  unreachable: 'Der Host antwortet nicht. Läuft der Anbieter, und lässt die Firewall Muster zu ihm?',
  untrusted:
    'Dem Zertifikat des Hosts wird nicht vertraut. Es ist abgelaufen, gilt für einen anderen Host, oder Muster kennt seine Zertifizierungsstelle nicht.',
  tooSlow: 'Der Anbieter braucht länger als fünf Sekunden. Versuchen Sie es gleich noch einmal.',
  wrongStatus:
    'Unter dieser Adresse liegt kein solches Dokument. Vergleichen Sie die Adresse Buchstabe für Buchstabe.',
  tooLarge: 'Das Dokument unter dieser Adresse ist zu groß.',
  notJson: 'Das Dokument unter dieser Adresse ist kein JSON.',
  discoveryMissing:
    'Unter dieser Adresse liegt kein Discovery-Dokument von OpenID Connect. Vergleichen Sie den Issuer Buchstabe für Buchstabe.',
  githubMissing:
    'Unter dieser Adresse ist kein GitHub. Vergleichen Sie den Host Buchstabe für Buchstabe: Er ist github.com, acme.ghe.com oder der Ihres Servers.',
  issuerDiffers:
    'Das Discovery-Dokument nennt einen anderen Issuer. Kopieren Sie den Issuer genau so, wie er dort steht, mit oder ohne Schrägstrich am Ende.',
  addressMissing: 'Dem Discovery-Dokument fehlt eine nötige Adresse, oder sie ist keine https-Adresse.',
  keysMissing:
    'Der Anbieter veröffentlicht keinen brauchbaren Schlüssel. Sehen Sie seine Schlüssel an (jwks_uri).',
  metadataBroken:
    'Die Metadaten sind kein wohlgeformtes XML, oder haben eine Deklaration, die nicht erlaubt ist. Kopieren Sie sie als Ganzes.',
  providerMissing: 'Die Metadaten beschreiben keinen SAML-Anbieter. Vielleicht sind es die einer Anwendung.',
  severalProviders: 'Die Metadaten beschreiben mehrere Anbieter. Nehmen Sie die von einem.',
  protocolDiffers: 'Die Metadaten gehören zu einem anderen Protokoll als SAML 2.0.',
  outOfDate: 'Die Metadaten sind abgelaufen (validUntil). Holen Sie sie neu.',
  incomplete: 'Den Metadaten fehlt die Entity ID, eine Adresse für die Anmeldung oder ein Zertifikat.',
  certificatesUnusable: 'Die Metadaten haben kein Zertifikat eines RSA-Schlüssels mit 2048 bis 8192 Bit.',
  providerDiffers: 'Die Metadaten gehören zu einem anderen Anbieter als dem der Verbindung.',
  busy: 'Gerade werden zu viele Anbieter gelesen. Versuchen Sie es gleich noch einmal.',
};
