/** Where a tab remembers that its account has a withdrawal to be sent. */
export const unsentKey = 'has-unsent-withdrawal';
