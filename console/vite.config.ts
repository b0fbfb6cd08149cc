import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic' } },
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
