/**
 * Names the engine's rules. It rises with every change after which the same journal would give
 * another state; the test of the stored journal in test/golden shows when that is so.
 */
export const rulesVersion = 11;
