import type { AnswerTexts } from './en.js';

/** French. */
export const fr: AnswerTexts = {
  claim_userName: "Nom d'utilisateur",
  claim_givenName: 'Prénom',
  claim_familyName: 'Nom',
  claim_displayName: 'Nom affiché',
  claim_email: 'Adresse e-mail',
  claim_phoneNumber: 'Numéro de téléphone',
  claim_preferredLanguage: 'Langue préférée',
  claim_locale: 'Paramètres régionaux',
  claim_timezone: 'Fuseau horaire',
  claim_title: 'Fonction',
  claim_department: 'Service',
  claim_roles: 'Rôles (SCIM)',
  claim_entitlements: 'Droits (SCIM)',
  goal_subject: 'identifiant de l’identité',
  goal_identifier: 'comparé à l’identifiant externe',
  goal_strength: 'force de la connexion',
  goal_time: 'âge de la connexion',
  goal_tenant: 'locataire ou domaine',
  goal_verified: 'si l’adresse est fiable',
  note_identifierMissing:
    'Le claim qui doit égaler l’identifiant externe est absent. Personne n’est relié par le provisionnement.',
  note_addressUntrusted:
    'L’adresse n’est pas vérifiée chez le fournisseur, ou n’est dans aucun domaine de la connexion. Elle ne relie personne.',
  note_timeMissing:
    'Le fournisseur ne dit pas quand la personne s’est connectée (auth_time). Les actes qui exigent une connexion récente sont refusés.',
  note_factorsUnclaimed:
    'Le fournisseur ne dit pas que la personne a prouvé plusieurs facteurs (amr avec mfa, ou une valeur d’acr).',
  note_groupsElsewhere:
    'Les groupes sont trop nombreux pour le jeton, qui n’en a aucun. Que le fournisseur n’envoie que les groupes de l’application.',
  goal_groups: 'appartenance aux groupes',
  goal_session: 'fin de la session',
  goal_checked: 'vérifié, et utilisé pour rien d’autre',
  note_certificateEnded:
    'Le certificat dans les métadonnées du fournisseur a expiré le {date}. Demandez-en un autre au fournisseur, et redonnez ses métadonnées.',
  note_certificateEndsSoon:
    'Le certificat dans les métadonnées du fournisseur expire le {date}. Demandez-en un autre au fournisseur avant cette date.',
  note_secretEnded:
    'Le secret du client a expiré le {date}. Créez-en un autre chez le fournisseur, et saisissez-le.',
  note_secretEndsSoon:
    'Le secret du client expire le {date}. Créez-en un autre chez le fournisseur avant cette date.',
};
