import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  root: import.meta.dirname,
  logLevel: 'warn',
  // The build is for production even where NODE_ENV has another value, as in tests.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The libraries mark files with "use client" for server rendering, which the console does not use.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
})
