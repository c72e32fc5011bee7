/** The first four bytes of every saved state. */
export const stateMagic = 0x5453424f;

/** Increases with each change of the format. */
export const stateVersion = 10;
/** The oldest version that can still be read. */
export const stateVersionMin = 6;
/** The rules of a state that does not name them, which is one of version 9 or less. */
export const rulesOfUnnamed = 11;
