import type { UnusableReasons } from './en.js';

/** French. */
export const fr: UnusableReasons = {
  notHttps: 'L’adresse n’est pas une adresse https. Muster ne parle aux fournisseurs que par https.',
  privateAddress:
    'L’hôte a une adresse privée. L’exploitant de Muster peut l’autoriser par MUSTER_PRIVATE_PROVIDER_HOSTS.',
  unknownHost: 'L’hôte n’existe pas. Comparez son nom lettre par lettre.',
  unresolvedHost: 'Aucun serveur de noms ne donne l’adresse de l’hôte. Réessayez dans un instant.',
  unreachable:
    'L’hôte ne répond pas. Le fournisseur fonctionne-t-il, et le pare-feu laisse-t-il passer Muster ?',
  untrusted:
    'Le certificat de l’hôte n’est pas reconnu. Il a expiré, vaut pour un autre hôte, ou Muster ne connaît pas son autorité.',
  tooSlow: 'Le fournisseur met plus de cinq secondes. Réessayez dans un instant.',
  wrongStatus: 'Il n’y a pas de tel document à cette adresse. Comparez l’adresse lettre par lettre.',
  tooLarge: 'Le document à cette adresse est trop grand.',
  notJson: 'Le document à cette adresse n’est pas du JSON.',
  discoveryMissing:
    'Il n’y a pas de document de découverte d’OpenID Connect à cette adresse. Comparez l’issuer lettre par lettre.',
  githubMissing:
    'Il n’y a pas de GitHub à cette adresse. Comparez l’hôte lettre par lettre : c’est github.com, acme.ghe.com ou celui de votre serveur.',
  issuerDiffers:
    'Le document de découverte nomme un autre issuer. Copiez l’issuer exactement comme il y est écrit, avec ou sans barre oblique à la fin.',
  addressMissing: 'Il manque au document de découverte une adresse nécessaire, ou elle n’est pas en https.',
  keysMissing: 'Le fournisseur ne publie aucune clé utilisable. Regardez ses clés (jwks_uri).',
  metadataBroken:
    'Les métadonnées ne sont pas du XML bien formé, ou ont une déclaration qui n’est pas permise. Copiez-les en entier.',
  providerMissing:
    'Les métadonnées ne décrivent aucun fournisseur SAML. Ce sont peut-être celles d’une application.',
  severalProviders: 'Les métadonnées décrivent plusieurs fournisseurs. Prenez celles d’un seul.',
  protocolDiffers: 'Les métadonnées sont d’un autre protocole que SAML 2.0.',
  outOfDate: 'Les métadonnées sont périmées (validUntil). Récupérez-les à nouveau.',
  incomplete: 'Il manque aux métadonnées l’entity ID, une adresse de connexion ou un certificat.',
  certificatesUnusable: 'Les métadonnées n’ont aucun certificat d’une clé RSA de 2048 à 8192 bits.',
  providerDiffers: 'Les métadonnées sont d’un autre fournisseur que celui de la connexion.',
  busy: 'Trop de fournisseurs sont lus en ce moment. Réessayez dans un instant.',
};
