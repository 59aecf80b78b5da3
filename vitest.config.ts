import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest looks for it
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // Native addons want a process each.
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes: one second, the default, is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
})
