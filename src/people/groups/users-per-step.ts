/** The most users of one step of a change of members. One transaction writes about so many. */
export const usersPerStep = 1_000;
