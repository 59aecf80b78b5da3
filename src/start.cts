#!/usr/bin/env -S node --max-semi-space-size=4
/**
 * What has to be set before anything is loaded, then the program. Files and compression are worked on by threads
 * whose number is fixed at their first use: recordings wait for the disk there, and four threads, the default, would
 * make everything else wait with them. (`npm start` bounds the memory for young objects too, by the same flag as above:
 * loading the program would leave it at its largest, a fifth of what an idle server holds.)
 */
process.env.UV_THREADPOOL_SIZE ??= '16'
void import('./main.ts')
