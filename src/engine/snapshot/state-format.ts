/** The first four bytes of every saved state. */
export const stateMagic = 0x5453424f;

/** Increases with each change of the format. */
export const stateVersion = 9;
/** The oldest version that can still be read. */
export const stateVersionMin = 6;
