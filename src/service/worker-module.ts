/** A thread's module, and where the thread begins: TypeScript needs its loader first. */
export function workerModule(name: string): { readonly entry: URL; readonly module: URL } {
  if (import.meta.url.endsWith('.ts')) {
    const module = new URL(`./${name}.ts`, import.meta.url);
    return { entry: new URL('./worker-entry.mjs', import.meta.url), module };
  }
  const module = new URL(`./${name}.js`, import.meta.url);
  return { entry: module, module };
}
