/** The first four bytes of every saved state. */
export const stateMagic = 0x5453424f;

/** Rises with each change of the format; a state of another version is refused. */
export const stateVersion = 7;
