import type { ProblemTexts } from './shape.js';

/** French. What stands in braces is a parameter of the problem. */
export const fr: ProblemTexts = {
  notJson: 'Cette ligne n’est pas du JSON. Corrigez-la, ou exportez de nouveau le fichier.',
  notObject: 'Cette ligne n’est pas un objet JSON. Corrigez-la, ou exportez de nouveau le fichier.',
  twoMembers: 'La personne a deux valeurs du même nom. Retirez-en une.',
  reservedMember: 'La personne a une valeur nommée {name}. Renommez-la.',
  tooLong: 'La personne a plus de {most} octets. Retirez les valeurs longues.',
  notUtf8: 'Cette ligne n’est pas un texte en UTF-8. Enregistrez le fichier en UTF-8.',
  cells: 'La ligne a {count} cellules, et l’en-tête en a {expected}. Corrigez la ligne.',
  notPerson: 'Ce n’est pas une personne de {system} : il manque un nom pour se connecter. Indiquez-le.',
  otherSystem: 'Ce n’est pas une personne de {system}. Choisissez une autre origine du fichier.',
  noUserName: 'La personne n’a ni identifiant de connexion ni adresse e-mail. Indiquez l’un des deux.',
  noAddress: 'La personne n’a pas d’adresse e-mail. Indiquez-la.',
  noName: 'Il manque le prénom ou le nom. Indiquez-le.',
  noIdentifier: 'La personne n’a pas d’identifiant. Indiquez-le.',
  identifier:
    'L’identifiant a plus de 200 caractères, des espaces ou d’autres lettres que a à z. Changez-le.',
  value: '{name} : cette valeur n’est pas utilisable. Corrigez-la.',
  notText: '{name} : la valeur n’est pas un texte en UTF-8. Corrigez-la.',
  notDate: '{name} : indiquez une date de 1970 à aujourd’hui.',
  notFlag: '{name} : écrivez yes ou no.',
  hashUnreadable:
    'Le hachage du mot de passe est illisible. Laissez de côté ces hachages ci-dessous, ou videz la cellule.',
  hashCost:
    'Le hachage du mot de passe demande trop de calcul. Laissez de côté ces hachages ci-dessous, ou videz la cellule.',
  credentialsMissing:
    'La personne n’a ni mot de passe ni adresse e-mail. Indiquez l’un des deux, ou acceptez ces personnes ci-dessous.',
  hashAndPassword: 'La personne a un mot de passe et un hachage. Retirez l’un des deux.',
  clearPassword: 'Le mot de passe n’est pas haché. Retirez-le.',
  longPassword:
    'Le mot de passe a plus de 200 caractères. Donnez-en un plus court, ou laissez-les de côté ci-dessous.',
  secondFactor:
    'La personne a un second facteur qui ne peut pas être repris. Choisissez ci-dessous quoi faire.',
  secondFactorUnverified:
    'Le second facteur ne peut pas être repris, et la personne n’a pas d’adresse e-mail pour un lien. Indiquez-en une, ou choisissez autre chose ci-dessous.',
  tooManyGroups: 'Le fichier a plus de {most} groupes. Une colonne n’est sans doute pas un groupe.',
  groupName: 'Un autre groupe a le même nom. Renommez l’un des deux.',
  sameIdentifier: 'La ligne {line} a le même identifiant. Changez ou retirez l’un des deux.',
  sameName: 'La ligne {line} a le même identifiant de connexion. Changez ou retirez l’un des deux.',
  groupUnnamed: 'Un groupe n’a pas de valeur « {name} ». Indiquez-la.',
  groupTwice: 'Le fichier contient ce groupe deux fois. Retirez l’un des deux.',
  subgroupNotObject:
    'Un sous-groupe de ce groupe n’est pas un objet JSON. Corrigez-le, ou exportez de nouveau le fichier.',
  subgroupsLost: 'Les groupes de ce groupe sont laissés de côté avec lui. Corrigez d’abord le groupe.',
  organizationUnnamed: 'L’organisation {place} du fichier n’a pas d’identifiant. Indiquez son orgId.',
  otherHash:
    'La ligne {line} a un autre hachage de mot de passe pour le même identifiant. Retirez l’un des deux.',
  noNameColumn:
    'Aucune valeur ne ressemble à un identifiant de connexion ni à une adresse e-mail. Nommez une des valeurs « email » ou « userName ».',
  noPeople: 'Personne ne se trouve dans le fichier.',
  noList: 'Le fichier n’a pas de liste de personnes.',
  brokenEntry: 'L’entrée ne suit pas les règles de LDIF. Corrigez-la, ou exportez de nouveau le fichier.',
  brokenJson:
    'Le fichier n’est plus du JSON à partir de la ligne {line}. Corrigez-le, ou exportez-le de nouveau.',
  severalRealms: 'Le fichier a plusieurs realms : {list}. N’en exportez qu’un.',
  brokenTable: 'Ligne {line} : un guillemet est mal placé ou n’est pas fermé.',
  longRow: 'La ligne {line} est trop longue. Un guillemet n’est peut-être pas fermé.',
  tooManyColumns: 'Le tableau a plus de {most} colonnes.',
  columnUnnamed: 'La colonne {place} n’a pas d’en-tête. Donnez-lui un nom, ou retirez-la.',
  columnTwice: 'Deux colonnes ont l’en-tête {name}. Renommez l’une des deux.',
  tooMuch: 'Le fichier demande trop de temps ou de mémoire. Divisez-le.',
  other:
    'Le fichier n’est pas utilisable. Exportez-le de nouveau, ou choisissez une autre origine du fichier.',
};
