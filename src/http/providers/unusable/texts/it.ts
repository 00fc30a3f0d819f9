import type { UnusableReasons } from './en.js';

/** Italian. */
export const it: UnusableReasons = {
  notHttps: 'L’indirizzo non è https. Muster parla con i provider solo tramite https.',
  privateAddress:
    'L’host ha un indirizzo privato. Chi gestisce Muster può permetterlo con MUSTER_PRIVATE_PROVIDER_HOSTS.',
  unknownHost: 'L’host non esiste. Confronti il suo nome lettera per lettera.',
  unresolvedHost: 'Nessun server dei nomi dà l’indirizzo dell’host. Riprovi tra poco.',
  unreachable: 'L’host non risponde. Il provider è attivo, e il firewall lascia passare Muster?',
  untrusted:
    'Il certificato dell’host non è attendibile. È scaduto, è di un altro host, o Muster non conosce la sua autorità.',
  tooSlow: 'Il provider impiega più di cinque secondi. Riprovi tra poco.',
  wrongStatus: 'A questo indirizzo non c’è un tale documento. Confronti l’indirizzo lettera per lettera.',
  tooLarge: 'Il documento a questo indirizzo è troppo grande.',
  notJson: 'Il documento a questo indirizzo non è JSON.',
  discoveryMissing:
    'A questo indirizzo non c’è un documento di discovery di OpenID Connect. Confronti l’issuer lettera per lettera.',
  githubMissing:
    'A questo indirizzo non c’è GitHub. Confronti l’host lettera per lettera: è github.com, acme.ghe.com o quello del suo server.',
  issuerDiffers:
    'Il documento di discovery nomina un altro issuer. Copi l’issuer esattamente come è scritto lì, con o senza barra alla fine.',
  addressMissing: 'Al documento di discovery manca un indirizzo necessario, o non è https.',
  keysMissing: 'Il provider non pubblica alcuna chiave utilizzabile. Guardi le sue chiavi (jwks_uri).',
  metadataBroken:
    'I metadati non sono XML ben formato, o hanno una dichiarazione non permessa. Li copi per intero.',
  providerMissing: 'I metadati non descrivono un provider SAML. Forse sono quelli di un’applicazione.',
  severalProviders: 'I metadati descrivono più provider. Usi quelli di uno.',
  protocolDiffers: 'I metadati sono di un altro protocollo che SAML 2.0.',
  outOfDate: 'I metadati sono scaduti (validUntil). Li scarichi di nuovo.',
  incomplete: 'Ai metadati manca l’entity ID, un indirizzo di accesso o un certificato.',
  certificatesUnusable: 'I metadati non hanno alcun certificato di una chiave RSA da 2048 a 8192 bit.',
  providerDiffers: 'I metadati sono di un altro provider che quello della connessione.',
  busy: 'In questo momento si leggono troppi provider. Riprovi tra poco.',
};
