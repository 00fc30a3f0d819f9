import type { RefusalReasons } from './en.js';

/** Italian. */
export const it: RefusalReasons = {
  unreachable:
    'Il provider non risponde. Prema «Prova il provider». Guardi la sua pagina di stato e il suo indirizzo.',
  metadataInvalid:
    'Il documento di discovery manca o nomina un altro emittente. Confronti l’issuer lettera per lettera.',
  cancelled:
    'La persona ha terminato l’accesso presso il provider, o il provider non l’ha fatta entrare. Guardi chi può usare lì l’applicazione.',
  refusedByProvider:
    'Il provider ha risposto con un errore. Confronti indirizzo di ritorno, client ID e scope con la sua applicazione.',
  answerInvalid:
    'La risposta non corrispondeva alla richiesta. Se succede spesso, confronti l’issuer, e se il provider risponde con un modulo.',
  codeRefused:
    'Il provider ha rifiutato il segreto del client o il codice. Quasi sempre il segreto è sbagliato o scaduto. Ne imposti uno nuovo.',
  tokenInvalid:
    'L’ID token non è per questa connessione, o un orologio è sbagliato. Confronti client ID e issuer.',
  signatureInvalid:
    'La firma dell’ID token non corrisponde alle chiavi del provider. Prema «Prova il provider».',
  tenantWrong:
    'La persona è di un altro tenant o dominio del provider. È giusto così se Lei non conosce la persona.',
  notFresh:
    'Serviva un accesso recente, e il provider non dice quando è avvenuto. Per Entra, aggiunga il claim facoltativo auth_time.',
  secretMissing: 'Il segreto non è più leggibile. Lo imposti di nuovo.',
  connectionOff: 'La connessione è stata disattivata nel frattempo.',
  unknownPerson:
    'Nessun utente è collegato, e nessuna regola ne collega uno. Effettui il provisioning della persona, la colleghi, o lasci che la connessione crei utenti.',
  inactive: 'L’utente è inattivo qui. Lo attivi, o lo lasci così.',
  locked: 'L’utente è bloccato dopo troppe password sbagliate. Lo sblocchi, o aspetti.',
  roleOutside:
    'L’utente ha un ruolo nell’istanza o in un’altra organizzazione. Accede con password o passkey.',
  ambiguous: 'Più utenti hanno questo identificativo o indirizzo. Lo cambi in tutti tranne uno.',
  quotaFull:
    'L’organizzazione non ha posto per un altro utente. Rimuova utenti, o chieda una quota maggiore.',
  valueTaken:
    'Un altro utente ha il nome di accesso o un altro valore unico. Colleghi la persona a lui, o cambi il valore.',
  tooManyIdentities: 'L’utente ha 20 identità. Ne rimuova una.',
  identityTaken: 'L’identità appartiene a un altro utente.',
  assertionInvalid:
    'L’asserzione non corrisponde a questa richiesta: audience, indirizzo, ora o soggetto. Confronti Entity ID e ACS, e legga il dettaglio.',
  assertionUsed: 'La stessa asserzione è arrivata una seconda volta. La persona può accedere di nuovo.',
  undecryptable:
    'L’asserzione cifrata non si può aprire. Dia al fornitore il certificato di questa connessione.',
  tooCostly: 'La lettura della risposta ha richiesto troppo tempo, o ne sono arrivate troppe insieme.',
};
