/**
 * The version of the engine's rules. It rises with every change after which the same journal would
 * give another state; the test of the stored journal in test/golden detects that.
 */
export const rulesVersion = 11;
