/** The hash of the sources of this build. */
declare const __BUILD__: string;

declare module '*.css';
