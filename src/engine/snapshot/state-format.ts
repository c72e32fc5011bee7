/** The first four bytes of every saved state. */
export const stateMagic = 0x5453424f;

/** Rises with each change of the format; a state of this version or the one below is read. */
export const stateVersion = 7;
