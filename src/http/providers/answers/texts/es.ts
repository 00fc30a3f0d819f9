import type { AnswerTexts } from './en.js';

/** Spanish. */
export const es: AnswerTexts = {
  claim_userName: 'Nombre de usuario',
  claim_givenName: 'Nombre',
  claim_familyName: 'Apellidos',
  claim_displayName: 'Nombre visible',
  claim_email: 'Correo electrónico',
  claim_phoneNumber: 'Número de teléfono',
  claim_preferredLanguage: 'Idioma preferido',
  claim_locale: 'Configuración regional',
  claim_timezone: 'Zona horaria',
  claim_title: 'Cargo',
  claim_department: 'Departamento',
  claim_roles: 'Roles (SCIM)',
  claim_entitlements: 'Derechos (SCIM)',
  goal_subject: 'identificador de la identidad',
  goal_identifier: 'comparado con el identificador externo',
  goal_strength: 'fuerza del inicio de sesión',
  goal_time: 'antigüedad del inicio de sesión',
  goal_tenant: 'inquilino o dominio',
  goal_verified: 'si se confía en la dirección',
  note_identifierMissing:
    'Falta el claim que debe ser igual al identificador externo. Nadie se vincula por aprovisionamiento.',
  note_addressUntrusted:
    'La dirección no está verificada en el proveedor, o no está en ningún dominio de la conexión. No vincula a nadie.',
  note_timeMissing:
    'El proveedor no dice cuándo inició sesión la persona (auth_time). Los actos que exigen un inicio reciente se rechazan.',
  note_factorsUnclaimed:
    'El proveedor no dice que la persona probó varios factores (amr con mfa, o un valor de acr).',
  note_groupsElsewhere:
    'Los grupos son demasiados para el token, que no tiene ninguno. Haga que el proveedor envíe solo los grupos de la aplicación.',
  goal_groups: 'pertenencia a grupos',
  goal_session: 'fin de la sesión',
  goal_checked: 'comprobado, y no se usa para nada más',
  note_certificateEnded:
    'El certificado de los metadatos del proveedor caducó el {date}. Pida otro al proveedor y vuelva a dar sus metadatos.',
  note_certificateEndsSoon:
    'El certificado de los metadatos del proveedor caduca el {date}. Pida otro al proveedor antes.',
  note_secretEnded: 'El secreto del cliente caducó el {date}. Cree otro en el proveedor e introdúzcalo.',
  note_secretEndsSoon: 'El secreto del cliente caduca el {date}. Cree otro en el proveedor antes.',
};
