/** What happens to an account that may no longer be used. Databases have the moment of it: `deleted_at`. */
const stops = [
  ...['deleted', 'removed', 'disabled', 'blocked', 'banned', 'suspended', 'locked', 'deactivated'],
  ...['discarded', 'archived', 'terminated', 'closed'],
];

/**
 * Names that other systems and people give to columns, for each target of a mapping: the most certain first. They are written without
 * letter case, accents and separators. The languages are those of the console, and Dutch, Portuguese and Swedish.
 */
const columnNames = {
  userName: [
    ...['cognitousername'],
    ...['username', 'login', 'loginname', 'userprincipalname', 'upn', 'samaccountname', 'userlogin', 'uid'],
    ...['signinname', 'preferredusername', 'benutzername', 'anmeldename', 'benutzerkennung', 'kennung'],
    ...['nomdutilisateur', 'identifiant', 'nombredeusuario', 'usuario', 'nomeutente', 'utente'],
    ...['gebruikersnaam', 'nomedeusuario', 'anvandarnamn', 'handle', 'account', 'accountname', 'user'],
  ],
  email: [
    ...['deliveryemail'],
    ...['email', 'emailaddress', 'mail', 'mailaddress', 'useremail', 'primaryemail', 'primaryemailaddress'],
    ...['workemail', 'businessemail', 'contactemail', 'emailadresse', 'mailadresse', 'adressemail'],
    ...['courriel', 'adresseelectronique', 'correo', 'correoelectronico', 'correoe', 'postaelettronica'],
    ...['indirizzoemail', 'emailadres', 'enderecodeemail', 'epost', 'epostadress', 'emails'],
    ...['secondemail', 'secondaryemail', 'secondaryemails', 'alternateemail', 'othermails'],
  ],
  emailVerified: [
    ...['emailverified', 'isemailverified', 'emailisverified', 'mailverified', 'verifiedemail'],
    ...[
      'emailconfirmedat',
      'emailverifiedat',
      'confirmedat',
      'verifiedat',
      'verifytime',
      'dateemailverified',
    ],
    ...['emailconfirmed', 'isemailconfirmed', 'emailvalidated', 'verified', 'isverified', 'confirmed'],
    ...['emailverifiziert', 'emailbestatigt', 'bestatigt', 'verifiziert', 'emailverifie', 'verifie'],
    ...['correoverificado', 'verificado', 'emailverificata', 'verificato'],
    ...['emailverification', 'emailvalidatedat', 'emailverifiedon', 'isverifiedemail'],
  ],
  'name.givenName': [
    ...['givenname', 'firstname', 'first', 'forename', 'fname', 'vorname', 'prenom', 'nombre', 'nome'],
    ...['nomeproprio', 'voornaam', 'fornamn', 'nombredepila'],
    ...['namegiven', 'namefirst', 'given'],
  ],
  'name.familyName': [
    ...['familyname', 'lastname', 'last', 'surname', 'lname', 'sn', 'nachname', 'familienname', 'zuname'],
    ...['nomdefamille', 'nom', 'apellido', 'apellidos', 'cognome', 'achternaam', 'sobrenome', 'efternamn'],
    ...['namefamily', 'namelast'],
  ],
  'name.middleName': ['middlename', 'middle', 'zweitervorname', 'deuxiemeprenom', 'segundonombre'],
  'name.honorificPrefix': ['honorificprefix', 'prefix', 'nameprefix', 'salutation', 'anrede', 'civilite'],
  'name.honorificSuffix': ['honorificsuffix', 'suffix', 'namesuffix'],
  displayName: [
    ...['displayname', 'fullname', 'name', 'realname', 'commonname', 'cn', 'anzeigename', 'vollername'],
    ...['nomcomplet', 'nomaffiche', 'nombrecompleto', 'nombreparamostrar', 'nomecompleto', 'volledigenaam'],
    ...['nomevisualizzato', 'weergavenaam', 'fullstandigtnamn', 'namn', 'naam'],
  ],
  nickName: ['nickname', 'nick', 'alias', 'spitzname', 'surnom', 'apodo', 'soprannome', 'knownas'],
  phone: [
    ...['phone', 'phonenumber', 'mobile', 'mobilephone', 'mobilenumber', 'cellphone', 'cell', 'telephone'],
    ...['telephonenumber', 'tel', 'primaryphone', 'primaryphonenumber', 'workphone', 'businessphone'],
    ...['officephone', 'telefon', 'telefonnummer', 'handy', 'handynummer', 'mobil', 'mobilnummer', 'natel'],
    ...['portable', 'numerodetelephone', 'telefono', 'movil', 'cellulare', 'numerodetelefono'],
    ...['telefoon', 'telefoonnummer', 'telefone', 'celular', 'homephone', 'phones'],
    ...['phone1', 'phone2', 'mobilephonenumber', 'msisdn'],
  ],
  phoneVerified: [
    ...['phoneverified', 'phonenumberverified', 'isphoneverified', 'phoneconfirmed', 'phonenumberconfirmed'],
    ...[
      'phoneverification',
      'phoneverifiedat',
      'phoneconfirmedat',
      'phonenumberverifiedat',
      'phonenumberconfirmedat',
    ],
  ],
  passwordHash: [
    ...['passwordhash', 'hashedpassword', 'passwordhashed', 'encryptedpassword', 'passworddigest', 'pwdhash'],
    ...['passhash', 'hash', 'password', 'passwd', 'pwd', 'pass', 'userpass', 'userpassword', 'passwort'],
    ...['kennwort', 'motdepasse', 'contrasena', 'wachtwoord', 'senha', 'losenord', 'crypt', 'bcrypt'],
    ...[
      'passworthash',
      'kennworthash',
      'passwordencrypted',
      'passwordpbkdf2',
      'initialpassword',
      'newpassword',
      'temporarypassword',
    ],
    ...['bcryptpassword', 'hashedpwd'],
  ],
  passwordChangeRequired: [
    ...['passwordchangerequired', 'mustchangepassword', 'forcepasswordchange', 'changepassword'],
    ...['passwordchangeatnextsignin', 'changepasswordatnextsignin', 'forcechangepasswordnextsignin'],
    ...['requirepasswordchange', 'forcepasswordreset'],
    ...['requirereset', 'forcepasswordresetnextlogin', 'passwordresetrequired'],
  ],
  otpSecret: [
    'otpsecret',
    'totpsecret',
    'totp',
    'otp',
    'mfasecret',
    'mfatotpsecret',
    'twofactorsecret',
    ...['tfasecret', 'twofasecret', 'otpsharedkey'],
  ],
  id: [
    'id',
    'userid',
    'uuid',
    'guid',
    'objectid',
    'sub',
    'subject',
    'localid',
    'identifier',
    'externalauthid',
    ...['pk'],
  ],
  externalId: ['externalid', 'externaluserid', 'legacyid', 'sourceid', 'importid', 'externeid'],
  preferredLanguage: [
    ...['preferredlanguage', 'language', 'lang', 'userlanguage', 'sprache', 'langue', 'idioma', 'lingua'],
    ...['taal', 'sprak'],
  ],
  locale: ['locale', 'usagelocale', 'gebietsschema'],
  timezone: ['timezone', 'zoneinfo', 'tz', 'zeitzone', 'fuseauhoraire', 'zonahoraria', 'fusoorario'],
  gender: ['gender', 'sex', 'geschlecht', 'sexe', 'sexo', 'sesso', 'genere', 'genero', 'genre'],
  birthdate: [
    'birthdate',
    'dateofbirth',
    'birthday',
    'dob',
    'geburtsdatum',
    'datedenaissance',
    'fechadenacimiento',
  ],
  title: [
    ...[
      'title',
      'jobtitle',
      'position',
      'employeetitle',
      'jobrole',
      'stelle',
      'funktion',
      'titel',
      'fonction',
    ],
    ...['poste', 'cargo', 'puesto', 'ruoloaziendale', 'qualifica', 'functie'],
  ],
  department: [
    'department',
    'dept',
    'abteilung',
    'departement',
    'service',
    'departamento',
    'reparto',
    'afdeling',
  ],
  division: ['division', 'bereich', 'businessunit', 'divisione'],
  organization: [
    ...['organization', 'organisation', 'company', 'companyname', 'firma', 'unternehmen', 'entreprise'],
    ...['societe', 'empresa', 'azienda', 'bedrijf', 'organizationname'],
    ...['institution'],
  ],
  employeeNumber: [
    ...['employeenumber', 'employeeid', 'personnelnumber', 'staffid', 'badge', 'badgenumber'],
    ...['personalnummer', 'mitarbeiternummer', 'matricule', 'numerodeempleado', 'matricola'],
    ...['personeelsnummer'],
  ],
  costCenter: [
    'costcenter',
    'costcentre',
    'kostenstelle',
    'centredecouts',
    'centrodecostos',
    'centrodicosto',
  ],
  userType: ['usertype', 'employeetype', 'persontype', 'benutzertyp', 'accounttype'],
  website: ['website', 'homepage', 'url', 'webpage', 'webseite', 'siteweb', 'sitioweb', 'sitoweb', 'userurl'],
  profileUrl: ['profileurl', 'profilepage', 'profile'],
  active: [
    ...['active', 'isactive', 'enabled', 'isenabled', 'accountenabled', 'status', 'userstatus', 'state'],
    ...['accountstatus', 'aktiv', 'actif', 'activo', 'attivo', 'ativo', 'zustand', 'etat', 'estado', 'stato'],
    ...['useraccountcontrol'],
  ],
  inactive: [
    ...['disabled', 'isdisabled', 'suspended', 'issuspended', 'block', 'blocked', 'isblocked'],
    ...['banned', 'isbanned', 'userinactivereason', 'userinactivetime'],
    ...['inactive', 'isinactive', 'locked', 'islocked', 'deactivated', 'isdeactivated', 'isforbidden'],
    ...['forbidden', 'gesperrt', 'deaktiviert', 'desactive', 'bloque', 'bloqueado', 'bloccato', 'archived'],
    ...['deleted', 'isdeleted', 'removed', 'isremoved', 'terminated', 'isterminated', 'trashed', 'discarded'],
    ...stops.flatMap((stop) => [`${stop}at`, `${stop}on`, `${stop}date`, `${stop}time`, `date${stop}`]),
    ...['prohibitlogin', 'loginprohibited', 'logindisabled', 'deleteat', 'disableat', 'isarchived'],
  ],
  inactiveUntil: [
    ...['banneduntil', 'blockeduntil', 'lockeduntil', 'suspendeduntil', 'disableduntil', 'lockoutend'],
    ...['lockoutenddate', 'lockoutenddateutc', 'banexpires', 'bannedtill', 'lockedoutuntil'],
    ...['suspendedtill', 'disabledtill', 'blockedtill', 'lockedtill'],
  ],
  inactiveFrom: [
    ...['accountexpires', 'accountexpiresat', 'accountexpireson', 'accountexpiry', 'accountexpirydate'],
    ...['accountexpirationdate', 'accountvaliduntil', 'validuntil', 'terminationdate', 'leavingdate'],
  ],
  created: [
    ...['created', 'createdat', 'creationdate', 'createdon', 'datecreated', 'createddate', 'createddatetime'],
    ...['createtime', 'createdtime', 'registered', 'registeredat', 'userregistered', 'registrationdate'],
    ...['datejoined', 'timejoined', 'joinedat', 'signupdate', 'erstelltam', 'erstellt', 'datedecreation'],
    ...['fechadecreacion', 'datadicreazione', 'insertinstant', 'creationtime', 'whencreated'],
    ...['createat', 'timecreated', 'createdunix', 'registerdate', 'registration'],
  ],
  lastModified: [
    ...['lastmodified', 'updated', 'updatedat', 'modified', 'modifiedat', 'lastupdated', 'lastupdatedat'],
    ...['updatedtime', 'updatetime', 'dateupdated', 'geandertam', 'whenchanged', 'lastupdateinstant'],
    ...['updatedon', 'modificationdate', 'lastmodifieddate', 'lastmodifieddatetime'],
    ...['updateat', 'timemodified', 'updatedunix', 'changed'],
  ],
  'addresses.streetAddress': [
    ...[
      'streetaddress',
      'street',
      'addressline1',
      'address1',
      'strasse',
      'strassehausnummer',
      'rue',
      'calle',
    ],
    ...['via', 'straat', 'rua', 'gata'],
  ],
  'addresses.locality': [
    ...['locality', 'city', 'town', 'ort', 'stadt', 'wohnort', 'ville', 'ciudad', 'citta', 'stad', 'cidade'],
  ],
  'addresses.region': ['region', 'province', 'bundesland', 'kanton', 'provincia', 'regione', 'provincie'],
  'addresses.postalCode': [
    ...[
      'postalcode',
      'zip',
      'zipcode',
      'postcode',
      'plz',
      'postleitzahl',
      'codepostal',
      'codigopostal',
      'cap',
    ],
  ],
  'addresses.country': ['country', 'countrycode', 'land', 'pays', 'pais', 'paese'],
  'addresses.formatted': [
    ...['address', 'postaladdress', 'fulladdress', 'workaddress', 'homeaddress', 'adresse', 'anschrift'],
    ...['direccion', 'indirizzo'],
  ],
  photos: [
    ...[
      'photo',
      'picture',
      'avatar',
      'avatarurl',
      'photourl',
      'pictureurl',
      'image',
      'imageurl',
      'profilephoto',
    ],
    ...['profilepicture', 'profileimage', 'profileimageurl', 'permanentavatar', 'bild', 'foto'],
  ],
  entitlements: ['entitlements', 'entitlement'],
  group: [
    ...['groups', 'group', 'groupnames', 'teams', 'team', 'memberof', 'gruppen', 'gruppe', 'groupes'],
    ...['groupe', 'grupos', 'grupo', 'gruppi', 'gruppo', 'groepen', 'equipe', 'equipes', 'equipos'],
  ],
  roles: ['roles', 'role', 'userroles', 'rollen', 'rolle', 'ruoli', 'ruolo', 'papeis', 'rol'],
} as const;

export type GuessedTarget = keyof typeof columnNames;

/** The target that each name stands for, and how certain that is: 0 is the most certain. */
const meanings: ReadonlyMap<string, { readonly target: GuessedTarget; readonly rank: number }> = new Map(
  (Object.keys(columnNames) as GuessedTarget[]).flatMap((target) =>
    columnNames[target].map((name, rank) => [name, { target, rank }] as const),
  ),
);

/** Words before a name that say whose it is, and change nothing of its meaning. */
const owners =
  /^(?:users?|accounts?|members?|persons?|customers?|contacts?|profiles?|primary|attributes?)(?=.)/;
/** A longer name is none that anybody knows. */
const longestName = 100;

/** Whether a step of a path only says that its values are a user's. */
export function isOwnerWord(step: string): boolean {
  return /^(?:users?|accounts?|members?|persons?)$/.test(plainName(step));
}

/** What a column with this name probably has. A name that is known only without the word before it is less certain. */
export function meaningOf(name: string): { target: GuessedTarget; rank: number } | undefined {
  if (name.length > longestName) return undefined;
  const whole = plain(name);
  // Google writes "Email Address [Required]", and others "user[email]".
  const outside = plain(name.replaceAll(/[[(][^\])]*[\])]/g, ''));
  const known = meanings.get(whole) ?? meanings.get(outside);
  if (known !== undefined) return known;
  const bare = meanings.get(whole.replace(owners, '')) ?? meanings.get(outside.replace(owners, ''));
  return bare && { target: bare.target, rank: bare.rank + longestName };
}

/** What kind of address or number a column has, in the words of RFC 7643. Undefined if its name does not say. */
export function contactKindOf(name: string): string | undefined {
  const words = plain(name.slice(0, longestName));
  if (/mobil|cell|handy|natel|movil|portable/.test(words)) return 'mobile';
  if (/fax/.test(words)) return 'fax';
  if (/home|privat|domicile|personal|recovery|casa/.test(words)) return 'home';
  return /work|business|office|desk|company|buro|geschaft|travail|oficina|ufficio/.test(words)
    ? 'work'
    : undefined;
}

/** The parts of an item that have its value: `emails[].address`. */
const parts = [
  'value',
  'address',
  'email',
  'emailaddress',
  'number',
  'phonenumber',
  'phone',
  'name',
  'displayname',
];

/** What the items of a list have at this member, by the name of the list. */
export function meaningOfItems(list: string, part: string): GuessedTarget | undefined {
  const found = meaningOf(list)?.target ?? meanings.get(`${plain(list.slice(0, longestName))}s`)?.target;
  const target = /^e?mailaddress(es)?$/.test(plain(list.slice(0, longestName))) ? 'email' : found;
  return parts.includes(plain(part.slice(0, longestName))) ? target : undefined;
}

/** Whether the name of a column says that it has hashes, and no passwords in plain text. */
export function isOfHashes(name: string): boolean {
  return /hash|digest|crypt|pbkdf/.test(plainName(name));
}

/** Whether the name of a column says that it has the salts of hashes. */
export function isOfSalts(name: string): boolean {
  return /^(?:user|account)?(?:password|passwd|pwd|pw|pass|hash)?salt$/.test(plainName(name));
}

/** A name without letter case, accents and separators. A long one is cut. */
export function plainName(name: string): string {
  return plain(name.slice(0, longestName));
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
