import type { RefusalTexts } from './en.js';

/** French. */
export const fr: RefusalTexts = {
  intro: 'Rien n’a été enregistré. Veuillez corriger ceci :',
  fix: 'Veuillez corriger ceci :',
  line: 'Ligne {line} :',

  required: 'Remplissez ce champ.',
  unknown: 'Le service ne connaît pas cette valeur. Rouvrez la page.',
  type_boolean: 'Choisissez true ou false.',
  type_integer: 'Écrivez un nombre entier, par exemple 42.',
  type_decimal: 'Écrivez un nombre, par exemple 4.5.',
  type_dateTime: 'Écrivez une date avec son heure, par exemple 2026-05-13T04:42:34Z.',
  type: 'Cette valeur n’a pas la bonne forme.',
  malformed: 'Cette valeur n’a pas la bonne forme.',
  tooShort: 'Écrivez au moins {least} caractères.',
  tooLong: 'Écrivez au plus {most} caractères.',
  tooFew: 'Donnez au moins {least} valeurs.',
  tooMany: 'Donnez au plus {most} valeurs.',
  tooSmall: 'Écrivez un nombre d’au moins {least}.',
  tooLarge: 'Écrivez un nombre d’au plus {most}.',
  notOffered: 'Choisissez une de ces valeurs : {allowed}',
  duplicate: 'Cette valeur y est deux fois. Supprimez-en une.',
  excluded: 'Remplissez un seul des deux : celui-ci ou {other}.',
  tooMuchText: 'Toutes les valeurs ensemble ont plus de {most} caractères. Raccourcissez-en quelques-unes.',
  controlCharacters:
    'Supprimez les caractères de contrôle et les accents amassés. Retapez le texte si vous l’avez copié.',
  invisibleCharacters:
    'Supprimez les sauts de ligne, les caractères invisibles et ceux qui passent pour d’autres. Retapez le texte si vous l’avez copié.',
  blanks: 'Supprimez les espaces.',
  dotSegment: 'Choisissez autre chose que . ou ..',
  identifier:
    'Écrivez au plus {most} lettres, chiffres ou . _ ~ - et commencez par une lettre ou un chiffre.',
  color: 'Écrivez # et six chiffres ou lettres de a à f, par exemple #3047c8.',
  httpsAddress:
    'Écrivez une adresse avec https:// et sans mot de passe, d’au plus {most} caractères, par exemple https://www.example.com/',
  webAddress: 'Écrivez une adresse avec https:// ou http://, par exemple https://www.example.com/',
  emailAddress: 'Écrivez une adresse e-mail, par exemple name@example.com.',
  languageTag: 'Écrivez l’étiquette d’une langue, par exemple de ou pt-BR.',
  languageList: 'Écrivez l’étiquette d’une langue, par exemple de, ou plusieurs, par exemple da, en-GB;q=0.8',
  timeZone: 'Écrivez le nom d’un fuseau horaire, par exemple Europe/Berlin.',
  birthdate:
    'Écrivez une date comme 1990-12-31. Sans l’année, c’est 0000-12-31, et une année peut être seule.',
  moment: 'Écrivez une date qui existe, par exemple 2026-05-13.',
  day: 'Écrivez un jour de ce siècle, par exemple 2026-12-31.',
  notFuture: 'Choisissez un jour à venir.',
  tooLate: 'Choisissez un jour dans {days} jours au plus.',
  domainName: 'Écrivez le nom d’un domaine, par exemple example.com.',
  domainUnverified: 'Seul un domaine vérifié peut être le principal.',
  base64: 'Écrivez du base64 d’au plus {most} octets.',
  unreachable: 'Aucun facteur autorisé n’y suffit. Autorisez-en un autre, ou demandez moins.',
  groupUnknown: 'L’organisation n’a pas ce groupe.',
  ownerUnknown: 'Aucun propriétaire actif de l’organisation n’a ce nom ni cet identifiant.',
  ownerUntested:
    'Ce propriétaire doit d’abord se connecter une fois : avec une clé d’accès, ou avec le mot de passe et l’application d’authentification actuels.',
  roleElsewhere: 'Ce rôle ne peut pas être donné ici. Choisissez-en un autre.',
  passwordUpper: 'Ajoutez une majuscule.',
  passwordLower: 'Ajoutez une minuscule.',
  passwordDigit: 'Ajoutez un chiffre.',
  passwordSymbol: 'Ajoutez un symbole, par exemple ! ou %.',
  passwordCommon:
    'Choisissez un autre mot de passe. Les attaquants essaient celui-ci, ou un très proche, en premier.',
  uriFragment: 'Écrivez l’adresse sans # ni *.',
  uriAscii: 'Écrivez l’adresse sous cette forme : {ascii}',
  uriAbsolute: 'Écrivez une adresse entière, par exemple https://app.example.com/callback',
  uriCredentials: 'Écrivez l’adresse sans nom d’utilisateur ni mot de passe.',
  uriNormal: 'Écrivez l’adresse sous cette forme : {normal}',
  uriHttps: 'Écrivez une adresse avec https. Seuls localhost, 127.0.0.1 et [::1] peuvent avoir http.',
  uriOnlyHttps:
    'Écrivez une adresse avec https. Seules les applications natives peuvent avoir un autre schéma.',
  uriScheme: 'Aucune application ne peut avoir le schéma {scheme} Choisissez-en un autre.',
  projectForGroups:
    'Les groupes sont attribués aux rôles d’un projet, et l’application n’a pas de projet. Choisissez all.',
  apiSignsNobodyIn: 'Personne ne se connecte à une API. Laissez ceci vide.',
  codeGrant:
    'Le type de réponse code et le type d’octroi authorization_code vont ensemble. Choisissez les deux ou aucun.',
  implicitGrant:
    'Les types de réponse id_token et id_token token, et le type d’octroi implicit, vont ensemble. Choisissez tout ou rien.',
  dotlessScheme:
    'Une adresse de redirection dont le schéma n’a pas de point demande le type de réponse code seul.',
  refreshGrant: 'Choisissez authorization_code ou l’échange de jetons à côté de refresh_token.',
  urn: 'Écrivez une URN d’au plus {most} lettres, chiffres et . _ - : par exemple urn:example:scim:2.0:User',
  urnReserved: 'Cette URN appartient à SCIM ou à ce service. Choisissez-en une autre.',
  urnClash:
    'Cette URN ne peut pas être à côté de {other}, car l’une commence par l’autre. Choisissez-en une autre.',
  attributeName: 'Écrivez de 1 à 64 lettres, chiffres, _ et -, et commencez par une lettre.',
  attributeReserved: 'Aucun attribut ne peut avoir ce nom. Choisissez-en un autre.',
  attributeFlags: 'Le type de l’attribut ne le permet pas.',
  issuerOwn: 'Nommez un émetteur extérieur. Celui-ci est le service lui-même.',
  entraTenant:
    'Nommez un seul locataire par son identifiant. Cette adresse de Microsoft Entra en désigne plusieurs.',
  certificate: "Ce n'est pas un certificat d'une clé RSA de 2048 à 8192 bits.",
  keyPrivate: 'C’est une clé privée ou symétrique. Gardez-la pour vous, et donnez sa partie publique.',
  keyUse: 'La clé doit servir aux signatures : use est sig.',
  keyMalformed: 'Ce n’est pas une clé publique sous la forme d’un JWK.',
  keyUnfit: 'Donnez une clé RSA de 2048 à 8192 bits, ou une de P-256, P-384, P-521 ou Ed25519.',
  keyAlgorithm: 'L’algorithme ne va pas avec la clé.',
  nameDiffers: 'Ce n’est pas le nom. Écrivez-le comme il est affiché.',
  json: 'Le texte n’est pas un objet JSON. Il doit commencer par { et finir par }.',

  gone: 'Ceci n’existe pas, ou quelqu’un l’a supprimé.',
  userGone:
    'Personne n’a ici cet identifiant de connexion, cette adresse ou cet identifiant. Quelqu’un a peut-être supprimé la personne.',
  forbidden: 'Aucun de vos rôles ne le permet.',
  changing: 'Quelqu’un d’autre change ceci en ce moment. Réessayez.',
  versionDiffers: 'Quelqu’un d’autre a changé ceci entre-temps. Rouvrez la page.',
  busy: 'Le service a trop à faire en ce moment. Réessayez bientôt.',
  tooOften: 'Ceci a été fait trop souvent. Réessayez plus tard.',
  tooBig: 'C’est trop grand.',
  fault: 'Le service a fait une erreur. Dites-le à son exploitant.',
  signInAgain: 'Reconnectez-vous.',
  userNameTaken: 'Un autre utilisateur de l’organisation a ce nom d’utilisateur. Choisissez-en un autre.',
  identifierTaken: 'Cet identifiant est pris. Choisissez-en un autre.',
  valueTaken: 'Un autre utilisateur de l’organisation a cette valeur.',
  externalIdsShared: 'Plusieurs utilisateurs ont le même externalId. Changez-les d’abord.',
  organizationExists: 'Une organisation avec cet identifiant ou ce domaine existe déjà.',
  organizationNameDiffers: 'Ce n’est pas le nom de l’organisation.',
  quotaExceeded: 'Un quota de l’organisation est épuisé. L’exploitant du service peut l’augmenter.',
  extensionAttributeFixed:
    'Le type d’un attribut, et la façon de trouver ses valeurs, ne changent pas. Supprimez l’attribut avec ses valeurs, et ajoutez-le à nouveau.',
  extensionLimit: 'Ce serait plus d’attributs propres qu’une organisation ne peut en avoir.',
  outranks: 'Il faut des droits qui vous manquent. Demandez à quelqu’un qui les a tous.',
  passwordsOff: 'Personne dans l’organisation ne se connecte avec un mot de passe. Ne l’indiquez pas.',
  passwordWeak: 'Le mot de passe ne suit pas les règles de l’organisation.',
  mailMissing: 'Aucun serveur de messagerie n’est configuré.',
  mailAddressMissing:
    'L’utilisateur est inactif, ou n’a pas d’adresse e-mail principale qui puisse recevoir le lien.',
  mailFailed: 'Le serveur de messagerie n’a pas pris le message. Réessayez plus tard.',
  linksUnderWay: 'Des liens sont en cours de création pour cette organisation. Attendez la fin.',
  trialUnderWay:
    'Un essai est en cours pour cette organisation. Attendez qu’il soit terminé, ou annulez-le sur sa page.',
  linkInvalid: 'Le lien a déjà servi, ou a expiré.',
  clientIdTaken:
    'Un autre utilisateur de service de l’organisation a ce nom d’utilisateur. Choisissez-en un autre.',
  credentialLimit: 'Il ne peut pas y en avoir plus. Supprimez-en un d’abord.',
  secretUnused: 'L’application ne s’authentifie pas avec un secret.',
  alreadyThere: 'Ceci y est déjà.',
  inUse: 'Ceci sert encore. Supprimez d’abord ce qui s’en sert.',
  pictureInvalid: 'Choisissez une image fixe PNG, JPEG ou WebP d’au plus 1 Mo et sans trop de pixels.',
  groupNameTaken: 'Un autre groupe de l’organisation a ce nom. Choisissez-en un autre.',
  memberUnknown: 'Ce n’est pas un utilisateur de l’organisation.',
  issuerUnusable: 'Les clés de cet émetteur ne peuvent pas être lues. Vérifiez l’adresse.',
  providerUnusable: 'Muster ne peut pas utiliser ce fournisseur. Comparez son adresse lettre par lettre.',
  connectionLimit: 'Une organisation a au plus 20 connexions. Supprimez-en une d’abord.',
  noLastSignIn:
    "Personne ne s'est connecté par la connexion dans les dernières 24 heures. Saisissez les claims à essayer.",
  issuerFixed: 'C’est un autre fournisseur que celui de la connexion. Ajoutez pour lui une autre connexion.',
  connectionInUse:
    'La connexion est utilisée : seul son secret client peut être modifié ici. Un propriétaire de l’organisation modifie le reste.',
  setupDomainRemoved:
    'L’organisation n’a plus ce domaine. Demandez à un propriétaire de l’ajouter de nouveau.',
  setupLinkLimit:
    'Une organisation a au plus 5 liens de configuration ouverts. Mettez d’abord fin à l’un d’eux.',
  lastOwner:
    'Un utilisateur de service actif doit rester propriétaire du service. Donnez d’abord le rôle à un autre utilisateur de service.',
  nextKeyTooFresh:
    'La prochaine clé de signature est trop récente. Des clients ne la connaissent peut-être pas encore. Réessayez plus tard.',
  rotating: 'Les clés de signature sont en cours de rotation. Réessayez bientôt.',
  stillNeeded: 'La clé est l’active ou la prochaine. Faites d’abord la rotation des clés.',
  bucketMissing: 'Le bucket n’existe pas. Vérifiez son nom.',
  bucketTarget: 'Le nom du bucket, ou le chemin, n’est pas valide.',
  bucketCredentials: 'Le stockage refuse les identifiants, ou il leur manque l’autorisation.',
  bucketHost:
    'Le service n’utilise pas cet hôte comme stockage. L’exploitant peut l’autoriser dans MUSTER_BUCKET_HOSTS.',
  sourceHost:
    'Le service ne lit pas depuis cet hôte. L’exploitant peut l’autoriser dans MUSTER_IMPORT_HOSTS, la liste des hôtes.',
  bucketUnreachable: 'Le stockage est injoignable à cette adresse. Vérifiez l’adresse et la région.',
  bucketObject: 'L’objet n’existe pas, ou il manque l’autorisation aux identifiants.',
  objectChanged: 'L’objet a été remplacé pendant la lecture. Réessayez.',
  expandsTooMuch: 'L’objet devient bien trop grand une fois décompressé.',
  transferFailed: 'Le stockage n’a pas transféré l’objet. Réessayez bientôt.',
  timeout: 'Écrivez une durée comme 30s, 5m ou 1h30m.',
  timedOut: 'La durée était trop courte. Rien n’a été écrit. Accordez plus de temps.',
  organizationUnknown: 'Une des organisations n’existe pas. Vérifiez les identifiants.',
  ownersAlone: 'Seul un propriétaire du service peut le faire.',
  importMalformed: 'Le fichier n’est pas un import sous une forme que le service connaît.',
  sourceUnusable: 'L’adresse ne peut pas être lue. Il faut une adresse https sur Internet.',
  groupNamedByPolicy:
    'La politique de connexion de l’organisation nomme ce groupe. Modifiez d’abord la politique.',
  passkeyUntested:
    'Avant la fin des mots de passe, un propriétaire doit se connecter une fois avec une clé d’accès. Ajoutez-en une sur la page de votre compte, connectez-vous avec elle, puis revenez.',
  lastWayIn:
    'C’est la seule façon dont cette personne peut se connecter. Donnez-lui d’abord une autre, par exemple un lien à usage unique.',
  domainPublic:
    'Tout le monde peut avoir une boîte aux lettres dans ce domaine, donc aucune organisation ne le prouve. L’exploitant du service peut le vérifier.',
  askedLately: 'L’enregistrement vient d’être recherché. Réessayez dans 10 secondes.',
  lastAbleOwner:
    'Personne d’autre dans ce rôle ne peut se connecter. Donnez d’abord le rôle à une autre personne active qui a un mot de passe ou un lien valide.',
  roleHeld: 'La personne a déjà ce rôle.',
  requesterStays:
    'Vous faites partie des personnes choisies, et vous ne pouvez pas vous désactiver avec elles. Retirez-vous du choix.',
  usersDiffer: 'Les personnes choisies ont changé entre-temps. Rien n’a été fait. Choisissez-les de nouveau.',
  tooManyUsers: 'Plus de 10 000 personnes correspondent. Précisez la recherche.',
  readOnly: 'Ceci ne peut pas être modifié.',
  conflict: 'Ceci ne correspond pas à ce qui est enregistré maintenant. Rouvrez la page.',
  formExpired: 'Le formulaire est périmé. Rouvrez la page.',
  uploadMalformed: 'Le fichier n’est pas arrivé en entier. Renvoyez-le.',
};
