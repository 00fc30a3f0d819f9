import type { RefusalReasons } from './en.js';

/** French. */
export const fr: RefusalReasons = {
  unreachable:
    'Le fournisseur ne répond pas. Cliquez sur « Tester le fournisseur ». Regardez sa page d’état et son adresse.',
  metadataInvalid:
    'Le document de découverte est absent ou nomme un autre émetteur. Comparez l’issuer lettre par lettre.',
  cancelled:
    'La personne a terminé la connexion chez le fournisseur, ou celui-ci ne l’a pas laissée entrer. Regardez qui peut y utiliser l’application.',
  refusedByProvider:
    'Le fournisseur a répondu par une erreur. Comparez l’adresse de retour, le client ID et les scopes avec son application.',
  answerInvalid:
    'La réponse ne correspondait pas à la demande. Si cela arrive souvent, comparez l’issuer, et si le fournisseur répond par un formulaire.',
  codeRefused:
    'Le fournisseur a refusé le secret client ou le code. Le plus souvent, le secret est faux ou a expiré. Mettez-en un nouveau.',
  tokenInvalid:
    'L’ID token n’est pas pour cette connexion, ou une horloge est fausse. Comparez le client ID et l’issuer.',
  signatureInvalid:
    'La signature de l’ID token ne correspond pas aux clés du fournisseur. Cliquez sur « Tester le fournisseur ».',
  tenantWrong:
    'La personne est d’un autre locataire ou domaine du fournisseur. C’est bien ainsi si vous ne connaissez pas la personne.',
  notFresh:
    'Une connexion récente était nécessaire, et le fournisseur ne dit pas quand elle a eu lieu. Pour Entra, ajoutez le claim facultatif auth_time.',
  secretMissing: 'Le secret ne peut plus être lu. Mettez-le de nouveau.',
  connectionOff: 'La connexion a été désactivée entre-temps.',
  unknownPerson:
    'Aucun utilisateur n’est relié, et aucune règle n’en relie un. Provisionnez la personne, reliez-la, ou laissez la connexion créer des utilisateurs.',
  inactive: 'L’utilisateur est inactif ici. Activez-le, ou laissez-le ainsi.',
  locked: 'L’utilisateur est bloqué après trop de mots de passe faux. Débloquez-le, ou attendez.',
  roleOutside:
    'L’utilisateur a un rôle dans l’instance ou dans une autre organisation. Il se connecte par mot de passe ou passkey.',
  ambiguous: 'Plusieurs utilisateurs ont cet identifiant ou cette adresse. Changez-les, sauf chez un seul.',
  quotaFull:
    'L’organisation n’a plus de place pour un utilisateur. Supprimez des utilisateurs, ou demandez un quota plus grand.',
  valueTaken:
    'Un autre utilisateur a le nom de connexion ou une autre valeur unique. Reliez la personne à lui, ou changez la valeur.',
  tooManyIdentities: 'L’utilisateur a 20 identités. Supprimez-en une.',
  identityTaken: 'L’identité appartient à un autre utilisateur.',
  assertionInvalid:
    'L’assertion ne convient pas à cette demande : audience, adresse, heure ou sujet. Comparez l’Entity ID et l’ACS, et lisez le détail.',
  assertionUsed: 'La même assertion est arrivée une seconde fois. La personne peut se connecter à nouveau.',
  undecryptable:
    'L’assertion chiffrée ne peut pas être ouverte. Donnez au fournisseur le certificat de cette connexion.',
  tooCostly: 'La lecture de la réponse a pris trop de temps, ou trop de réponses sont arrivées à la fois.',
};
