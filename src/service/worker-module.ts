/** A thread's module and its entry point: the loader for TypeScript has to be registered first. */
export function workerModule(name: string): { readonly entry: URL; readonly module: URL } {
  if (import.meta.url.endsWith('.ts')) {
    const module = new URL(`./${name}.ts`, import.meta.url);
    return { entry: new URL('./worker-entry.mjs', import.meta.url), module };
  }
  const module = new URL(`./${name}.js`, import.meta.url);
  return { entry: module, module };
}
