import tseslint from 'typescript-eslint';

const sizeLimits = {
  'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
  'max-lines-per-function': ['error', { max: 70, skipBlankLines: false, skipComments: false }],
};

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      '**/dist',
      'data',
      'coverage',
      'contracts/out',
      'contracts/cache',
      'packages/client/src/channels.ts',
      'packages/client/src/endpoints.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      ...sizeLimits,
      eqeqeq: 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // A default branch passes the rest on to assertNever or to a function of the narrowed type.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['**/*.test.ts', 'src/database/migrations/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
);
