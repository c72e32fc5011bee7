/** The first four bytes of every saved state. */
export const stateMagic = 0x5453424f;

/** Rises with each change of the format. */
export const stateVersion = 9;
/** States of this version and of all above it are read. */
export const stateVersionMin = 6;
