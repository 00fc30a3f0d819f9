/** The texts of the pages about groups. */
export interface GroupsTexts {
  readonly about: string;
  readonly add: string;
  readonly searchLabel: string;
  readonly none: string;
  readonly noMatch: string;
  readonly rename: string;
  readonly remove: string;
  readonly removeText: string;
  readonly memberCount: (count: string) => string;
  readonly moreThan: (count: number) => string;
  readonly members: string;
  readonly noMembers: string;
  readonly addMember: string;
  readonly removeMember: string;
  readonly noUserFound: string;
  readonly roles: string;
  readonly rolesHint: string;
  readonly saveRoles: string;
  readonly conflict: (name: string) => string;
  readonly done: Readonly<Record<GroupDone, string>>;
}

export type GroupDone = 'added' | 'renamed' | 'deleted' | 'memberAdded' | 'memberRemoved' | 'rolesSet';
