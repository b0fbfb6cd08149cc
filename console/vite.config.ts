import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  root: import.meta.dirname,
  logLevel: 'warn',
  // Also where the environment says otherwise, as it does in tests.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The libraries mark their files for servers that render; there is none here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
})
