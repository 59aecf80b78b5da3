#!/usr/bin/env node
/**
 * What has to be set before anything is loaded, then the program. Files and compression are worked on by threads
 * whose number is fixed at their first use: recordings wait for the disk there, and four threads, the default, would
 * make everything else wait with them.
 */
process.env.UV_THREADPOOL_SIZE ??= '16'
void import('./main.ts')
