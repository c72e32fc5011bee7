/**
 * Imports a package that only some installations need.
 * @throws Error that explains how to install it
 */
export async function importOptional(name: string, version: string): Promise<unknown> {
  try {
    const loaded = (await import(name)) as { readonly default?: unknown };
    return loaded.default ?? loaded;
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new Error(
      `this key needs the package ${name}: npm install --no-save ${name}@${version}`,
      { cause: error },
    );
  }
}
